import Foundation
import Testing

/// The README and its articles, as the tests read them.
struct Readme {
    /// The text between two lines of three backticks.
    struct Block: Sendable, CustomTestStringConvertible {
        var section: String
        var language: String
        var text: String
        var testDescription: String { "\(section): \(text.prefix { !$0.isNewline })" }
    }

    static let articles = "Sources/lookahead/lookahead.docc"

    /// Text of README.md, whose length a test limits.
    let frontPage: String
    /// Text of all files, README.md first.
    let text: String
    let blocks: [Block]
    /// All text outside of code blocks.
    let prose: String

    init() throws {
        frontPage = try Checkout.text("README.md")
        text = try Self.files.map(Checkout.text).joined(separator: "\n")
        var blocks: [Block] = []
        var section = ""
        var prose = ""
        var open: Block?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") {
                if let block = open { blocks.append(block) }
                open = open == nil ? Block(section: section, language: String(line.dropFirst(3)), text: "") : nil
            } else if open != nil {
                open?.text += line + "\n"
            } else {
                if let heading = line.firstMatch(of: #/^##? (.+)/#) { section = String(heading.output.1) }
                prose += line + "\n"
            }
        }
        (self.blocks, self.prose) = (blocks, prose)
    }

    /// The README, then the articles by name.
    static var files: [String] {
        get throws {
            let names = try FileManager.default.contentsOfDirectory(atPath: "\(Checkout.path)/\(articles)")
            return ["README.md"] + names.filter { $0.hasSuffix(".md") }.sorted().map { "\(articles)/\($0)" }
        }
    }

    /// The commands of each section, joined. Later blocks can use variables of earlier ones.
    var scripts: [Block] {
        var scripts: [Block] = []
        for block in blocks where block.language == "sh" {
            if let last = scripts.indices.last, scripts[last].section == block.section {
                scripts[last].text += block.text
            } else {
                scripts.append(block)
            }
        }
        return scripts
    }

    /// Distinct commands named in text and tables, without those that a code block runs.
    var namedCommands: [String] {
        let run = scripts.flatMap { $0.text.split(separator: "\n") }
        var commands: [String] = []
        for match in prose.matches(of: #/`([^`]+)`/#) {
            let command = String(match.output.1)
            guard Self.isCommand(command), !commands.contains(command) else { continue }
            if !run.contains(where: { $0.hasPrefix(command) }) { commands.append(command) }
        }
        return commands
    }

    /// Whether a shell could run the text: a script of the checkout, or a program with arguments.
    private static func isCommand(_ text: String) -> Bool {
        let words = text.split(separator: " ").drop { $0.contains(#/^[A-Z_]+=/#) }
        guard let program = words.first else { return false }
        if program.contains("/") {
            return FileManager.default.isExecutableFile(atPath: "\(Checkout.path)/\(program)")
                && Checkout.isFile(String(program))
        }
        guard words.count > 1, program.wholeMatch(of: #/[a-z][a-z0-9.+-]*/#) != nil else { return false }
        return ["lookahead", "lookahead-lab"].contains(program) || Checkout.isProgram(String(program))
    }
}
