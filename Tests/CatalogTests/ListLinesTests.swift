import Catalog
import Numbers
import Testing

@Suite("Lists written line by line")
struct ListLinesTests {
    private func read(_ lines: [UInt8]) throws -> PictureList {
        var reader = ListReader(format: .ndjson, stopsAtFirstProblem: true)
        try reader.feed(lines)
        return try reader.finish(title: "t")
    }

    private func list(_ seed: UInt64, count: Int) throws -> PictureList {
        var random = SeededRandom(seed: seed)
        var builder = ListBuilder()
        for number in 0..<count {
            var entry = ListEntry(
                url: "https://example.com/a%20\(number).jpg?q=\"\(number)\"".replacing("\"", with: "%22"))
            if Bool.random(using: &random) {
                entry.title = ["Ä \"quoted\"", "tab\there", "🏔"].randomElement(using: &random)
            }
            if Bool.random(using: &random) {
                entry.width = Int.random(in: 1...65_535, using: &random)
                entry.height = Int.random(in: 1...65_535, using: &random)
            }
            if Bool.random(using: &random) { entry.section = ["x", "y", ""].randomElement(using: &random) }
            if Bool.random(using: &random) { entry.color = "#00c8ff" }
            if Bool.random(using: &random) { entry.thumbHash = "kwoGDIQy2EiGlbjgZcZFvHD4Zw==" }
            if Bool.random(using: &random) { entry.blurHash = "LEHV6nWB2yk8pyo0adR*.7kCMdnj" }
            try builder.append(entry)
        }
        return builder.finish(title: "t")
    }

    @Test("a list written in any parts reads back the same", arguments: 0..<20 as Range<UInt64>)
    func roundTrip(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let list = try list(seed, count: 200)
        var (lines, item) = ([UInt8](), 0)
        while item < list.itemCount {
            let maximum = Int.random(in: 1...70, using: &random)
            let part = list.lines(from: item, maxItems: maximum, fullBytes: Int.random(in: 1...4_000, using: &random))
            #expect(part.next > item && part.next - item <= maximum)
            lines += part.bytes
            item = part.next
        }
        let again = try read(lines)
        #expect(again.itemCount == list.itemCount)
        #expect(again.sections == list.sections)
        for item in 0..<list.itemCount {
            #expect(again.item(item) == list.item(item))
            #expect(again.thumbHash(item) == list.thumbHash(item))
        }
    }

    @Test("an empty list has no lines")
    func empty() throws {
        let list = ListBuilder().finish(title: "t")
        let part = list.lines(from: 0, maxItems: 10, fullBytes: 10)
        #expect(part.bytes.isEmpty && part.next == 0)
    }
}
