import Numbers
import TaskPool
import Testing

@Suite("Hosts that the pool remembers")
struct HostTableTests {
    /// The table's rules, in as few words as possible.
    private struct Model {
        let capacity: Int
        var tasks: [Int: Int] = [:]
        /// Known hosts, and whether they rest.
        var isPaused: [Int: Bool] = [:]
        /// Known hosts without tasks, the one used least recently first.
        var idle: [Int] = []

        mutating func begin(_ host: Int) {
            tasks[host, default: 0] += 1
            idle.removeAll { $0 == host }
        }

        mutating func end(_ host: Int) -> Int? {
            guard let count = tasks[host] else { return nil }
            tasks[host] = count > 1 ? count - 1 : nil
            guard count == 1, let isPaused = isPaused[host] else { return nil }
            idle.append(host)
            return shorten(isPaused)
        }

        mutating func set(_ paused: Bool, of host: Int) -> Int? {
            let before = isPaused[host]
            guard tasks[host] != nil || before != nil else { return nil }
            isPaused[host] = paused
            guard tasks[host] == nil, before != paused else { return nil }
            idle.removeAll { $0 == host }
            idle.append(host)
            return shorten(paused)
        }

        mutating func forget(_ host: Int) {
            isPaused[host] = nil
            idle.removeAll { $0 == host }
        }

        private mutating func shorten(_ paused: Bool) -> Int? {
            let alike = idle.filter { isPaused[$0] == paused }
            guard alike.count > capacity, let oldest = alike.first else { return nil }
            forget(oldest)
            return oldest
        }
    }

    private func governor(isPaused: Bool) -> HostGovernor {
        var governor = HostGovernor()
        let report = FetchReport(isPaused ? .throttled : .whole, waited: 1, retryAfter: isPaused ? 1_000 : nil)
        _ = governor.take(report, failed: 1, inFlight: 1, now: 0, random: 0)
        return governor
    }

    @Test("the table forgets the same hosts as its model, and never one with tasks", arguments: 1...40)
    func model(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let capacity = random.below(4) + 1
        var table = HostTable(capacity: capacity)
        var model = Model(capacity: capacity)
        let hosts = 0..<16
        for _ in 0..<1_000 {
            let host = random.below(hosts.count)
            let before = model
            switch random.below(8) {
            case 0...2:
                table.begin(host)
                model.begin(host)
            case 3...4: #expect(table.end(host) == model.end(host))
            case 5...6:
                let isPaused = random.below(3) == 0
                #expect(table.set(governor(isPaused: isPaused), of: host) == model.set(isPaused, of: host))
            default:
                if random.below(10) == 0 {
                    table.forget(host)
                    model.forget(host)
                }
            }
            #expect(Set(table.known) == Set(model.isPaused.keys))
            #expect(hosts.allSatisfy { table[$0]?.isPaused == model.isPaused[$0] })
            #expect(table.count == Set(model.isPaused.keys).union(model.tasks.keys).count)
            let kept = hosts.filter { $0 != host && model.tasks[$0] != nil && before.isPaused[$0] != nil }
            #expect(kept.allSatisfy { table[$0] != nil })
        }
    }

    @Test("paused hosts are remembered longer than idle ones, until their pause ends")
    func paused() {
        var table = HostTable(capacity: 2)
        func visit(_ host: Int, isPaused: Bool = false) {
            table.begin(host)
            _ = table.set(governor(isPaused: isPaused), of: host)
            _ = table.end(host)
        }
        visit(100, isPaused: true)
        for host in 0..<10 { visit(host) }
        #expect(Set(table.known) == [8, 9, 100])
        var back = governor(isPaused: true)
        _ = back.limit(now: 1_000)
        #expect(table.set(back, of: 100) == 8)
        visit(10)
        visit(11)
        #expect(Set(table.known) == [10, 11])
    }

    @Test("reports about a host without tasks are not remembered")
    func unknown() {
        var table = HostTable(capacity: 2)
        #expect(table.set(governor(isPaused: false), of: 1) == nil && table.count == 0)
        table.begin(1)
        #expect(table.count == 1)
        #expect(table.end(1) == nil && table.end(1) == nil && table.count == 0)
    }
}
