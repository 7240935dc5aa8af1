import Catalog
import TestSupport
import Testing

@Suite("List dialects of spreadsheets, scripts and shells") struct ListDialectTests {
    private let addresses = (1...3).map { "http://a/\($0).jpg" }

    /// Reads a list in pieces of so many bytes.
    private func read(_ bytes: [UInt8], _ format: ListFormat, chunk: Int = .max) throws -> PictureList {
        var reader = ListReader(format: format)
        var rest = bytes[...]
        while !rest.isEmpty {
            try reader.feed(Array(rest.prefix(chunk)))
            rest = rest.dropFirst(chunk)
        }
        return try reader.finish(title: "List")
    }

    private func read(_ text: String, _ format: ListFormat, chunk: Int = .max) throws -> PictureList {
        try read(Array(text.utf8), format, chunk: chunk)
    }

    private func urls(_ list: PictureList) -> [String] {
        (0..<list.itemCount).map { index in
            if case .url(let url)? = list.item(index)?.locator { url } else { "?" }
        }
    }

    /// UTF-16 with a byte order mark.
    private func inUTF16(_ text: String, isBigEndian: Bool) -> [UInt8] {
        ([0xFEFF] + Array(text.utf16)).flatMap { unit -> [UInt8] in
            let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
            return isBigEndian ? [high, low] : [low, high]
        }
    }

