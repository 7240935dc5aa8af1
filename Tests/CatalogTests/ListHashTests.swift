import Catalog
import Foundation
import Media
import Testing

@Suite struct ListHashTests {
    private let thumbHash =
        [147, 10, 6, 12, 132, 50, 216, 72, 134, 149, 184, 224, 101, 198, 69, 188, 112, 248, 103] as [UInt8]
    private let blurHash = "LEHV6nWB2yk8pyo0adR*.7kCMdnj"
    private var base64: String { Data(thumbHash).base64EncodedString() }

    @Test(
        "a list may give ThumbHashes and BlurHashes, in JSON or CSV", arguments: [ListFormat.ndjson, .csv])
    func hashes(format: ListFormat) throws {
        let text =
            format == .csv
            ? "url,thumbHash,blurHash\nhttp://a/1.jpg,,\nhttp://a/2.jpg,\(base64),\nhttp://a/3.jpg,,\"\(blurHash)\"\nhttp://a/4.jpg,\(base64.replacing("=", with: "")),\nhttp://a/5.jpg,,\n"
            : """
            {"url":"http://a/1.jpg"}
            {"url":"http://a/2.jpg","thumbHash":"\(base64)"}
            {"url":"http://a/3.jpg","blurHash":"\(blurHash)"}
            {"url":"http://a/4.jpg","thumbHash":"\(base64.replacing("=", with: ""))","blurHash":"\(blurHash)"}
            {"url":"http://a/5.jpg"}
            """
        var reader = ListReader(format: format, stopsAtFirstProblem: true)
        try reader.feed(Array(text.utf8))
        let list = try reader.finish(title: "Hashes")
        #expect(list.itemCount == 5)
        let blurred = try #require(BlurHash(blurHash)?.thumbHash(aspectRatio: 1.5)?.bytes)
        #expect((0..<5).map(list.thumbHash) == [nil, thumbHash, blurred, thumbHash, nil])
        #expect(list.thumbHash(5) == nil && list.thumbHash(-1) == nil)
    }

    @Test("wrong hashes are ignored and counted")
    func wrong() throws {
        var reader = ListReader(format: .ndjson)
        try reader.feed(
            Array(
                """
                {"url":"http://a/1.jpg","thumbHash":"no hash"}
                {"url":"http://a/2.jpg","thumbHash":"AAAAAAAA"}
                {"url":"http://a/3.jpg","thumbHash":"\(base64)AAAA"}
                {"url":"http://a/4.jpg","blurHash":"short"}
                {"url":"http://a/5.jpg","blurHash":7}
                {"url":"http://a/6.jpg","blurHash":"\(blurHash)"}
                """.utf8))
        let list = try reader.finish(title: "Hashes")
        #expect(list.itemCount == 6 && list.problems.isEmpty)
        #expect((0..<6).filter { list.thumbHash($0) != nil } == [5])
        #expect(list.wrongHints.count == 5 && list.wrongHints.first?.field == "thumbHash")
    }

    @Test("hashes stay with their items when sections alternate")
    func sections() throws {
        var builder = ListBuilder()
        for number in 0..<6 {
            try builder.append(
                ListEntry(
                    url: "http://a/\(number).jpg", section: number % 2 == 0 ? "x" : "y",
                    thumbHash: number == 3 ? base64 : nil))
        }
        let list = builder.finish(title: "Hashes")
        #expect((0..<6).filter { list.thumbHash($0) != nil }.map { list.item($0)?.title } == ["3"])
    }
}
