import Numbers
import Testing
import Viewport

@Suite struct ItemLedgerTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var event: String
        /// States of an absent, an asked, a ready and a failed item after the event.
        var after: [ItemLedger.State]
        var apply: @Sendable (inout ItemLedger) -> Void

        var testDescription: String { event }
    }

    static let table = [
        Row(event: "wanted", after: [.asked, .asked, .ready, .failed]) { $0.want([0]) },
        Row(event: "not wanted", after: [.absent, .absent, .ready, .failed]) { $0.want([]) },
        Row(event: "came", after: [.ready, .ready, .ready, .ready]) { $0.ready(0) },
        Row(event: "sent", after: [.ready, .ready, .ready, .ready]) { $0.sent(0, event: 9, capacity: 9) },
        Row(event: "previewed", after: [.absent, .asked, .ready, .failed]) { $0.previewed(0, event: 9, capacity: 9) },
        Row(event: "failed", after: [.failed, .failed, .failed, .failed]) { $0.failed(0) },
        Row(event: "forgotten", after: [.absent, .asked, .absent, .absent]) { $0.forget([0]) },
        Row(event: "all forgotten", after: [.absent, .asked, .absent, .absent]) { $0.forgetAll() },
        Row(event: "sent again", after: [.absent, .asked, .ready, .failed]) { _ = $0.resent(0, event: 9) },
    ]

    @Test("an event moves an item to the state in the table", arguments: table)
    func transitions(row: Row) {
        var ledgers = (0..<4).map { _ in ItemLedger(itemCount: 10) }
        ledgers[1].want([0])
        ledgers[2].ready(0)
        ledgers[3].failed(0)
        #expect(ledgers.map { $0[0] } == [.absent, .asked, .ready, .failed])
        for index in ledgers.indices { row.apply(&ledgers[index]) }
        #expect(ledgers.map { $0[0] } == row.after)
        #expect(ledgers.allSatisfy { $0.asked.map(\.item) == ($0[0] == .asked ? [0] : []) })
    }

    @Test("a forgotten item gets a new generation, and a cancelled one does not")
    func generations() {
        var ledger = ItemLedger(itemCount: 10)
        #expect(ledger.want([3]).map(\.generation) == [0])
        ledger.want([])
        #expect(ledger.want([3]).map(\.generation) == [0])
        ledger.ready(3)
        ledger.forget([3])
        ledger.forget([3])
        #expect(ledger.want([3]).map(\.generation) == [1])
        ledger.failed(3)
        ledger.forgetAll()
        #expect(ledger.want([3]).map(\.generation) == [2])
    }

    @Test("a preview is remembered until its picture arrives, fails or is evicted")
    func previews() {
        var ledger = ItemLedger(itemCount: 10)
        for item in 0..<4 { ledger.previewed(item, event: 10 + item, capacity: 3) }
        #expect((0..<4).map { ledger.preview(of: $0) } == [nil, 11, 12, 13])
        ledger.sent(1, event: 20, capacity: 9)
        ledger.forget([2])
        ledger.failed(3)
        #expect((0..<4).allSatisfy { ledger.preview(of: $0) == nil })
        ledger.previewed(1, event: 21, capacity: 3)
        ledger.previewed(99, event: 22, capacity: 3)
        #expect(ledger.preview(of: 1) == nil && ledger.preview(of: 99) == nil, "a picture replaces its preview")
        ledger.previewed(2, event: 23, capacity: 3)
        ledger.forgetAll()
        #expect(ledger.preview(of: 2) == nil)
    }

    @Test("the oldest sent item is forgotten at the bound, and resending renews an item")
    func bound() {
        var ledger = ItemLedger(itemCount: 10)
        ledger.sent(1, event: 1, capacity: 2)
        ledger.sent(2, event: 2, capacity: 2)
        ledger.resent(1, event: 3)
        ledger.sent(3, event: 4, capacity: 2)
        #expect(ledger.items(sentAfter: 0) == [1, 3])
        #expect(ledger.items(sentAfter: 3) == [3])
        #expect(ledger[2] == .absent && ledger.generation(of: 2) == 1)
    }

    @Test("sending the same items again uses no more memory")
    func churn() {
        var sent = SentItems()
        for id in 0..<100_000 { _ = sent.record(id % 5, id: id, capacity: 10) }
        #expect(sent.count == 5)
        #expect(sent.items(after: -1) == [0, 1, 2, 3, 4])
    }

    @Test("an error is remembered until its item arrives or is forgotten")
    func errors() {
        struct Missing: Error {}
        var ledger = ItemLedger(itemCount: 10)
        for item in 0..<3 { ledger.failed(item, Missing()) }
        ledger.ready(0)
        ledger.forget([1])
        #expect((0..<4).map { ledger.error(of: $0) is Missing } == [false, false, true, false])
        #expect(ledger.failedItems.count == 1)
    }
}

