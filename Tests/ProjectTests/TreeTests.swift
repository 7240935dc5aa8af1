import Foundation
import Testing

/// The source tree, compared with the article on architecture.
@Suite struct TreeTests {
    @Test("every symbolic link in sources and tests leads to a file, and none has become text")
    func links() throws {
        var links = 0
        for folder in ["Public", "Sources", "Tests"] {
            let all = try #require(FileManager.default.enumerator(atPath: "\(Checkout.path)/\(folder)"))
            for case let name as String in all {
                if name.hasSuffix(".build") || name.hasSuffix("node_modules") { all.skipDescendants() }
                let path = "\(Checkout.path)/\(folder)/\(name)"
                guard all.fileAttributes?[.type] as? FileAttributeType == .typeSymbolicLink else {
                    guard all.fileAttributes?[.type] as? FileAttributeType == .typeRegular,
                        (1..<300).contains(all.fileAttributes?[.size] as? Int ?? 0),
                        let text = try? String(contentsOfFile: path, encoding: .utf8)
                    else { continue }
                    // A program that formats in place may write the link's path as the file's text, perhaps with
                    // spaces.
                    let target = (path as NSString).deletingLastPathComponent + "/" + text.filter { !$0.isWhitespace }
                    #expect(
                        !text.contains("..") || !FileManager.default.fileExists(atPath: target), "\(folder)/\(name)")
                    continue
                }
                links += 1
                // This follows the link.
                #expect(FileManager.default.fileExists(atPath: path), "\(folder)/\(name)")
            }
        }
        #expect(links > 0)
    }

    @Test("the architecture table names every target, and each imports only targets of the lines above")
    func targets() throws {
        let lines = try Checkout.text("\(Readme.articles)/Architecture.md").split(separator: "\n").drop {
            !$0.hasPrefix("| target |")
        }
        .dropFirst(2).prefix { $0.hasPrefix("|") }
        .map { $0.split(separator: "|")[0].matches(of: #/`(\w+)`/#).map { String($0.output.1) } }
        let folders = try FileManager.default.contentsOfDirectory(atPath: "\(Checkout.path)/Sources")
        #expect(lines.joined().sorted() == folders.sorted())
        var above: Set<String> = []
        for line in lines {
            for target in line {
                let files = try #require(FileManager.default.enumerator(atPath: "\(Checkout.path)/Sources/\(target)"))
                for case let file as String in files where file.hasSuffix(".swift") {
                    for found in try Checkout.text("Sources/\(target)/\(file)")
                        .matches(of: #/(?m)^(?:@\w+ |public |package |internal |private )*import (?:\w+ )?(\w+)/#)
                    {
                        let name = String(found.output.1)
                        #expect(above.contains(name) || !folders.contains(name), "\(target)/\(file): \(name)")
                    }
                }
            }
            above.formUnion(line)
        }
    }

    @Test("the line counts in the architecture table are right within a tenth")
    func lines() async throws {
        let result = try await Checkout.run("Tests/ProjectTests/rooms.py --check")
        #expect(result.status == 0, "\(result.output)")
    }

    @Test("no comment begins with a question word")
    func comments() async throws {
        let files = #"git ls-files Sources Public Tests | grep -E '\.(swift|c|h|js|mjs|css|py|sh)$'"#
        let asking = #"^\s*(//+|\*|/\*\*?|#) *(MARK: )?(What|Who|Whatever)\b"#
        let found = try await Checkout.run("grep -nE '\(asking)' $(\(files)) || true")
        #expect(found.status == 0 && found.output == "", "\(found.output)")
        let planted = try await Checkout.run("echo '/// What it is.' | grep -cE '\(asking)'")
        #expect(planted.output == "1\n")
    }

    @Test("conversions of fractions to integers and durations use initializers that clamp")
    func conversions() async throws {
        // The demo's painter computes in Float with its own numbers only.
        let files = "git ls-files 'Sources/*.swift' | grep -v -e ^Sources/Numbers/ -e ^Sources/Demo/Painting/"
        let fraction = #"(\.rounded\(|Double\(|[*/] *1e|[0-9]\.[0-9])"#
        let start = #"(\bU?Int(8|16|32|64)?|[^]A-Za-z0-9)]\.(milli)?seconds)\("#
        let trapping = start + #"([^():,]|\([^():,]*\))*"# + fraction
        let found = try await Checkout.run("grep -nE '\(trapping)' $(\(files)) || true")
        #expect(found.status == 0 && found.output == "", "\(found.output)")
        for line in ["Int((seconds / 60).rounded())", "UInt32(length * 1e3)", "sleep(for: .milliseconds(0.5 * wait))"] {
            let planted = try await Checkout.run("echo '\(line)' | grep -cE '\(trapping)'")
            #expect(planted.output == "1\n", "\(line)")
        }
    }

    @Test("the drawing of the targets matches Package.swift")
    func drawing() async throws {
        let result = try await Checkout.run("Tests/ProjectTests/architecture.py")
        #expect(result.status == 0, "\(result.output)")
        let drawn = try Checkout.text("\(Readme.articles)/architecture.svg")
        #expect(drawn == result.output, "Tests/ProjectTests/architecture.py > \(Readme.articles)/architecture.svg")
        #expect(drawn.contains(">Viewport</text>"))
    }
}
