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

    init() throws {
        text = try Checkout.text("README.md")
        var blocks: [Block] = []
        var section = ""
        var open: Block?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") {
                if let block = open { blocks.append(block) }
                open = open == nil ? Block(section: section, language: String(line.dropFirst(3)), text: "") : nil
            } else if open != nil {
                open?.text += line + "\n"
            } else if line.hasPrefix("## ") {
                section = String(line.dropFirst(3))
            }
        }
        self.blocks = blocks
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
}
