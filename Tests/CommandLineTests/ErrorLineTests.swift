import Terminal
import TestSupport
import Testing

/// Names from outside on standard error. Each message must stay on one line and carry no terminal commands.
@Suite(.timeLimit(.minutes(1)))
struct ErrorLineTests {
    static let texts = [
        ("plain", "plain"), ("Málaga 漢字 😀 👩‍👩‍👧", "Málaga 漢字 😀 👩‍👩‍👧"), (#"a\b"#, #"a\b"#),
        ("a\nb\r\nc\td", #"a\u{a}b\u{d}\u{a}c\u{9}d"#), ("\u{1B}[2J\u{0}\u{7F}", #"\u{1b}[2J\u{0}\u{7f}"#),
        ("\u{9B}2J\u{85}", #"\u{9b}2J\u{85}"#), ("a\u{2028}b\u{2029}c", #"a\u{2028}b\u{2029}c"#),
        ("gpj.\u{202E}a\u{2066}\u{2069}\u{200F}", #"gpj.\u{202e}a\u{2066}\u{2069}\u{200f}"#), ("e\u{301}", "e\u{301}"),
    ]

    @Test("control characters are escaped as their code points, and other characters are unchanged", arguments: texts)
    func escaped(text: String, line: String) {
        #expect(text.onOneLine.unicodeScalars.elementsEqual(line.unicodeScalars))
    }

    @Test("progress stays on one line if a file name holds control characters")
    func progress() {
        var text = ProgressText("Reading a\n\u{1B}[2Jb", unit: "items", isTerminal: false, at: 0)
        #expect(text.update(1, share: nil, at: 3) == "lookahead: Reading a\\u{a}\\u{1b}[2Jb: 1 items\n")
    }

    @Test("warnings, log messages and errors stay on one line if a path holds control characters")
    func server() async throws {
        let folder = try TemporaryFolder()
        let name = "a\n2026-01-01T00:00:00+0000 critical lookahead: all is lost\u{1B}[2J\u{202E}"
        try folder.write("\(name)/notes.txt")
        try folder.write("\(name) cache/thumbnails.sqlite", Array("no database".utf8))
        let server = try Child(
            LookaheadProcess.executable,
            ["serve", "\(folder.path)/\(name)", "--port", "0", "--cache-directory", "\(folder.path)/\(name) cache"])
        _ = try await server.port(after: "Listening on")
        #expect(server.stop() == 0)
        let mistake = try Child(LookaheadProcess.executable, ["serve", "\(folder.path)/\(name)/none"])
        #expect(mistake.wait() == 1)
        let lines = (server.standardError() + mistake.standardError()).split(separator: "\n")
        for part in ["nothing to show", "a new store was created", "/none"] {
            #expect(lines.contains { $0.contains(part) && $0.contains(#"\u{1b}[2J\u{202e}"#) }, "\(part): \(lines)")
        }
        #expect(!lines.contains { $0.hasPrefix("2026-01-01") || $0.unicodeScalars.contains("\u{1B}") }, "\(lines)")
    }
}
