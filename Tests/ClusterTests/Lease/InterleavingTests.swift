import Cluster
import Numbers
import Testing

/// Several nodes and a model of the engine in virtual time, in random order.
@Suite("Lease protocol in random interleavings")
struct InterleavingTests {
    struct World {
        var engine = ModelEngine()
        var nodes: [ModelNode]
        var now = 0.0
        var random: SeededRandom
        private var renewed = 0.0

        init(nodes: Int, seed: UInt64) {
            self.nodes = (0..<nodes).map { _ in ModelNode() }
            random = SeededRandom(seed: seed)
        }

        mutating func chance(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

        /// Carries out the oldest command of a node.
        mutating func carryOut(_ place: Int) {
            guard !nodes[place].outbox.isEmpty else { return }
            let lease = nodes[place].table.times.lease
            switch nodes[place].outbox.removeFirst() {
            case .claim(let want, let key, let token):
                nodes[place].answers.append(
                    (want, key, token, engine.claim(key, place, token, now: now, lease: lease)))
            case .finish(_, let key, let token): engine.finish(key, place, token)
            case .release(let key, let token): engine.release(key, place, token)
            case .keep(let key, let token): engine.keep(key, place, token, now: now, lease: lease)
            case .drop(let key): engine.drop(key, place, now: now)
            default: break
            }
        }

        mutating func answer(_ place: Int) {
            if !nodes[place].answers.isEmpty { nodes[place].hear(nodes[place].answers.removeFirst(), now: now) }
        }

        mutating func deliver(_ place: Int) {
            guard engine.words[place]?.isEmpty == false, let word = engine.words[place]?.removeFirst() else { return }
            nodes[place].perform(nodes[place].table.received(word.word, of: word.key), now: now)
        }

        /// Delivers everything in flight.
        mutating func drain() {
            var isBusy = true
            while isBusy {
                isBusy = false
                for place in nodes.indices {
                    nodes[place].tick(now: now)
                    isBusy =
                        isBusy || !nodes[place].outbox.isEmpty || !nodes[place].answers.isEmpty
                        || engine.words[place]?.isEmpty == false
                    while !nodes[place].outbox.isEmpty { carryOut(place) }
                    while !nodes[place].answers.isEmpty { answer(place) }
                    while engine.words[place]?.isEmpty == false { deliver(place) }
                }
            }
        }

        mutating func pass(_ time: Double) {
            now += time
            if now - renewed >= 1_000 {
                renewed = now
                for place in nodes.indices { nodes[place].perform(nodes[place].table.renewals(), now: now) }
            }
            for place in nodes.indices { nodes[place].tick(now: now) }
        }

        /// Takes one random step.
        mutating func step(keys: Int) {
            let place = chance(nodes.count)
            switch chance(12) {
            case 0, 1: nodes[place].want("k\(chance(keys))", now: now)
            case 2:
                let all = nodes[place].keys.keys.sorted()
                if !all.isEmpty { nodes[place].release(all[chance(all.count)], now: now) }
            case 3:
                let leads = nodes[place].leads.keys.sorted()
                if !leads.isEmpty { nodes[place].finish(leads[chance(leads.count)], now: now) }
            case 4, 5, 6: carryOut(place)
            case 7, 8: answer(place)
            case 9, 10: deliver(place)
            default: nodes[place].tick(now: now)
            }
        }

        func leaders(of key: String) -> Int { nodes.reduce(0) { $0 + $1.leads.values.count { $0 == key } } }

        /// Finishes all work and lets time pass until every want has ended.
        mutating func end() {
            for _ in 0..<200 {
                drain()
                for place in nodes.indices {
                    for want in nodes[place].leads.keys.sorted() { nodes[place].finish(want, now: now) }
                }
                drain()
                pass(100)
            }
        }
    }

    @Test("with a reliable engine a key never has two leaders, and every want ends", arguments: 0..<60)
    func calm(seed: UInt64) {
        var world = World(nodes: 2 + Int(seed % 3), seed: seed)
        for _ in 0..<600 {
            world.step(keys: 3)
            for key in 0..<3 {
                let leaders = world.leaders(of: "k\(key)")
                #expect(leaders <= 1)
            }
            if world.chance(10) == 0 {
                world.drain()
                world.pass(Double(world.chance(900)))
                world.drain()
            }
            // A picture is wanted again later.
            if world.chance(20) == 0 { world.engine.results = [] }
        }
        check(&world)
    }

    @Test("every want ends even if the engine is lost, restarts empty or is late", arguments: 0..<60)
    func stormy(seed: UInt64) {
        var world = World(nodes: 2 + Int(seed % 3), seed: seed &+ 1_000)
        for _ in 0..<600 {
            world.step(keys: 3)
            let place = world.chance(world.nodes.count)
            switch world.chance(40) {
            case 0:
                world.engine.words[place] = nil
                world.nodes[place].loseEngine(now: world.now)
            case 1:
                world.engine = ModelEngine()
                for place in world.nodes.indices { world.nodes[place].loseEngine(now: world.now) }
            case 2: world.pass(Double(world.chance(4_000)))
            case 3:
                // The node dies and a new node replaces it.
                world.nodes[place] = ModelNode()
                world.engine.words[place] = nil
            case 4: world.engine.results = []
            default: world.pass(Double(world.chance(60)))
            }
        }
        check(&world)
    }

    private func check(_ world: inout World) {
        world.end()
        for node in world.nodes {
            #expect(node.table.isEmpty, "\(node.table)")
            #expect(node.keys.isEmpty && node.timers.isEmpty && node.leads.isEmpty)
            #expect(node.held.isEmpty, "no work is held without a waiter")
        }
    }
}
