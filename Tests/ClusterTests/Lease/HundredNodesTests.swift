import Cluster
import Numbers
import Testing

/// A hundred nodes and one engine in virtual time. Messages and work take time, and some nodes die.
@Suite("Lease protocol with a hundred nodes")
struct HundredNodesTests {
    struct World {
        enum Event {
            case want(Int, String)
            case carry(Int, LeaseAction)
            case answer(Int, (want: UInt64, key: String, token: UInt64, answer: ClaimResult))
            case word(Int, LeaseMessage, String)
            case tick(Int)
            case finish(Int, UInt64)
            case renew(Int)
            case die(Int)
        }

        var engine = ModelEngine()
        var nodes: [ModelNode]
        var isAlive: [Bool]
        /// By millisecond.
        var events: [Int: [Event]] = [:]
        var now = 0
        var random: SeededRandom
        /// Arrival time of a node's latest message. Messages of one node do not overtake each other.
        private var arrival: [Int]
        private var working: [Set<UInt64>]
        /// Number of downloads begun. `lost` counts downloads whose node died.
        var downloads = 0
        var lost = 0
        /// Milliseconds from each want to the result it found from another node.
        var waits: [Int] = []
        private var began: [[String: Int]]

        init(nodes count: Int, seed: UInt64) {
            nodes = (0..<count).map { _ in ModelNode() }
            isAlive = Array(repeating: true, count: count)
            arrival = Array(repeating: 0, count: count)
            working = Array(repeating: [], count: count)
            began = Array(repeating: [:], count: count)
            random = SeededRandom(seed: seed)
            for place in 0..<count { at(1_000 + place * 10, .renew(place)) }
        }

        mutating func at(_ time: Int, _ event: Event) { events[max(time, now), default: []].append(event) }

        mutating func run(until end: Int) {
            while now < end {
                // An event may cause more events at the same time.
                while let batch = events.removeValue(forKey: now) { for event in batch { take(event) } }
                now += 1
            }
        }

        private mutating func take(_ event: Event) {
            let time = Double(now)
            switch event {
            case .want(let place, let key):
                guard isAlive[place] else { return }
                began[place][key] = now
                nodes[place].want(key, now: time)
                settle(place)
            case .carry(let place, let action):
                // A message arrives, though its node may be dead.
                carry(place, action)
            case .answer(let place, let answer):
                guard isAlive[place] else { return }
                let before = nodes[place].found
                nodes[place].hear(answer, now: time)
                if nodes[place].found > before { waits.append(now - (began[place][answer.key] ?? 0)) }
                settle(place)
            case .word(let place, let word, let key):
                guard isAlive[place] else { return }
                nodes[place].perform(nodes[place].table.received(word, of: key), now: time)
                settle(place)
            case .tick(let place):
                guard isAlive[place] else { return }
                nodes[place].tick(now: time)
                settle(place)
            case .finish(let place, let want):
                guard isAlive[place], working[place].remove(want) != nil else { return }
                nodes[place].finish(want, now: time)
                settle(place)
            case .renew(let place):
                guard isAlive[place] else { return }
                nodes[place].perform(nodes[place].table.renewals(), now: time)
                settle(place)
                at(now + 1_000, .renew(place))
            case .die(let place):
                isAlive[place] = false
                lost += working[place].count
            }
        }

        private mutating func carry(_ place: Int, _ action: LeaseAction) {
            let (time, lease) = (Double(now), nodes[place].table.times.lease)
            switch action {
            case .claim(let want, let key, let token):
                let answer = engine.claim(key, place, token, now: time, lease: lease)
                at(now + travel(), .answer(place, (want, key, token, answer)))
            case .finish(_, let key, let token): engine.finish(key, place, token)
            case .release(let key, let token): engine.release(key, place, token)
            case .keep(let key, let token): engine.keep(key, place, token, now: time, lease: lease)
            case .drop(let key): engine.drop(key, place, now: time)
            default: break
            }
            for (place, words) in engine.words.sorted(by: { $0.key < $1.key }) {
                for word in words { at(now + travel(), .word(place, word.word, word.key)) }
            }
            engine.words = [:]
        }

        /// Sends a node's pending actions, begins its work and sets its timers.
        private mutating func settle(_ place: Int) {
            for action in nodes[place].outbox {
                arrival[place] = max(arrival[place], now + travel())
                at(arrival[place], .carry(place, action))
            }
            nodes[place].outbox = []
            for want in nodes[place].leads.keys.sorted() where working[place].insert(want).inserted {
                downloads += 1
                at(now + Int.random(in: 50...400, using: &random), .finish(place, want))
            }
            for time in Set(nodes[place].timers.values) { at(Int(time.rounded(.up)), .tick(place)) }
        }

        private mutating func travel() -> Int { Int.random(in: 1...12, using: &random) }
    }

    @Test("each picture is downloaded once, and all other nodes find it", arguments: 0..<4)
    func calm(seed: UInt64) {
        var world = World(nodes: 100, seed: seed)
        for place in 0..<100 {
            for key in 0..<40 { world.at(Int.random(in: 0...2_000, using: &world.random), .want(place, "k\(key)")) }
        }
        world.run(until: 8_000)
        #expect(world.downloads == 40)
        #expect(world.waits.count == 100 * 40 - 40)
        #expect(world.nodes.allSatisfy { $0.table.isEmpty && $0.alone == 0 && $0.held.isEmpty })
        // A download and some message times: no node waits for a lease to expire.
        #expect(world.waits.allSatisfy { $0 <= 400 + 10 * 12 })
    }

    @Test("if nodes die, only their unfinished downloads are repeated", arguments: 0..<4)
    func deaths(seed: UInt64) {
        var world = World(nodes: 100, seed: seed &+ 100)
        for place in 0..<100 {
            for key in 0..<40 { world.at(Int.random(in: 0...400, using: &world.random), .want(place, "k\(key)")) }
        }
        for place in 0..<10 { world.at(150 + 20 * place, .die(place)) }
        world.run(until: 12_000)
        #expect(world.downloads <= 40 + world.lost)
        for (place, node) in world.nodes.enumerated() where world.isAlive[place] {
            #expect(node.keys.isEmpty && node.alone == 0 && node.held.isEmpty)
            #expect(node.table.isEmpty)
        }
        let patience = Int(LeaseTimes().patience)
        #expect(world.waits.allSatisfy { $0 < patience })
    }
}
