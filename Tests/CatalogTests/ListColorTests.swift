import Catalog
import Testing

@Suite struct ListColorTests {
    @Test("a list may give colours, and a wrong colour is ignored")
    func colors() throws {
        var reader = ListReader(format: .ndjson)
        try reader.feed(
            Array(
                """
                {"url":"http://a/1.jpg"}
                {"url":"http://a/2.jpg","color":"#0A0b0C"}
                {"url":"http://a/3.jpg","color":"red"}
                {"url":"http://a/4.jpg"}
                """.utf8))
        let list = try reader.finish(title: "Colours")
        #expect(list.itemCount == 4 && list.problems.isEmpty)
        #expect((0..<4).map { list.item($0)?.color } == [nil, 0x0A0B0C, nil, nil])
        #expect(list.wrongHints.first?.description == "line 3, field color: is not a colour such as #c86432")
        #expect(PictureColor.text(0x0A0B0C) == "#0a0b0c")
        var table = ListReader(format: .csv)
        try table.feed(Array("url,color\nhttp://a/1.jpg,#ffffff\nhttp://a/2.jpg,\n".utf8))
        let rows = try table.finish(title: "Colours")
        #expect((0..<2).map { rows.item($0)?.color } == [0xFFFFFF, nil])
    }
}
