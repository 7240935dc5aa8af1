import Foundation
import Testing

/// Wording that readers stumble over, in comments and articles. The table names the words to write instead.
@Suite struct EnglishTests {
    struct Wording: Sendable, CustomTestStringConvertible {
        /// A regular expression.
        let pattern: String
        /// A sentence that the pattern finds.
        let example: String
        let better: String

        init(_ pattern: String, _ example: String, better: String) {
            (self.pattern, self.example, self.better) = (pattern, example, better)
        }

        var testDescription: String { example }
    }

    static let wordings = [
        Wording(#"\btold\b"#, "The pool is told of it.", better: "notified, reported, or who calls what"),
        Wording(#"\blet(s|ting)? (\w+ )?go\b"#, "The last session lets go.", better: "cancels, releases"),
        Wording(#"\b(anew|afresh)\b"#, "The layout is made anew.", better: "again"),
        Wording(#"\bow(ed|es|ing)\b"#, "Pictures that a listener is owed.", better: "pending"),
        Wording(#"\b(host|origin|server)s? rests?\b"#, "The host rests.", better: "is paused, cools down"),
        Wording(#"\bof (itself|themselves)\b"#, "It ends of itself.", better: "automatically, on its own"),
        Wording(#"\bin vain\b"#, "It was fetched in vain.", better: "wasted, without effect"),
        Wording(
            #"\bas (it|they) (is|are|was|were) (wanted|asked|needed)\b"#, "Read as it is wanted.", better: "on demand"),
        Wording(#"\bfor want of\b"#, "Refused for want of room.", better: "because there is no"),
        Wording(
            #"(`nil`|\b[Nn]il|[Ee]mpty|[Zz]ero|`?(true|false)`?) where\b"#, "`nil` where it has no name.", better: "if"),
        Wording(
            #"(^|[.;:] )(What|Who|Whoever|Whatever)\b"#, "What nobody wants ends.", better: "a noun as the subject"),
        Wording(#"(^|[.;:] )(Those|These) (among|of|that|which|with|in)\b"#, "Those among them.", better: "the noun"),
        Wording(#"^To be \w+ed\b"#, "To be called when a limit has changed.", better: "Call this when"),
    ]

    @Test("comments and articles say it plainly", arguments: wordings)
    func comments(_ wording: Wording) async throws {
        let pattern = try Regex(wording.pattern)
        #expect(wording.example.contains(pattern))
        let files = try await Checkout.run("git ls-files Sources Public Tests/Support README.md .github")
        #expect(files.status == 0)
        for file in files.output.split(separator: "\n").map(String.init) {
            for block in try Self.prose(of: file) where block.text.contains(pattern) {
                Issue.record("\(file):\(block.line): \(block.text). Write instead: \(wording.better)")
            }
        }
    }

    /// The comments of a source file, or the paragraphs of an article. Neighbouring lines of one comment are joined.
    static func prose(of file: String) throws -> [(line: Int, text: String)] {
        let mark: Regex<Substring>
        switch (file as NSString).pathExtension {
        case "swift", "c", "h", "js", "css": mark = #/^\s*(?:\/\/+|\/?\*+\/?) ?/#
        case "py", "sh": mark = #/^\s*# /#
        case "md": mark = #/^(?:[-*|] )?/#
        default: return []
        }
        var blocks: [(line: Int, text: String)] = []
        var isInside = false
        for (index, line) in try Checkout.text(file).split(separator: "\n", omittingEmptySubsequences: false)
            .enumerated()
        {
            let text = line.prefixMatch(of: mark).map { line[$0.range.upperBound...] } ?? ""
            if text.isEmpty, !file.hasSuffix(".md"), let trailing = line.firstMatch(of: #/\S ?\s\/\/ (.+)/#) {
                blocks.append((index + 1, String(trailing.output.1)))
                isInside = false
            } else if text.isEmpty {
                isInside = false
            } else if isInside, !text.hasPrefix("- ") {
                blocks[blocks.count - 1].text += " " + text
            } else {
                blocks.append((index + 1, String(text)))
                isInside = true
            }
        }
        return blocks
    }
}