    @Test("a length may have a decimal point if it is whole", arguments: [ListFormat.csv, .ndjson])
    func decimals(_ format: ListFormat) throws {
        let text =
            format == .csv
            ? "url,width,height\nhttp://a/1.jpg,600.0,400.0\nhttp://a/2.jpg,600.5,4e2\nhttp://a/3.jpg,inf,nan\n"
            : """
            {"url":"http://a/1.jpg","width":600.0,"height":400.0}
            {"url":"http://a/2.jpg","width":600.5,"height":4e2}
            {"url":"http://a/3.jpg","width":1e99,"height":true}
            """
        let list = try read(text, format)
        #expect(urls(list) == addresses)
        #expect((0..<3).map { list.item($0)?.width } == [600, nil, nil])
        #expect((0..<3).map { list.item($0)?.height } == [400, 400, nil])
        #expect(list.problemCount == 0 && list.wrongHints.count == 3)
        #expect(
            list.wrongHints.first?.description == "line \(format == .csv ? 3 : 2), field width: is not a whole number")
    }

    @Test("wrong optional fields are left out, and their picture stays")
    func hints() throws {
        let long = String(repeating: "x", count: 2_000)
        let list = try read(
            """
            {"url":"http://a/1.jpg","title":7,"section":[],"color":false}
            {"url":"http://a/2.jpg","title":"\(long)","section":"\(long)","width":65536,"height":0}
            {"url":"http://a/3.jpg","title":"Three","width":3}
            """, .ndjson)
        #expect(urls(list) == addresses)
        #expect((0..<3).map { list.item($0)?.title } == ["1", "2", "Three"])
        #expect(list.sections.map(\.title) == [""])
        #expect(list.wrongHints.count == 7)
    }

    @Test("the header row decides if commas, semicolons or tabs separate fields", arguments: [",", ";", "\t"])
    func separators(_ separator: String) throws {
        let rows = [
            ["Title", "URL", "width"], ["\"a\(separator) \"\"b\"\"\"", "http://a/1.jpg", "6"],
            ["c|d", "http://a/2.jpg?x=1", ""], ["", "http://a/3.jpg", "7"],
        ]
        let text = rows.map { $0.joined(separator: separator) }.joined(separator: "\r\n")
        for chunk in [1, 1000] {
            let list = try read(text, .csv, chunk: chunk)
            #expect(list.problemCount == 0)
            #expect(urls(list) == ["http://a/1.jpg", "http://a/2.jpg?x=1", "http://a/3.jpg"])
            #expect((0..<3).map { list.item($0)?.title } == ["a\(separator) \"b\"", "c|d", "3"])
            #expect((0..<3).map { list.item($0)?.width } == [6, nil, 7])
        }
    }

    @Test("a separator inside a name or an address does not count")
    func otherSeparators() throws {
        let names = try read("width; or none,url\n5,http://a/1.jpg;v=1\n", .csv)
        #expect(urls(names) == ["http://a/1.jpg;v=1"])
        let addresses = try read("url;title\nhttp://a/1,2.jpg;x,y\n", .csv)
        #expect(urls(addresses) == ["http://a/1,2.jpg"])
        #expect(addresses.item(0)?.title == "x,y")
    }

    @Test("UTF-16 with a byte order mark is read in pieces of any size", arguments: [false, true])
    func utf16(isBigEndian: Bool) throws {
        let text = "http://a/1.jpg\r\nhttp://a/\u{FC}\u{20AC}\u{1F3D4}.jpg\r\n"
        for chunk in [1, 2, 3, 7, 1000] {
            let list = try read(inUTF16(text, isBigEndian: isBigEndian), .text, chunk: chunk)
            #expect(urls(list) == ["http://a/1.jpg", "http://a/\u{FC}\u{20AC}\u{1F3D4}.jpg"])
            #expect(list.problemCount == 0)
        }
        let table = try read(inUTF16("url;title\nhttp://a/1.jpg;\u{C4}\n", isBigEndian: isBigEndian), .csv)
        #expect(table.item(0)?.title == "\u{C4}")
        let json = try read(inUTF16("[\"http://a/1.jpg\"]", isBigEndian: isBigEndian), .json, chunk: 5)
        #expect(urls(json) == ["http://a/1.jpg"])
    }

    @Test("a broken UTF-16 character costs only its own entry")
    func brokenUTF16() throws {
        let mark = [0xFF, 0xFE] as [UInt8]
        let lines: [UInt8] = "http://a/1.jpg\nhttp://a/".utf8.flatMap { [$0, 0] }
        let rest: [UInt8] = "\nhttp://a/3.jpg".utf8.flatMap { [$0, 0] }
        for half in [[0x00, 0xD8], [0x00, 0xDC], [0x00, 0xD8, 0x00, 0xD8]] as [[UInt8]] {
            let list = try read(mark + lines + half + rest, .text)
            #expect(urls(list) == ["http://a/1.jpg", "http://a/3.jpg"])
            #expect(list.problems.map(\.description) == ["line 2: is not UTF-8"])
        }
        for end in [[0x41], [0x00, 0xD8]] as [[UInt8]] {
            let list = try read(mark + lines + end, .text, chunk: 3)
            #expect(urls(list) == ["http://a/1.jpg"])
            #expect(list.problems.map(\.line) == [2])
        }
    }

    @Test("text shorter than a byte order mark, or that begins like one, is read", arguments: [1, 2, 1000])
    func marks(chunk: Int) throws {
        #expect(try read("[]", .json, chunk: chunk).itemCount == 0)
        #expect(try read("\u{FEFF}[\"http://a/1.jpg\"]", .json, chunk: chunk).itemCount == 1)
        #expect(try read([0xEF, 0xBB] + Array("\nhttp://a/1.jpg".utf8), .text, chunk: chunk).problemCount == 1)
        #expect(try read([0xEF, 0xBB, 0xBF], .text, chunk: chunk).itemCount == 0)
        #expect(throws: ListProblem.self) { try read([0xEF, 0xBB], .text, chunk: chunk) }
    }

    @Test(
        "an item of a JSON list may be just its URL",
        arguments: [
            #"["http://a/1.jpg","http://a/2.jpg",{"url":"http://a/3.jpg"}]"#,
            #"{"items":["http://a/1.jpg", "http://a\/2.jpg", "http://a/3.jpg"]}"#,
        ])
    func strings(_ text: String) throws {
        for chunk in [1, 1000] { #expect(urls(try read(text, .json, chunk: chunk)) == addresses) }
        let lines = addresses.map { "\"\($0)\"" }.joined(separator: "\n")
        #expect(urls(try read(lines, .ndjson)) == addresses)
    }

    @Test(
        "a list's extension decides its format",
        arguments: [
            ("a.txt", ListFormat.text), ("a.csv", .csv), ("a.TSV", .csv), ("a.json", .json), ("a.ndjson", .ndjson),
            ("a.jsonl", .ndjson),
        ])
    func endings(_ name: String, _ format: ListFormat) throws {
        #expect(ListFormat(path: name) == format)
        let folder = try TemporaryFolder()
        #expect(try CatalogLocation(folder.write(name)) == .list(path: "\(folder.path)/\(name)"))
    }
}
