import Media
import Store
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct ThumbnailStoreTests {
    let fixture: StoreFixture

    init() throws { fixture = try StoreFixture() }

    private func thumbnail(_ number: Int, bytes: Int = 1000) -> Thumbnail {
        StoreFixture.thumbnail(number, bytes: bytes)
    }

    @Test("a saved thumbnail is available at once and complete after a restart")
    func restart() async throws {
        let first = fixture.store()
        for number in 0..<300 { first.save(thumbnail(number), as: "key \(number)") }
        #expect(first.memory("key 7") == thumbnail(7))
        await first.close()
        let second = fixture.store()
        #expect(second.memory("key 7") == nil)
        for number in 0..<300 { #expect(await second.thumbnail("key \(number)") == thumbnail(number)) }
        #expect(second.memory("key 7") == thumbnail(7))
        #expect(await second.thumbnail("key 300") == nil)
        #expect(second.statistics.diskHits == 300)
        #expect(second.statistics.misses == 1)
        #expect(fixture.told.isEmpty)
        await second.close()
    }

    @Test("saving a thumbnail again replaces the old one in memory and in the file")
    func replaced() async throws {
        let store = fixture.store()
        store.save(thumbnail(1), as: "k")
        store.save(thumbnail(2), as: "k")
        #expect(store.memory("k") == thumbnail(2))
        await store.flush()
        store.save(thumbnail(3), as: "k")
        await store.close()
        let again = fixture.store()
        #expect(await again.thumbnail("k") == thumbnail(3))
        await again.close()
    }

    @Test("memory is bounded in bytes and evicts the least recently used thumbnail")
    func memoryBound() async throws {
        let store = ThumbnailStore(StoreConfiguration(directory: nil, memoryBytes: 20_000))
        for number in 0..<10 { store.save(thumbnail(number), as: "\(number)") }
        #expect(store.memory("0") != nil)
        for number in 10..<22 { store.save(thumbnail(number), as: "\(number)") }
        #expect(store.memory("0") != nil)
        #expect(store.memory("1") == nil)
        #expect(store.memory("21") == thumbnail(21))
        #expect(store.statistics.memoryBytes <= 20_000)
        #expect(store.statistics.memoryCount >= 14)
        await store.close()
    }

    @Test("without a memory cache a pending thumbnail is readable, and then comes from the file")
    func withoutMemory() async throws {
        let store = fixture.store {
            $0.memoryBytes = 0
            $0.batchDelay = 600_000
        }
        store.save(thumbnail(5), as: "k")
        #expect(await store.thumbnail("k") == thumbnail(5))
        #expect(store.statistics.pendingCount == 1)
        await store.flush()
        #expect(store.statistics.pendingCount == 0)
        #expect(store.statistics.pendingBytes == 0)
        #expect(store.memory("k") == nil)
        #expect(await store.thumbnail("k") == thumbnail(5))
        #expect(store.statistics.diskHits == 1)
        await store.close()
    }

    @Test("a slow disk drops the oldest pending thumbnails")
    func slowDisk() async throws {
        let store = fixture.store {
            $0.maxPendingBytes = 50_000
            $0.batchDelay = 600_000
            $0.batchCount = 1_000_000
        }
        for number in 0..<100 { store.save(thumbnail(number), as: "\(number)") }
        let statistics = store.statistics
        #expect(statistics.pendingBytes <= 50_000)
        #expect(statistics.pendingCount + statistics.dropped == 100)
        await store.close()
        let again = fixture.store()
        #expect(await again.thumbnail("0") == nil)
        #expect(await again.thumbnail("99") == thumbnail(99))
        await again.close()
    }

    @Test("the file is bounded in bytes and shrinks to a lower bound")
    func diskBound() async throws {
        let store = fixture.store {
            $0.diskBytes = 4 << 20
            $0.batchCount = 16
        }
        for number in 0..<800 {
            store.save(thumbnail(number, bytes: 12_000), as: "\(number)")
            if number % 16 == 15 { await store.flush() }
        }
        let statistics = store.statistics
        #expect(statistics.diskBytes <= 4 << 20)
        #expect(statistics.diskBytes > 3 << 20)
        #expect(statistics.evicted > 400)
        await store.close()
        let size = try fixture.bytes().count
        #expect(size < 5 << 20)
        let small = fixture.store { $0.diskBytes = 1 << 20 }
        #expect(await small.thumbnail("0") == nil)
        #expect(await small.thumbnail("799") == thumbnail(799, bytes: 12_000))
        await small.close()
        #expect(try fixture.bytes().count < size / 2)
    }

    @Test("parallel lookups each get their own thumbnail, and a cancelled one gets none", arguments: [1, 4])
    func together(readers: Int) async throws {
        let store = fixture.store {
            $0.memoryBytes = 0
            $0.readers = readers
        }
        for number in 0..<300 { store.save(thumbnail(number), as: "\(number)") }
        await store.flush()
        let found = await withTaskGroup { group in
            for number in 0..<400 { group.addTask { (number, await store.thumbnail("\(number)")) } }
            return await group.reduce(into: [Int: Thumbnail]()) { $0[$1.0] = $1.1 }
        }
        #expect(found.count == 300)
        for (number, found) in found { #expect(found == thumbnail(number)) }
        let cancelled = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await store.thumbnail("0")
        }
        #expect(await cancelled.value == nil)
        await store.close()
    }

    @Test("two stores on one folder read each other's thumbnails and lose none")
    func twoStores() async throws {
        let (one, two) = (fixture.store(), fixture.store())
        await withTaskGroup(of: Void.self) { group in
            for (offset, store) in [one, two].enumerated() {
                group.addTask {
                    for number in 0..<500 {
                        store.save(StoreFixture.thumbnail(number * 2 + offset), as: "\(number * 2 + offset)")
                        if number % 50 == 49 { await store.flush() }
                    }
                    await store.flush()
                }
            }
        }
        for number in 0..<1000 {
            #expect(await one.thumbnail("\(number)") == thumbnail(number))
            #expect(await two.thumbnail("\(number)") == thumbnail(number))
        }
        #expect(fixture.told.isEmpty)
        #expect(one.statistics.dropped + two.statistics.dropped == 0)
        await one.close()
        await two.close()
    }

    @Test("a closed store works in memory")
    func closed() async throws {
        let store = fixture.store()
        await store.close()
        store.save(thumbnail(1), as: "k")
        #expect(await store.thumbnail("k") == thumbnail(1))
        #expect(await store.thumbnail("other") == nil)
        await store.flush()
        await store.close()
        #expect(fixture.told.isEmpty)
    }

    @Test("store keys differ only by content, size, format and renderer")
    func keys() {
        func key(_ identity: String, _ width: Int, _ height: Int, _ format: String, _ renderer: Int) -> String {
            StoreKey.make(
                identity: identity, size: ThumbnailSize(width: width, height: height), format: format,
                renderer: renderer)
        }
        let all = [
            key("a", 200, 180, "jpeg", 1), key("b", 200, 180, "jpeg", 1), key("a", 201, 180, "jpeg", 1),
            key("a", 200, 18, "jpeg", 1), key("a", 200, 180, "webp", 1), key("a", 200, 180, "jpeg", 2),
        ]
        #expect(Set(all).count == all.count)
        #expect(all[0] == key("a", 200, 180, "jpeg", 1))
    }

    @Test("a file's identity changes with every edit, and a missing file has none")
    func identity() throws {
        let folder = try TemporaryFolder()
        let locator = Locator.file(path: "\(folder.path)/1.jpg", root: FolderRoot(path: folder.path))
        #expect(StoreKey.identity(of: locator) == nil)
        try folder.write("1.jpg", [1])
        let first = try #require(StoreKey.identity(of: locator))
        #expect(StoreKey.identity(of: locator) == first)
        try folder.overwriteKeepingTime("1.jpg", [2])
        #expect(StoreKey.identity(of: locator) != first)
        try folder.write("1.jpg", [1, 2])
        #expect(StoreKey.identity(of: locator) != first)
        #expect(StoreKey.identity(of: .url("http://a/1")) == "http://a/1")
    }
}
