import Foundation
import Testing

/// The README as its tests read it.
struct Readme {
    /// What stands between two lines of three backticks.
    struct Block: Sendable, CustomTestStringConvertible {
        var section: String
        var language: String
        var text: String
        var testDescription: String { "\(section): \(text.prefix { !$0.isNewline })" }
    }

    let text: String
    let blocks: [Block]
    /// All that stands outside of blocks.
    let prose: String

    init() throws {
        text = try Checkout.text("README.md")
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
                if line.hasPrefix("## ") { section = String(line.dropFirst(3)) }
                prose += line + "\n"
            }
        }
        (self.blocks, self.prose) = (blocks, prose)
    }

    /// The commands of each section, one after the other: what one block sets, the next may use.
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

    /// The commands that its text and tables name, once each, without those that a block runs or begins with.
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

    /// Whether a shell could run it: a script of the checkout; or a program, with what it is to do.
    private static func isCommand(_ text: String) -> Bool {
        let words = text.split(separator: " ").drop { $0.contains(#/^[A-Z_]+=/#) }
        guard let program = words.first else { return false }
        if program.contains("/") {
            return FileManager.default.isExecutableFile(atPath: "\(Checkout.path)/\(program)")
                && Checkout.isFile(String(program))
        }
        guard words.count > 1, program.wholeMatch(of: #/[a-z][a-z0-9.+-]*/#) != nil else { return false }
        return program == "lookahead" || Checkout.isProgram(String(program))
    }
}
