import BoundedCache
import Numbers
import Testing

@Suite struct BoundedCacheTests {
    @Test("the least recently used entry is evicted first")
    func order() {
        var cache = BoundedCache<String, Int>(limit: 3)
        for (number, key) in ["a", "b", "c"].enumerated() { cache.insert(number, for: key) }
        let used = cache.use("a")
        #expect(used == 0)
        cache.insert(3, for: "d")
        #expect(cache["b"] == nil)
        #expect(cache["a"] == 0)
        // Reading with a subscript does not renew an entry.
        _ = cache["c"]
        cache.insert(4, for: "e")
        #expect(cache["c"] == nil)
        #expect(cache.count == 3)
    }

    @Test("an entry over the limit is not stored and evicts only its old value")
    func tooLarge() {
        var cache = BoundedCache<String, Int>(limit: 10)
        cache.insert(1, for: "a", cost: 4)
        cache.insert(2, for: "b", cost: 4)
        cache.insert(3, for: "a", cost: 11)
        #expect(cache["a"] == nil)
        #expect(cache["b"] == 2)
        #expect(cache.cost == 4)
        var none = BoundedCache<String, Int>(limit: 0)
        none.insert(1, for: "a")
        #expect(none.count == 0)
    }

    @Test("the cache matches a plain list in any order of operations", arguments: 0..<20)
    func model(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let limit = 1 + random.below(40)
        var cache = BoundedCache<Int, Int>(limit: limit)
        /// Least recently used first.
        var model: [(key: Int, value: Int, cost: Int)] = []
        for value in 0..<3_000 {
            let key = random.below(12)
            let place = model.firstIndex { $0.key == key }
            switch random.below(5) {
            case 0, 1:
                let cost = random.below(12)
                cache.insert(value, for: key, cost: cost)
                if let place { model.remove(at: place) }
                guard cost <= limit else { break }
                model.append((key, value, cost))
                while model.reduce(0, { $0 + $1.cost }) > limit { model.removeFirst() }
            case 2:
                let found = cache.use(key)
                #expect(found == place.map { model[$0].value })
                if let place { model.append(model.remove(at: place)) }
            case 3:
                cache.replace(value, for: key)
                if let place { model[place].value = value }
            default:
                let removed = cache.remove(key)
                #expect(removed == place.map { model.remove(at: $0).value })
            }
            #expect(cache.cost == model.reduce(0) { $0 + $1.cost })
            #expect(cache.count == model.count)
            for entry in model { #expect(cache[entry.key] == entry.value) }
        }
    }
}
