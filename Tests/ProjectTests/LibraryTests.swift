import Foundation
import TestSupport
import Testing

/// The libraries as others use them: their documentation, and programs that depend on one library alone.
@Suite(.serialized, .timeLimit(.minutes(15)))
struct LibraryTests {
    @Test("the documentation of the libraries builds without a warning", .enabled(if: Weekly.isOn, "runs weekly"))
    func documentation() async throws {
        let folder = try TemporaryFolder()
        let result = try await Checkout.run("Tests/ProjectTests/docc.sh \(folder.path) \(Checkout.products)")
        #expect(result.status == 0, "\(result.output)")
        for module in ["Viewport", "TaskPool", "MicroHTTP", "Gallery"] {
            #expect(FileManager.default.fileExists(atPath: "\(folder.path)/\(module).doccarchive/index.html"))
        }
    }

    static let articles = [
        ("ViewportExample", "Viewport/Viewport.docc/PlanningAScroll.md"),
        ("CollectionViewExample", "Viewport/Viewport.docc/ComingFromUICollectionView.md"),
        ("TaskPoolExample", "TaskPool/TaskPool.docc/RunningWhatIsWanted.md"),
        ("MicroHTTPExample", "MicroHTTP/MicroHTTP.docc/ServingAndStreaming.md"),
    ]

    @Test("each article quotes its example's source", arguments: articles)
    func quoted(example: String, article: String) throws {
        let source = try Checkout.text("Tests/Examples/\(example)/main.swift")
        #expect(try Checkout.text("Sources/\(article)").contains("```swift\n\(source)```\n"))
    }

    /// `BoundedCache`, `Numbers` and `Threads` are modules of this package. `HeapModule` is the only one from another
    /// package.
    @Test("the libraries import only modules that their users have")
    func imports() throws {
        let allowed: [String: Set<String>] = [
            "Viewport": ["Numbers"], "TaskPool": ["BoundedCache", "HeapModule", "Numbers", "Synchronization"],
            "MicroHTTP": ["CMicroHTTPD", "Glibc", "Numbers", "Synchronization", "Threads"],
            "BoundedCache": [], "Numbers": [],
            "Threads": ["CEpoll", "Dispatch", "Glibc", "HeapModule", "Synchronization"],
        ]
        for (module, names) in allowed {
            let files = try #require(FileManager.default.enumerator(atPath: "\(Checkout.path)/Sources/\(module)"))
            for case let file as String in files where file.hasSuffix(".swift") {
                for line in try Checkout.text("Sources/\(module)/\(file)").split(separator: "\n") {
                    guard let found = line.firstMatch(of: #/^(?:\w+ )?import (\w+)/#) else { continue }
                    #expect(names.contains(String(found.1)), "\(module)/\(file): \(line)")
                }
            }
        }
    }

    /// Builds the examples as a separate package, so that they depend only on the libraries they name.
    @Test("the examples build on the libraries alone and print the expected results")
    func examples() async throws {
        let scratch = "\(Checkout.path)/.build/examples"
        let build = try await Checkout.run("swift build --package-path Tests/Examples --scratch-path '\(scratch)'")
        try #require(build.status == 0, "\(build.output)")
        #expect(!build.output.contains("warning:"), "\(build.output)")
        func run(_ name: String) async throws -> String {
            let child = try Child("\(scratch)/debug/\(name)", [])
            let output = await child.output()
            #expect(child.wait() == 0, "\(child.standardError())")
            return output
        }
        let viewport = try await run("ViewportExample")
        #expect(viewport.contains("fetch [") && viewport.contains("cancel ["), "\(viewport)")
        let view = try await run("CollectionViewExample")
        #expect(view.contains("prefetch [[0, 21], [0, 22]"), "\(view)")
        #expect(view.contains("[2, 0]") && view.contains("cancel [["), "\(view)")
        let pool = try await run("TaskPoolExample")
        #expect(pool.contains("a.jpg: success(\"thumbnail of the bytes of a.jpg\")"), "\(pool)")
        #expect(pool.contains("b.jpg: success"), "\(pool)")

        // Line buffering, as on a terminal.
        let server = try Child("/usr/bin/stdbuf", ["-oL", "\(scratch)/debug/MicroHTTPExample"])
        let port = try await server.port(after: "Listening on")
        #expect(try get(port, "/hello/you").text == "Hello, you!\n")
        // The program replaces functions in its process. A library must leave them to its users.
        let symbols = try await Checkout.run("nm -D --defined-only '\(scratch)/debug/MicroHTTPExample'")
        #expect(symbols.status == 0)
        for name in ["recv", "MHD_queue_response"] { #expect(!symbols.output.contains(" \(name)\n")) }
        let chunked = try TestClient(port)
        chunked.send("GET /hello/you HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n")
        #expect(try chunked.answer().status == 400)
        #expect(try chunked.readToEnd().isEmpty)
        let events = try EventReader(port, "/events")
        #expect(events.head.header("content-type") == "text/event-stream")
        events.leave()
        server.kill()

        let demo = try await LookaheadProcess(["demo", "--items", "1000", "--latency", "0"])
        defer { demo.stop() }
        for client in ["\(scratch)/debug/ClientExample", "python3 Tests/Examples/client.py"] {
            let folder = try TemporaryFolder()
            // At the end 12 items are in view. How many arrive ahead depends on when the updates arrive.
            let run = try await Checkout.run(
                "timeout 60 \(client) http://127.0.0.1:\(demo.port) demo \(folder.path) 12")
            #expect(run.status == 0 && run.output.hasSuffix("12 pictures saved\n"), "\(client): \(run.output)")
            let pictures = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(pictures.count == 12)
            for picture in pictures {
                let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/\(picture)"))
                #expect(bytes.starts(with: [0xFF, 0xD8, 0xFF]), "\(picture)")
            }
        }
    }
}