extension ItemLedger {
    @discardableResult
    mutating func want(_ items: [Int]) -> [Want] {
        replaceWants(items.map { Want(item: $0, visible: false, neededIn: 0) }, visible: 0..<0).wanted
    }
}

@Suite struct ItemLedgerPropertyTests {
    /// The same ledger with a plain set for each state.
    struct Model {
        var asked: [Int] = []
        var ready: Set<Int> = []
        var failed: Set<Int> = []
        /// Items that were sent, by their last event, in order.
        var sent: [(item: Int, event: Int)] = []
        var generations: [Int: UInt8] = [:]
        var pending: [Int: Set<Int>] = [:]
        var backlog: [Int: [Int]] = [:]

        mutating func forget(_ item: Int) {
            guard ready.remove(item) != nil || failed.remove(item) != nil else { return }
            generations[item, default: 0] = (generations[item, default: 0] + 1) % 32
            sent.removeAll { $0.item == item }
            for listener in pending.keys {
                pending[listener]?.remove(item)
                backlog[listener]?.removeAll { $0 == item }
            }
        }

        mutating func settle(_ item: Int, ready isReady: Bool) {
            asked.removeAll { $0 == item }
            ready.remove(item)
            failed.remove(item)
            if isReady { ready.insert(item) } else { failed.insert(item) }
        }

        mutating func send(_ item: Int, event: Int, capacity: Int) {
            settle(item, ready: true)
            sent.removeAll { $0.item == item }
            sent.append((item, event))
            while sent.count > capacity { forget(sent[0].item) }
        }
    }

    static let items = 40

    @Test("the ledger matches a naive model in any order of events", arguments: 1...30)
    func walk(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var ledger = ItemLedger(itemCount: Self.items)
        var model = Model()
        var listeners: [Int] = []
        for event in 1...400 {
            let item = random.int(0..<Self.items)
            switch random.int(0..<12) {
            case 0, 1, 2: want(&ledger, &model, &random)
            case 3, 4:
                let capacity = random.int(5..<20)
                ledger.sent(item, event: event, capacity: capacity)
                model.send(item, event: event, capacity: capacity)
            case 5:
                ledger.failed(item)
                model.settle(item, ready: false)
                model.sent.removeAll { $0.item == item }
                for listener in listeners { model.pending[listener]?.remove(item) }
            case 6:
                ledger.forget([item])
                model.forget(item)
            case 7:
                let isKnown = ledger.resent(item, event: event)
                #expect(isKnown == model.sent.contains { $0.item == item })
                if isKnown {
                    model.sent.removeAll { $0.item == item }
                    model.sent.append((item, event))
                }
            case 8 where listeners.count < 3:
                let listener = ledger.addListener()
                let backlog = ledger.items(sentAfter: event / 2)
                ledger.setBacklog(backlog, of: listener)
                model.backlog[listener] = backlog
                model.pending[listener] = []
                listeners.append(listener)
            case 9: leave(&ledger, &model, &listeners)
            case 10: deliver(item, &ledger, &model, listeners, &random)
            default: resend(&ledger, &model, listeners)
            }
            compare(ledger, model, listeners)
        }
        ledger.forgetAll()
        #expect((0..<Self.items).allSatisfy { !ledger.isSettled($0) } && ledger.sentCount == 0)
        #expect(listeners.allSatisfy { !ledger.hasPendingPictures(to: $0) })
    }

