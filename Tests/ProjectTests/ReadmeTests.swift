import Foundation
import JSON
import TestSupport
import Testing

/// Runs the commands of the README and its articles in bash and in zsh. Stand-ins replace programs that would change
/// the machine, build, bind a fixed port or never end.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct ReadmeTests {
    enum Shell: String {
        case bash, zsh

        /// The shells of this run: both weekly.
        static let all: [Shell] = Weekly.isOn ? [.bash, .zsh] : [.bash]

        /// Ends the background jobs of a script.
        var killJobs: String {
            switch self {
            case .bash: "kill $(jobs -p)"
            case .zsh: "kill ${${(v)jobstates##*:*:}%=*}"
            }
        }
    }

    /// A folder to run commands in: a copy of the needed files, a home with pictures and lists, and stand-ins for
    /// programs that would change the machine, bind a fixed port or never end.
    final class Place {
        let folder: TemporaryFolder
        private let environment: [String: String]

        init(_ more: [String: String] = [:]) throws {
            folder = try TemporaryFolder()
            for name in [".ci", ".github", ".packaging", ".pictures", "Public", "README.md"] {
                try FileManager.default.copyItem(
                    atPath: "\(Checkout.path)/\(name)", toPath: "\(folder.path)/\(name)")
            }
            for number in 1...3 { try folder.write("home/Pictures/Summer/\(number).jpg", Picture.jpeg(60, 40)) }
            for name in ["addresses.txt", "list.txt"] {
                try folder.write(name, Array("https://example.com/1.jpg\nhttps://example.com/2.jpg\n".utf8))
            }
            try folder.write(".build/place")
            try folder.link(".build/release", to: Checkout.products)
            for name in ["Sources", "Tests", "Package.resolved"] {
                try folder.link(name, to: "\(Checkout.path)/\(name)")
            }
            try folder.link("Pictures", to: "home/Pictures")
            let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
            environment = [
                "HOME": "\(folder.path)/home", "PATH": "\(Checkout.path)/Tests/ProjectTests/shims:\(path)",
                "LOOKAHEAD_EXECUTABLE": LookaheadProcess.executable, "LOOKAHEAD_BINARY": LookaheadProcess.executable,
                // Not run here, because each script would download it again.
                "SCHEMATHESIS": "schemathesis",
            ].merging(more) { $1 }
        }

        /// Runs a script as if typed, but ends at the first command that fails.
        @discardableResult
        func run(_ script: String, in shell: Shell = .bash) async throws -> String {
            let frame = "cd '\(folder.path)'\ntrap '\(shell.killJobs) 2>/dev/null || true' EXIT\n"
            let child = try Child("/bin/\(shell)", ["-ec", frame + script], environment: environment)
            let output = await child.output()
            let errors = child.standardError()
            try #require(child.wait() == 0, "\(script)\n\(output)\n\(errors)")
            return output
        }

        func bytes(_ file: String) throws -> [UInt8] {
            Array(try Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/\(file)")))
        }

        func text(_ file: String) throws -> String { String(decoding: try bytes(file), as: UTF8.self) }
    }

    @Test("every code block is run by a test")
    func languages() throws {
        let readme = try Readme()
        // Tests of the proxy start nginx with the nginx block, and browsers show the html block. The block without a
        // language is a drawing.
        for block in readme.blocks {
            let isRun = ["sh", "nginx", "html", ""].contains(block.language)
            #expect(isRun, "nothing runs \(block.language): \(block.text)")
            let hasComment = block.language == "sh" && block.text.contains(#/(^|\s)#/#)
            #expect(!hasComment, "an interactive zsh takes no comments: \(block.text)")
        }
    }

    @Test("the front page is short, and the links of all articles lead to files")
    func links() throws {
        let readme = try Readme()
        #expect(readme.frontPage.split(separator: "\n", omittingEmptySubsequences: false).count <= 170)
        #expect(readme.frontPage.split(whereSeparator: \.isWhitespace).count <= 1_500)
        var links = 0
        for file in try Readme.files {
            let folder = URL(fileURLWithPath: "\(Checkout.path)/\(file)").deletingLastPathComponent()
            let text = try Checkout.text(file)
            let paths = text.matches(of: #/\]\(([^)#:]+)[^):]*\)|(?:src|srcset)="(\.[^"]+)"/#)
                .compactMap { ($0.output.1 ?? $0.output.2).map(String.init) }
            let articles = text.matches(of: #/<doc:(\w+)>/#).map { "\($0.output.1).md" }
            links += paths.count + articles.count
            for path in paths + articles {
                let target = folder.appendingPathComponent(path).standardized.path
                #expect(FileManager.default.fileExists(atPath: target), "\(file): \(path)")
            }
        }
        #expect(links > 40)
    }

    @Test("every file and flag named in the text exists")
    func names() async throws {
        let text = try Readme().text
        let files = text.matches(of: #/`(?:\w+=\S+ )?((?:Sources|Tests|Public|\.ci|\.packaging|\.pictures)[\w.\/-]*)/#)
        #expect(files.count > 8)
        for file in files {
            #expect(FileManager.default.fileExists(atPath: "\(Checkout.path)/\(file.output.1)"), "\(file.output.1)")
        }
        let help = try await Checkout.run(
            "for c in serve demo replay; do '\(LookaheadProcess.executable)' $c --help || exit; done; "
                + "'\(LookaheadProcess.lab)' score --help")
        #expect(help.status == 0)
        let flags = text.matches(of: #/`(--[a-z0-9-]+)/#)
        #expect(flags.count > 20)
        for flag in flags { #expect(help.output.contains("\(flag.output.1) "), "\(flag.output.1)") }
    }

    @Test("the table of settings equals the program's output")
    func settings() async throws {
        let run = try await Checkout.run("'\(LookaheadProcess.executable)' settings --format markdown")
        #expect(run.status == 0)
        let table = run.output.trimmingCharacters(in: .newlines)
        #expect(
            try Readme().text.contains("\n\n\(table)\n\n"),
            "replace the table in the article on settings with this:\n\(table)")
    }

    @Test("help prints every article")
    func topics() async throws {
        let help = try await Checkout.run("'\(LookaheadProcess.executable)' --help").output
        let list = help.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let topics = try #require(list.firstMatch(of: #/Articles: ([a-z, -]+)\./#)).output.1.split(separator: ", ")
        // All articles but the README and the page that lists them.
        let files = try Readme.files.dropFirst().filter { !$0.hasSuffix("/lookahead.md") }
        #expect(topics.count == files.count)
        for topic in topics.map(String.init) {
            let name = "/" + topic.split(separator: "-").joined() + ".md"
            let file = try #require(
                files.first { $0.replacing("/The", with: "/").lowercased().hasSuffix(name) }, "\(topic)")
            let run = try await Checkout.run("'\(LookaheadProcess.executable)' help \(topic)")
            #expect(try run.status == 0 && run.output == Checkout.text(file), "\(topic)")
        }
    }

    @Test("the first commands of the README are those of the continuous integration")
    func commands() throws {
        let script = try #require(Readme().scripts.first).text
        let test = ".ci/install --tests && .ci/test"
        #expect(try script.contains(test + "\n") && Checkout.text(".ci/run").contains(test))
        #expect(script.contains(".ci/install && swift run -c release lookahead demo --open\n"))
    }

    /// Whether a script takes a minute, because it measures.
    private static func isLong(_ script: Readme.Block) -> Bool {
        script.text.contains(#/lookahead-lab|docc\.sh/#)
    }

    /// Sections whose commands need a server.
    static let ofTheAPI = ["Script it", "The API"]

    static let scripts =
        (try? Readme().scripts.filter { !ofTheAPI.contains($0.section) && (Weekly.isOn || !isLong($0)) }) ?? []

    @Test("the commands of every section run in bash, and weekly in zsh", arguments: scripts, Shell.all)
    func sections(script: Readme.Block, shell: Shell) async throws {
        try await Place().run(script.text, in: shell)
    }

    @Test(
        "the API's example script runs in bash and zsh and leaves no session or gallery",
        arguments: Shell.all)
    func script(shell: Shell) async throws {
        let demo = try await LookaheadProcess(["demo", "--items", "100", "--latency", "1"])
        defer { demo.stop() }
        let place = try Place(["LOOKAHEAD": String(demo.address.dropLast())])
        let script = try #require(Readme().scripts.first { $0.section == "The API" })
        let output = try await place.run(script.text, in: shell)

        #expect(try JSON.parse(try place.bytes("gallery.json"))["itemCount"] == 1000)
        #expect(output.split(separator: "\n").contains { (try? JSON.parse(String($0)))?["prefetch"] != nil })
        let events = try place.text("events.txt")
        // The last plan may have no new pictures.
        #expect(events.contains(#""prefetch":[2"#))
        for name in ["hello", "plan", "thumbnail", "stats", "scroll", "bye"] {
            #expect(events.contains("\nevent: \(name)\n"), "\(name)")
        }
        #expect(events.contains(#""item":500,"animated":true"#))
        for file in ["pushed.jpg", "500.jpg"] {
            #expect(try place.bytes(file).starts(with: [0xFF, 0xD8, 0xFF]), "\(file)")
        }
        #expect(output.contains(#""hitRatio":"#))
        #expect(try place.text("trace.ndjson").split(separator: "\n").count > 210)
        #expect(output.contains("collection-view") && output.contains("oracle"))
        #expect(output.contains(#""status":422"#) && output.contains(#""field":"/viewport/width""#))
        // Galleries of the script are deleted.
        #expect(try get(demo.port, "/api/v1/galleries").json["galleries"]?.array?.count == 1)
    }

    @Test("the front page's script opens a viewport, scrolls it and saves a picture", arguments: Shell.all)
    func frontPageScript(shell: Shell) async throws {
        let demo = try await LookaheadProcess(["demo", "--items", "1000", "--latency", "1"])
        defer { demo.stop() }
        let place = try Place(["LOOKAHEAD": String(demo.address.dropLast())])
        let script = try #require(Readme().scripts.first { $0.section == "Script it" })
        let output = try await place.run(script.text, in: shell)
        #expect(output.components(separatedBy: "\"prefetch\"").count == 4)
        #expect(try place.bytes("5.jpg").starts(with: [0xFF, 0xD8, 0xFF]))
        #expect(try get(demo.port, "/api/v1/stats").json["sessions"]?.array?.first?["value"] == 0)
    }
}
