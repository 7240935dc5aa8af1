import BoundedCache
import Numbers
import Testing

@Suite struct BoundedCacheTests {
    @Test("the cache matches a plain list in any order of operations", arguments: 0..<20)
    func model(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let limit = seed == 0 ? 0 : 1 + random.below(40)
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
