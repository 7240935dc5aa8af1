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

    @Test("comments, articles and titles of tests contain no riddling words", arguments: wordings)
    func comments(_ wording: Wording) async throws {
        let pattern = try NSRegularExpression(pattern: wording.pattern)
        func isIn(_ text: String) -> Bool {
            pattern.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) != nil
        }
        #expect(isIn(wording.example))
        let all = try await Self.prose.value
        #expect(all.count > 5_000)
        for block in all where isIn(block.text) {
            Issue.record("\(block.place): \(block.text). Write instead: \(wording.better)")
        }
    }

    /// The comments of the sources and the paragraphs of the articles. Neighbouring lines of one comment are joined.
    static let prose = Task {
        let files = try await Checkout.run("git ls-files Sources Public Tests README.md .github ':!Tests/Benchmarks'")
        return try files.output.split(separator: "\n").flatMap { try prose(of: String($0)) }
    }

    private static func prose(of file: String) throws -> [(place: String, text: String)] {
        let marks: [String]
        switch (file as NSString).pathExtension {
        case "swift", "c", "h", "js", "css": marks = ["///", "//", "/**", "/*", "*/", "*"]
        case "py", "sh": marks = ["# "]
        case "md": marks = ["- ", "* ", "| ", ""]
        default: return []
        }
        var blocks = try titles(in: file)
        var isInside = false
        let lines = try Checkout.text(file).split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            let line = line.drop { $0 == " " }
            var text = line[line.endIndex...]
            var isWhole = true
            if let mark = marks.first(where: line.hasPrefix) {
                text = line.dropFirst(mark.count).drop { $0 == " " }
            } else if marks.contains("//"), let trailing = line.range(of: " // ") {
                (text, isWhole) = (line[trailing.upperBound...], false)
            }
            if text.isEmpty {
                isInside = false
            } else if isInside, isWhole, !text.hasPrefix("- ") {
                blocks[blocks.count - 1].text += " " + text
            } else {
                blocks.append(("\(file):\(index + 1)", String(text)))
                isInside = isWhole
            }
        }
        return blocks
    }

    /// Returns the titles of tests and suites, with a capital letter.
    private static func titles(in file: String) throws -> [(place: String, text: String)] {
        guard file.hasPrefix("Tests/"), file.hasSuffix(".swift") else { return [] }
        return try Checkout.text(file).matches(of: #/@(?:Test|Suite)\(\s*"((?:[^"\\]|\\.)*)"/#).map { match in
            (file, match.output.1.prefix(1).uppercased() + match.output.1.dropFirst())
        }
    }
}