    private func want(_ ledger: inout ItemLedger, _ model: inout Model, _ random: inout SeededRandom) {
        let from = random.int(0..<Self.items)
        let visible = from..<min(Self.items, from + 4)
        // Includes duplicates and items that do not exist.
        let items = Array(visible) + (0..<6).map { _ in random.int(-3..<Self.items + 3) }
        let wants = items.map { Want(item: $0, visible: visible.contains($0), neededIn: 0) }
        let difference = ledger.replaceWants(wants, visible: visible)
        var wanted: [Int] = []
        for item in items where (0..<Self.items).contains(item) && !wanted.contains(item) { wanted.append(item) }
        let settled = model.ready.union(model.failed)
        let open = wanted.filter { !settled.contains($0) }
        #expect(difference.wanted.map(\.item) == open)
        #expect(difference.wanted.allSatisfy { $0.generation == model.generations[$0.item, default: 0] })
        #expect(difference.cancelled == model.asked.filter { !wanted.contains($0) })
        let new = open.filter { !model.asked.contains($0) }
        #expect(difference.ahead == new.filter { !visible.contains($0) })
        #expect(difference.ready == wanted.count { model.ready.contains($0) })
        model.asked = model.asked.filter(wanted.contains) + new
    }

    private func leave(_ ledger: inout ItemLedger, _ model: inout Model, _ listeners: inout [Int]) {
        guard let listener = listeners.popLast() else { return }
        let (unsent, pending) = ledger.removeListener(listener)
        #expect(unsent == model.backlog.removeValue(forKey: listener))
        #expect(pending == model.pending.removeValue(forKey: listener))
        #expect(ledger.removeListener(listener) == ([], []))
    }

    private func deliver(
        _ item: Int, _ ledger: inout ItemLedger, _ model: inout Model, _ listeners: [Int],
        _ random: inout SeededRandom
    ) {
        guard let listener = listeners.first else { return }
        let whole = random.int(0..<2) == 0
        ledger.delivered(item, whole: whole, to: listener)
        model.backlog[listener]?.removeAll { $0 == item }
        model.pending[listener]?.remove(item)
        if !whole, model.ready.contains(item) { model.pending[listener]?.insert(item) }
    }

    private func resend(_ ledger: inout ItemLedger, _ model: inout Model, _ listeners: [Int]) {
        guard let listener = listeners.last else { return }
        let pending = ledger.pending(to: listener, in: 0..<Self.items, maximum: 3)
        #expect(pending == Array((model.pending[listener] ?? []).sorted().prefix(3)))
        let (items, arePending) = ledger.beginResending(to: listener, maximum: 3, pending: pending)
        let backlog = model.backlog[listener] ?? []
        #expect(items == (backlog.isEmpty ? pending : Array(backlog.prefix(3))) && arePending == backlog.isEmpty)
        model.backlog[listener] = Array(backlog.dropFirst(3))
        if arePending { model.pending[listener]?.subtract(pending) }
        ledger.endResending(to: listener)
    }

    private func compare(_ ledger: ItemLedger, _ model: Model, _ listeners: [Int]) {
        #expect(ledger.asked.map(\.item) == model.asked)
        #expect(ledger.items(sentAfter: 0) == model.sent.map(\.item))
        for item in 0..<Self.items {
            let expected: ItemLedger.State =
                model.ready.contains(item)
                ? .ready : model.failed.contains(item) ? .failed : model.asked.contains(item) ? .asked : .absent
            #expect(ledger[item] == expected)
            #expect(ledger.generation(of: item) == model.generations[item, default: 0])
            #expect(ledger.event(of: item) == model.sent.first { $0.item == item }?.event)
        }
        for listener in listeners {
            #expect(ledger.hasPendingPictures(to: listener) == (model.pending[listener]?.isEmpty == false))
        }
    }
}
