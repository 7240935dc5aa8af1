import Catalog
import Glibc
import Media
import Synchronization
import TestSupport
import Testing

/// List files that change while they are shown.
@Suite(.timeLimit(.minutes(1))) struct ListChangeTests {
    let folder: TemporaryFolder
    private let log = Log()

    private final class Log: Sendable {
        private let lines = Mutex<[String]>([])
        func add(_ line: String) { lines.withLock { $0.append(line) } }
        var all: [String] { lines.withLock { $0 } }
    }

    init() throws { folder = try TemporaryFolder() }

    private func write(_ name: String, _ text: String) throws { try folder.write(name, Array(text.utf8)) }

    /// Replaces the file by renaming, as editors do.
    private func replace(_ name: String, _ text: String) throws {
        try write("new", text)
        #expect(rename("\(folder.path)/new", "\(folder.path)/\(name)") == 0)
    }

    private func open(_ name: String, roundTime: Int = 600_000) throws -> GrowingList {
        var options = FolderOptions()
        options.settleTime = 20
        options.checkInterval = 20
        options.roundTime = roundTime
        return try GrowingList(contentsOf: "\(folder.path)/\(name)", watching: options) { [log] in log.add($0) }
    }

    /// Waits until the list has exactly these addresses. If it never does, the suite's time limit fails the test.
    @discardableResult
    private func expect(_ list: GrowingList, _ expected: [String]) async -> Catalog {
        await list.waitUntil { Self.addresses($0) == expected && $0.isComplete }
    }

    private static func addresses(_ catalog: Catalog) -> [String] {
        (0..<catalog.itemCount).map { index in
            if case .url(let url) = catalog.item(index)?.locator { url } else { "" }
        }
    }

    @Test("a list rewritten in place is read again with a higher revision")
    func inPlace() async throws {
        try write("list.csv", "url,section\nhttp://a/1,x\n")
        let list = try open("list.csv")
        let before = await expect(list, ["http://a/1"])
        try write("list.csv", "url,section\nhttp://a/1,x\nhttp://a/2,y\nhttp://a/3,x\n")
        let after = await expect(list, ["http://a/1", "http://a/3", "http://a/2"])
        #expect(after.sections == [Section(title: "x", from: 0, count: 2), Section(title: "y", from: 2, count: 1)])
        #expect(after.revision > before.revision && after.title == "list")
        // The old snapshot does not change.
        #expect(before.itemCount == 1 && before.item(0)?.locator == .url("http://a/1"))
    }

    @Test(
        "a list replaced by another file is read again",
        arguments: [
            ("list.txt", "", "\n", ""), ("list.ndjson", #"{"url":""#, "\"}\n", ""),
            ("list.json", #"[{"url":""#, #""}]"#, #""},{"url":""#),
        ])
    func replaced(name: String, before: String, after: String, between: String) async throws {
        func text(_ urls: [String]) -> String {
            between.isEmpty
                ? urls.map { before + $0 + after }.joined() : before + urls.joined(separator: between) + after
        }
        try write(name, text(["http://a/1"]))
        let list = try open(name)
        await expect(list, ["http://a/1"])
        for number in 2...4 {
            let urls = ["http://a/\(number)", "http://a/1"]
            try replace(name, text(urls))
            await expect(list, urls)
        }
        #expect(log.all.isEmpty)
    }

    @Test("a list is not read while it is being written")
    func halfWritten() async throws {
        try write("list.txt", "http://a/1\n")
        try write("other.txt", "http://b/1\n")
        let (list, other) = (try open("list.txt"), try open("other.txt"))
        let before = await expect(list, ["http://a/1"])
        let file = try #require(fopen("\(folder.path)/list.txt", "w"))
        fputs("http://a/2\nhttp://a/", file)
        fflush(file)
        // A notice about another file of the folder.
        try write("other.txt", "http://b/2\n")
        await expect(other, ["http://b/2"])
        fputs("3\n", file)
        fclose(file)
        let after = await expect(list, ["http://a/2", "http://a/3"])
        #expect(after.revision == before.revision + 1)
    }

    @Test("a file that was opened but not changed is not read again")
    func unchanged() async throws {
        try write("list.txt", "http://a/1\n")
        try write("other.txt", "http://b/1\n")
        let (list, other) = (try open("list.txt"), try open("other.txt"))
        let before = await expect(list, ["http://a/1"])
        for number in 2...4 {
            fclose(fopen("\(folder.path)/list.txt", "a"))
            // By then the notice has most likely been handled.
            try write("other.txt", "http://b/\(number)\n")
            await expect(other, ["http://b/\(number)"])
        }
        // Replaced, not rewritten: a reader never sees a part of the new list.
        try replace("list.txt", "http://a/2\n")
        let after = await expect(list, ["http://a/2"])
        #expect(after.revision == before.revision + 1)
    }

    @Test("an invalid list keeps the last valid one and logs the fault and the fix")
    func invalid() async throws {
        try write("list.csv", "url\nhttp://a/1\n")
        let list = try open("list.csv")
        let before = await expect(list, ["http://a/1"])
        try replace("list.csv", "title\nhttp://a/2\n")
        let said = try await eventually("the warning", of: { log.all }) { !$0.isEmpty }
        #expect(
            said == [
                "The list \(folder.path)/list.csv cannot be read: line 1: the header row has no url column. The gallery keeps "
                    + "the last list. Correct or replace the file; it is read again when it changes."
            ])
        #expect(list.catalog.revision == before.revision)
        try write("list.csv", "url\nhttp://a/2\n")
        await expect(list, ["http://a/2"])
        try await eventually("the recovery message", of: { log.all.last }) {
            $0?.contains("can be read again") == true
        }
    }

    @Test("a list that is removed or becomes a folder keeps its last items and returns", arguments: [false, true])
    func removed(becomesFolder: Bool) async throws {
        try write("list.txt", "http://a/1\n")
        let list = try open("list.txt")
        let reason = becomesFolder ? "is not a file" : "No such file or directory"
        for round in 2...3 {
            try folder.remove("list.txt")
            if becomesFolder { try folder.write("list.txt/picture.jpg") }
            try await eventually("the warning", of: { log.all.last }) {
                $0?.contains("cannot be read: \(reason). The gallery keeps") == true
            }
            #expect(list.catalog.itemCount == 1)
            if becomesFolder { try folder.remove("list.txt") }
            try write("list.txt", "http://a/\(round)\n")
            await expect(list, ["http://a/\(round)"])
            try await eventually("the recovery message", of: { log.all.last }) {
                $0?.contains("can be read again") == true
            }
            // While the folder takes the name, the missing file may be logged, too.
            if !becomesFolder { #expect(log.all.count == 2 * round - 2) }
        }
    }

    @Test("a list in a recreated folder is read again, and so is its next change")
    func folderReplaced() async throws {
        try write("lists/list.txt", "http://a/1\n")
        let list = try open("lists/list.txt", roundTime: 10)
        try folder.remove("lists")
        try await eventually("the warning", of: { log.all }) { $0.count == 1 }
        for number in 2...3 {
            try write("lists/list.txt", "http://a/\(number)\n")
            await expect(list, ["http://a/\(number)"])
        }
    }

    @Test("a change behind a link is found without notice")
    func linked() async throws {
        try write("far/list.txt", "http://a/1\n")
        try folder.link("list.txt", to: "far/list.txt")
        let list = try open("list.txt", roundTime: 10)
        await expect(list, ["http://a/1"])
        try write("far/list.txt", "http://a/2\n")
        await expect(list, ["http://a/2"])
    }

    @Test("a list is read again on demand, even if its file seems unchanged")
    func ordered() async throws {
        try write("far/list.txt", "http://a/1\n")
        try folder.link("list.txt", to: "far/list.txt")
        let list = try open("list.txt")
        let before = await expect(list, ["http://a/1"])
        list.readAgain()
        await list.waitUntil { $0.revision > before.revision }
        try write("far/list.txt", "http://a/2\n")
        list.readAgain()
        await expect(list, ["http://a/2"])
        // The warning of a file that is still bad comes once more.
        try write("far/list.txt", "nonsense\n")
        for count in 1...2 {
            list.readAgain()
            try await eventually("the warning", of: { log.all }) { $0.count == count }
        }
        #expect(list.catalog.itemCount == 1)
    }

    @Test("a list finds the index of a URL in any order of sections")
    func places() async throws {
        try write("list.csv", "url,section\nhttp://a/1,x\nhttp://a/2,y\nhttp://a/3,x\n")
        let catalog = await expect(try open("list.csv"), ["http://a/1", "http://a/3", "http://a/2"])
        let locators = [1, 2, 3, 4, 2].map { Locator.url("http://a/\($0)") }
        #expect(catalog.indices(of: locators) == [0, 2, 1, nil, 2])
        #expect(locators.map(catalog.index) == [0, 2, 1, nil, 2])
    }
}
