import Catalog
import Glibc
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct GrowingListTests {
    /// Both ends of a pipe.
    private func pipe() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [-1, -1]
        try #require(Glibc.pipe(&ends) == 0)
        return (ends[0], ends[1])
    }

    private func send(_ text: String, to file: Int32) {
        #expect(write(file, text, text.utf8.count) == text.utf8.count)
    }

    @Test("a list from a pipe grows as lines arrive, and bad lines are logged with their numbers")
    func grows() async throws {
        let (input, output) = try pipe()
        let told = Mutex<[String]>([])
        send("{\"url\":\"http://a/1.jpg\"}\nnonsense\n{\"url\":\"http://a/2.jpg\"}\n", to: output)
        let list = try GrowingList(reading: input, as: .ndjson, title: "Lines", name: "-", firstCheck: 0) { text in
            told.withLock { $0.append(text) }
        }
        let some = await list.waitUntil { $0.itemCount == 2 }
        #expect(!some.isComplete && some.title == "Lines")
        send("{\"url\":\"http://a/3.jpg\"}\n", to: output)
        let more = await list.waitUntil { $0.itemCount == 3 }
        #expect(!more.isComplete && more.revision > some.revision)
        send("{\"url\":\"http://a/4.jpg\",\"width\":-1}\n{\"url\":\"http://a/5.jpg\"}", to: output)
        close(output)
        let all = await list.waitUntil { $0.isComplete }
        #expect(all.itemCount == 5 && list.catalog.itemCount == 5)
        #expect((all.items as? PictureList)?.problemCount == 1)
        #expect((all.items as? PictureList)?.wrongHints.count == 1)
        #expect(all.item(4)?.locator == .url("http://a/5.jpg"))
        // An earlier snapshot does not change.
        #expect(some.itemCount == 2)
        let problems = told.withLock { $0.filter { $0.contains("left out") } }
        #expect(problems.count == 2)
        #expect(problems.first?.hasPrefix("-: line 2: is not JSON") == true)
        #expect(problems.last?.hasPrefix("-: 1 optional field is left out: line 5, field width: ") == true)
    }

    @Test("a silent pipe is an empty gallery at first")
    func silent() async throws {
        let (input, output) = try pipe()
        let list = try GrowingList(reading: input, as: .ndjson, title: "Lines", firstCheck: 0)
        #expect(list.catalog.itemCount == 0)
        send("{\"url\":\"http://a/1.jpg\"}\n", to: output)
        await list.waitUntil { $0.itemCount == 1 }
        #expect(list.catalog.itemCount == 1)
        close(output)
        let all = await list.waitUntil { $0.isComplete }
        #expect(all.itemCount == 1)
    }

    @Test("a list that exceeds the limit later keeps the items already shown")
    func tooLong() async throws {
        let (input, output) = try pipe()
        let told = Mutex<[String]>([])
        var limits = ListLimits()
        limits.maxItems = 2
        send("http://a/1.jpg\n", to: output)
        let list = try GrowingList(reading: input, as: .text, title: "Lines", limits: limits, firstCheck: 0) { text in
            told.withLock { $0.append(text) }
        }
        await list.waitUntil { $0.itemCount == 1 }
        send("http://a/2.jpg\nhttp://a/3.jpg\n", to: output)
        close(output)
        for await _ in list.changes {}
        #expect(list.catalog.itemCount >= 1)
        #expect(told.withLock { $0.contains { $0.contains("holds more than 2 items") } })
    }

    @Test("input that is not a list is refused")
    func refused() throws {
        let (input, output) = try pipe()
        send("title,width\nx,1\n", to: output)
        close(output)
        #expect(throws: ListProblem(line: 1, reason: "the header row has no url column")) {
            try GrowingList(reading: input, as: .csv, title: "Table", firstCheck: 60_000)
        }
    }
}
