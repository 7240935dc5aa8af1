import Numbers
import Testing
import Viewport

/// `PunctualItems` decides whether an entry is worth the delay it inflicts on others.
@Suite struct PunctualItemsTests {
    @Test(
        "the number of punctual items matches a full recount", arguments: 1...300
    )
    func counted(seed: Int) {
        var random = SeededRandom(seed: UInt64(seed))
        let entries = (0..<random.int(1..<40)).map { _ in
            // In quarters, so that sums are exact whatever their order.
            let from = Double(random.int(-40..<400)) / 4
            let to = random.int(0..<5) == 0 ? .infinity : from + Double(random.int(1..<200)) / 4
            return Schedule.Entry(
                items: Array(0..<random.int(1..<6)), from: from, to: to, cost: Double(random.int(0..<40)) / 4,
                isRunning: false)
        }
        let together = Double(random.int(0..<120)) / 4
        let latency = Double(random.int(0..<120)) / 4
        var punctual = PunctualItems(entries, together: together, latency: latency)
        var start = 0.0
        var saved = 0.0
        for (place, entry) in entries.enumerated() {
            punctual.begin(place, saved: saved)
            var comes = start + entry.cost
            let later = entries[(place + 1)...].filter { other in
                comes += other.cost
                let arrival = max(comes, together) + latency
                return arrival > other.from && arrival < other.to
            }
            #expect(punctual.count == later.reduce(0) { $0 + $1.items.count })
            if random.int(0..<3) == 0 {
                saved += entry.cost
            } else {
                start += entry.cost
            }
        }
    }
}
