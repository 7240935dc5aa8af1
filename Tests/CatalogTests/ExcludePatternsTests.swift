import Catalog
import Testing

@Suite("Exclude patterns", .timeLimit(.minutes(1))) struct ExcludePatternsTests {
    /// The pattern that excludes a path. A path that ends with a slash is a folder's.
    private func pattern(_ patterns: [String], _ path: String) throws -> String? {
        let parts = path.split(separator: "/")
        return try ExcludePatterns(patterns).pattern(
            excluding: String(parts.last ?? ""), in: ExcludePatterns.parts(of: parts.dropLast().joined(separator: "/")),
            isFolder: path.hasSuffix("/"))
    }

    static let cases: [(text: String, matches: [String], others: [String])] = [
        ("raw", ["raw", "raw/", "a/raw", "a/b/raw/"], ["Raw", "raw2", "raws/"]),
        ("raw/", ["raw/", "a/b/raw/"], ["raw", "a/raw"]),
        ("/raw", ["raw", "raw/"], ["a/raw"]),
        ("a/raw", ["a/raw", "a/raw/"], ["raw", "b/a/raw", "a/b/raw"]),
        ("*.tmp", [".tmp", "a.tmp", "b/a.tmp", "a.tmp/"], ["a.tmpx", "atmp"]),
        ("a*c", ["ac", "abc", "abbbc", "x/abc"], ["ab", "abcd", "bc"]),
        ("/*.jpg", ["1.jpg"], ["a/1.jpg"]),
        ("a/*", ["a/b", "a/b/"], ["a", "a/b/c", "b"]),
        ("?.jpg", ["1.jpg", "é.jpg"], [".jpg", "10.jpg"]),
        ("IMG_[0-4][!5-9^].jpg", ["IMG_14.jpg", "IMG_0a.jpg"], ["IMG_15.jpg", "IMG_54.jpg", "IMG_1^.jpg"]),
        ("[]a-]b", ["]b", "ab", "-b"], ["bb", "b"]),
        ("[^é]", ["e"], ["é", "ee"]),
        ("[\\]]", ["]"], ["\\"]),
        ("**/raw", ["raw", "a/raw", "a/b/raw/"], ["raws", "a/b/raws"]),
        ("raw/**", ["raw/a", "raw/a/b"], ["raw", "raw/", "a/raw/b"]),
        ("a/**/z", ["a/z", "a/b/z", "a/b/c/z"], ["az", "a/b", "b/a/z"]),
        ("**", ["a", "a/b"], []),
        ("/**", ["a", "a/b"], []),
        ("a**c", ["ac", "abbc", "x/abc"], ["a/c"]),
        ("a/b**", ["a/b", "a/bc"], ["a/b/c", "x/a/b"]),
        ("\\#1", ["#1"], ["1", "\\#1"]),
        ("\\!1", ["!1"], ["1"]),
        ("\\*", ["*"], ["a", "\\a"]),
        ("a  ", ["a"], ["a  "]),
        ("a\\  ", ["a "], ["a", "a  "]),
        ("New Folder/", ["New Folder/"], ["New", "Folder/"]),
        ("# raw", [], ["raw", "# raw"]),
        ("", [], ["a"]),
        ("   ", [], [" ", "   "]),
        ("!raw", [], ["raw"]),
        ("/", [], ["a", "a/"]),
    ]

    @Test("patterns match as in git", arguments: cases)
    func table(text: String, matches: [String], others: [String]) throws {
        for path in matches { #expect(try pattern([text], path) == text, "\(path)") }
        for path in others { #expect(try pattern([text], path) == nil, "\(path)") }
    }

    @Test("the last matching pattern decides, and a pattern with an exclamation mark re-includes")
    func order() throws {
        let patterns = ["*.jpg", "!1*.jpg", "12.jpg"]
        #expect(try pattern(patterns, "2.jpg") == "*.jpg")
        #expect(try pattern(patterns, "11.jpg") == nil)
        #expect(try pattern(patterns, "a/12.jpg") == "12.jpg")
        #expect(try pattern(patterns, "a.png") == nil)
    }

    @Test(
        "an invalid pattern is refused with the fix",
        arguments: [
            (["a[b"], "add ]"), (["[]"], "add ]"), (["[a/b]"], "add ]"), (["a\\"], "backslash"),
            (["[[:alpha:]]"], "[a-zA-Z]"), (["a\u{0}b"], "NUL"),
            ([String(repeating: "é", count: 513)], "at most 1,024 bytes"),
            ([String](repeating: "a", count: 1_001), "at most 1,000"),
        ] as [([String], String)])
    func refused(patterns: [String], fix: String) throws {
        let problem = #expect(throws: ExcludePatterns.Problem.self) { try ExcludePatterns(patterns) }
        #expect(problem?.description.contains(fix) == true, "\(problem?.description ?? "")")
    }

    @Test("many stars do not slow down a match against a long name or deep path")
    func hostile() throws {
        let stars = String(repeating: "a*", count: 500) + "b"
        #expect(try pattern([stars], String(repeating: "a", count: 4_000)) == nil)
        #expect(try pattern([stars], String(repeating: "a", count: 4_000) + "b") == stars)
        let folders = "/" + String(repeating: "a/**/", count: 150) + "b"
        #expect(try pattern([folders], String(repeating: "a/", count: 2_000) + "c") == nil)
        #expect(try pattern([folders], String(repeating: "a/", count: 2_000) + "b") == folders)
    }

    @Test("names match as in an exhaustive search over every star")
    func exhaustive() throws {
        func matches(_ pattern: Substring, _ name: Substring) -> Bool {
            guard let first = pattern.first else { return name.isEmpty }
            let rest = pattern.dropFirst()
            if first == "*" { return matches(rest, name) || !name.isEmpty && matches(pattern, name.dropFirst()) }
            return !name.isEmpty && (first == "?" || first == name.first) && matches(rest, name.dropFirst())
        }
        for _ in 0..<2_000 {
            let text = String((0..<Int.random(in: 1...6)).map { _ in "ab*?".randomElement() ?? "a" })
            let name = String((0..<Int.random(in: 1...7)).map { _ in "ab".randomElement() ?? "a" })
            #expect(try (pattern([text], name) != nil) == matches(text[...], name[...]), "\(text) \(name)")
        }
    }
}
