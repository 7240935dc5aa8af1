import Catalog
import Media
import TestSupport
import Testing

@Suite struct ListReaderTests {
    /// Reads a list in pieces of so many bytes.
    private func read(
        _ text: String, _ format: ListFormat, chunk: Int = .max, strict: Bool = false,
        limits: ListLimits = ListLimits()
    ) throws -> PictureList {
        var reader = ListReader(format: format, limits: limits, stopsAtFirstProblem: strict)
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            try reader.feed(Array(rest.prefix(chunk)))
            rest = rest.dropFirst(chunk)
        }
        return try reader.finish(title: "List")
    }

    private func urls(_ catalog: PictureList) -> [String] {
        (0..<catalog.itemCount).map { index in
            if case .url(let url)? = catalog.item(index)?.locator { url } else { "?" }
        }
    }

    @Test("a text list holds one URL a line, and comments and blank lines are skipped")
    func text() throws {
        let list = "\u{FEFF}# mine\nhttp://a/1.jpg\r\n\n  https://b/my%20cat_2.png  \n#http://c/\nhttp://d/3.gif?x#y"
        for chunk in [1, 2, 7, 1000] {
            let catalog = try read(list, .text, chunk: chunk)
            #expect(urls(catalog) == ["http://a/1.jpg", "https://b/my%20cat_2.png", "http://d/3.gif?x#y"])
            #expect(catalog.problemCount == 0)
            #expect(catalog.item(1)?.title == "my cat 2")
        }
    }

    @Test("a CSV list follows RFC 4180")
    func csv() throws {
        let list = """
            Section,url,other,title,width,height\r
            "A, B",http://a/1.jpg,x,"says ""hi"\"",600,400\r
            ,http://a/2.jpg,,"two\r
            lines",,\r
            "A, B",http://a/3.jpg

            """
        for chunk in [1, 3, 1000] {
            let catalog = try read(list, .csv, chunk: chunk)
            #expect(catalog.problems.isEmpty)
            #expect(catalog.sections.map(\.title) == ["A, B", ""])
            #expect(urls(catalog) == ["http://a/1.jpg", "http://a/3.jpg", "http://a/2.jpg"])
            #expect(catalog.item(0)?.title == "says \"hi\"")
            #expect(catalog.item(0)?.width == 600)
            #expect(catalog.item(0)?.height == 400)
            #expect(catalog.item(2)?.title == "two\r\nlines")
            #expect(catalog.item(2)?.width == nil)
        }
    }

    @Test("a bad CSV record is reported by line and field, and the next record is read")
    func badCSV() throws {
        let list = """
            url,width
            http://a/1.jpg,wide
            http://a/2.jpg,0
            "http://a/3.jpg"x,1
            http://a/"4".jpg,1
            ftp://a/5.jpg,1
            http://a/6.jpg,6
            """
        let catalog = try read(list, .csv)
        #expect(urls(catalog) == ["http://a/1.jpg", "http://a/2.jpg", "http://a/6.jpg"])
        #expect(catalog.problems.map(\.line) == [4, 5, 6])
        #expect(catalog.problems.map(\.field) == [nil, nil, "url"])
        #expect((0..<3).map { catalog.item($0)?.width } == [nil, nil, 6])
        #expect(catalog.wrongHints.count == 2)
        #expect(
            catalog.wrongHints.first == ListProblem(line: 2, entry: 0, field: "width", reason: "is not a whole number"))
        #expect(catalog.problems.last?.description == "line 6, field url: is not an http or https URL")
    }

    @Test("a CSV list without a url column or a header row is refused")
    func headlessCSV() {
        #expect(throws: ListProblem(line: 1, reason: "the header row has no url column")) {
            try read("http://a/1.jpg\n", .csv)
        }
        #expect(throws: ListProblem(line: 1, reason: "the header row is missing")) { try read("", .csv) }
    }

    @Test("a list that ends inside a quote reports the line")
    func cutInQuote() throws {
        let csv = try read("url,title\nhttp://a/1.jpg,one\nhttp://a/2.jpg,\"two", .csv)
        #expect(csv.itemCount == 1)
        #expect(csv.problems.map(\.description) == ["line 3: ends in the middle of a quote"])
        let swallowed = try read("url,title\nhttp://a/1.jpg,one\nhttp://a/2.jpg,\"two\nhttp://a/3.jpg,\n", .csv)
        #expect(
            swallowed.problems.map(\.description) == [
                "line 3: ends in the middle of a quote: the quote begins on line 3, and all text after it is lost"
            ])
        #expect(throws: ListProblem(line: 1, reason: "the header row ends in the middle of a quote")) {
            try read("url,\"title", .csv)
        }
        for end in ["", "\\", "\\u00"] {
            let text = "{\"url\":\"http://a/1.jpg\"}\n{\"url\":\"http://a/2.jpg\",\"title\":\"tw\(end)"
            let lines = try read(text, .ndjson)
            #expect(lines.itemCount == 1)
            #expect(lines.problems.map(\.line) == [2])
        }
        let cut = try read("{\"url\":\"http://a/1.jpg\"}\n{\"url\":\"http://a/2", .ndjson, chunk: 7)
        #expect(cut.problems.map(\.description) == ["line 2: ends in the middle of a quote"])
        #expect(throws: ListProblem(line: 2, reason: "the list ends in the middle of a quote")) {
            try read("[{\"url\":\"http://a/1.jpg\"},\n{\"url\":\"http", .json)
        }
    }

    @Test("an unclosed quote costs one record, not the rest of the list")
    func openQuote() throws {
        var limits = ListLimits()
        limits.maxLineBytes = 64
        let rows = (0..<20).map { "http://a/\($0).jpg," }.joined(separator: "\n")
        let catalog = try read("url,title\nhttp://b/1.jpg,\"open\n\(rows)\n", .csv, limits: limits)
        #expect(catalog.itemCount >= 10)
        #expect(catalog.problemCount == 1)
        #expect(catalog.problems.first?.line == 2)
    }

    @Test(
        "a JSON list is an array, or an object with items and an optional title",
        arguments: [
            #"[{"url":"http://a/1.jpg"},{"url":"http://a/2.jpg","title":"T] \"}","width":6,"height":4,"x":[{"y":[]}]}]"#,
            #"{"title":"List","extra":{"a":[1,"]"]},"items":[{"url":"http://a/1.jpg"} , {"url":"http://a/2.jpg","title":"T] \"}","width":6,"height":4}],"n":1}"#,
        ])
    func json(_ text: String) throws {
        for chunk in [1, 5, 1000] {
            let catalog = try read(text, .json, chunk: chunk)
            #expect(urls(catalog) == ["http://a/1.jpg", "http://a/2.jpg"])
            #expect(catalog.item(1)?.title == "T] \"}")
            #expect(catalog.item(1)?.height == 4)
            #expect(catalog.title == "List")
            #expect(catalog.problems.isEmpty)
        }
    }

    @Test("a title inside a JSON list overrides the default title")
    func jsonTitle() throws {
        #expect(try read(#"{"items":[],"title":"Mine"}"#, .json).title == "Mine")
        #expect(try read("[]", .json).itemCount == 0)
    }

    @Test(
        "text that is not a JSON list is refused",
        arguments: [
            "", "[", "7", "{}", #"{"items":7}"#, #"{"items":[]"#, "[] x", "[,]", #"[{"url":"http://a/1"},]"#,
            #"[{"url":"http://a/1"} {"url":"http://a/2"}]"#, #"{"a":1,}"#, #"{"a" 1}"#, #"{"items":[],"items":[]}"#,
            #"{"items":[]]"#, #"{:1}"#, #"{"a":}"#,
        ])
    func notAList(_ text: String) {
        for chunk in [1, 1000] { #expect(throws: ListProblem.self) { try read(text, .json, chunk: chunk) } }
    }

    @Test("a bad NDJSON line is reported by line and field, and reading continues")
    func badLines() throws {
        let lines = """
            {"url":"http://a/1.jpg"}

            {"url":"http://a/2.jpg"
            {"title":"no address"}
            {"url":7}
            {"url":"http://a/3.jpg","width":1.5}
            {"url":"http://a/3.jpg","height":1e300}
            ["http://a/3.jpg"]
            {"url":"http://a/4.jpg","width":null,"title":"Four","section":"S"}
            """
        let catalog = try read(lines, .ndjson)
        #expect(urls(catalog) == ["http://a/1.jpg", "http://a/3.jpg", "http://a/3.jpg", "http://a/4.jpg"])
        #expect(catalog.problems.map(\.line) == [3, 4, 5, 8])
        #expect(catalog.problems.map(\.entry) == [1, 2, 3, 6])
        #expect(catalog.problems.map(\.field) == [nil, "url", "url", nil])
        #expect(catalog.wrongHints.count == 2)
        #expect(
            catalog.wrongHints.first == ListProblem(line: 6, entry: 4, field: "width", reason: "is not a whole number"))
    }

    @Test("a strict reader throws the first problem")
    func strict() {
        let lines = "{\"url\":\"http://a/1.jpg\"}\n{\"url\":\"mailto:x\"}\n"
        #expect(throws: ListProblem(line: 2, entry: 1, field: "url", reason: "is not an http or https URL")) {
            try read(lines, .ndjson, strict: true)
        }
        let wide = "{\"url\":\"http://a/1.jpg\",\"width\":600.5}\n"
        #expect(throws: ListProblem(line: 1, entry: 0, field: "width", reason: "is not a whole number")) {
            try read(wide, .ndjson, strict: true)
        }
    }

    @Test("a list with only bad entries is refused with the first problem")
    func allBad() {
        #expect(throws: ListProblem(line: 1, entry: 0, field: "url", reason: "is not an http or https URL")) {
            try read("nonsense\nhttp://\n", .text)
        }
    }

    @Test("a line over the limit is reported and skipped, in pieces of any size")
    func longLine() throws {
        var limits = ListLimits()
        limits.maxLineBytes = 40
        limits.maxProblems = 1
        let long = "http://a/" + String(repeating: "x", count: 90)
        let text = "\(long)\nhttp://a/1.jpg\n\(long)\nhttp://a/2.jpg\n"
        for chunk in [1, 33, 1000] {
            let catalog = try read(text, .text, chunk: chunk, limits: limits)
            #expect(urls(catalog) == ["http://a/1.jpg", "http://a/2.jpg"])
            #expect(catalog.problemCount == 2)
            #expect(catalog.problems.map(\.line) == [1])
        }
    }

    @Test(
        "invalid web addresses are refused",
        arguments: [
            "", "a.jpg", "/a.jpg", "file:///etc/passwd", "ftp://a/1", "http://", "http:///a", "http://:80/",
            "https://a b/",
            "http://a\u{7}/", "http://u:p@a/", "http://u@a/", "http://a:b/", "http://a:0/", "http://a:99999/",
            "http://[/",
            "http://[]/", "http://a\\@b/", "javascript:alert(1)", "http:/a", "ttp://a/",
        ])
    func badAddresses(_ url: String) {
        var builder = ListBuilder()
        #expect(throws: ListProblem.self) { try builder.append(ListEntry(url: url)) }
        #expect(builder.count == 0)
    }

    @Test(
        "valid web addresses of any kind are accepted",
        arguments: [
            "http://a", "HTTPS://A/x", "http://a:8080/?q=1", "http://[::1]:80/x", "http://1.2.3.4/", "http://a?x@y",
            "http://a/\u{fc}.jpg", "http://a:/x",
        ])
    func goodAddresses(_ url: String) throws {
        var builder = ListBuilder()
        try builder.append(ListEntry(url: url))
        #expect(builder.finish(title: "").item(0)?.locator == .url(url))
    }

    @Test("items are grouped by section in order of first appearance")
    func grouping() throws {
        var builder = ListBuilder()
        for index in 0..<1000 { try builder.append(ListEntry(url: "http://a/\(index)", section: "s\(index * 7 % 3)")) }
        let catalog = builder.finish(title: "")
        #expect(catalog.sections.map(\.title) == ["s0", "s1", "s2"])
        #expect(catalog.sections.map(\.count) == [334, 333, 333])
        let numbers = urls(catalog).compactMap { Int($0.dropFirst(9)) }
        #expect(numbers.count == 1000)
        for section in catalog.sections {
            let own = numbers[section.range]
            #expect(own.elementsEqual(own.sorted()))
            #expect(Set(own.map { $0 % 3 }).count == 1)
        }
    }

    @Test("a list over its item limit is refused")
    func overLimits() {
        var limits = ListLimits()
        limits.maxItems = 3
        let text = (0..<9).map { "http://a/\($0)\n" }.joined()
        #expect(throws: ListProblem(line: 4, entry: 3, reason: "the list holds more than 3 items")) {
            try read(text, .text, limits: limits)
        }
    }

    @Test("a list file's format comes from its extension and its title from its name")
    func file() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("my_list.ndjson", Array("{\"url\":\"http://a/1\"}\nx\n".utf8))
        let catalog = try #require(try GrowingList(contentsOf: path).catalog.items as? PictureList)
        #expect(catalog.title == "my list")
        #expect(catalog.itemCount == 1)
        #expect(catalog.problemCount == 1)
        #expect(throws: ListProblem.self) { try GrowingList(contentsOf: folder.path + "/none.txt") }
        #expect(throws: ListProblem.self) { try GrowingList(contentsOf: try folder.write("a.doc")) }
    }
}
