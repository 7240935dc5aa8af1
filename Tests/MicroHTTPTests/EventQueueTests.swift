import MicroHTTP
import Numbers
import Testing

@Suite
struct EventQueueTests {
    private func event(_ name: String, _ size: Int = 10, key: UInt64? = nil, droppable: Bool = false) -> Event {
        Event(name: name, data: [UInt8](repeating: 65, count: size), key: key, isDroppable: droppable)
    }

    private func drain(_ queue: inout EventQueue) -> [String] {
        var names: [String] = []
        while let event = queue.popFirst() {
            names.append(String(String(decoding: event.frame, as: UTF8.self).split(separator: "\n")[0].dropFirst(7)))
        }
        return names
    }

    @Test("a newer event replaces the queued event with its key and moves to the end")
    func supersedes() {
        var queue = EventQueue()
        _ = queue.push(event("plan1", key: 1), limits: .init())
        _ = queue.push(event("other", key: 2), limits: .init())
        guard case .queued(let old?, let dropped) = queue.push(event("plan2", key: 1), limits: .init()) else {
            Issue.record("not superseded")
            return
        }
        #expect(old.key == 1 && dropped.isEmpty)
        #expect(drain(&queue) == ["other", "plan2"])
    }

    @Test("a partly written event is never superseded, dropped or discarded")
    func partlyWritten() {
        var queue = EventQueue()
        let limits = EventQueue.Limits(bytes: 1000, count: 2)
        _ = queue.push(event("head", key: 1, droppable: true), limits: limits)
        queue.advance(by: 5)
        _ = queue.push(event("next", key: 1), limits: limits)
        #expect(queue.count == 2)
        #expect(queue.discard { _ in true } == 1)
        _ = queue.push(event("x"), limits: limits)
        guard case .overflow = queue.push(event("y"), limits: limits) else {
            Issue.record("the head was dropped")
            return
        }
        #expect(drain(&queue) == ["head", "x"])
    }

    @Test("a full queue drops its oldest droppable events, and only as many as needed")
    func dropsOldest() {
        var queue = EventQueue()
        let limits = EventQueue.Limits(bytes: 10_000, count: 4)
        _ = queue.push(event("must"), limits: limits)
        for name in ["d1", "d2", "d3"] { _ = queue.push(event(name, droppable: true), limits: limits) }
        guard case .queued(nil, let dropped) = queue.push(event("d4", droppable: true), limits: limits) else {
            Issue.record("not queued")
            return
        }
        #expect(dropped.count == 1)
        _ = queue.push(event("must2"), limits: limits)
        #expect(drain(&queue) == ["must", "d3", "d4", "must2"])
    }

    @Test("a full queue drops a droppable event and overflows on a required one")
    func full() {
        var queue = EventQueue()
        let limits = EventQueue.Limits(bytes: 60, count: 10)
        _ = queue.push(event("a", 20), limits: limits)
        guard case .dropped = queue.push(event("b", 20, droppable: true), limits: limits) else {
            Issue.record("b was not dropped")
            return
        }
        guard case .overflow = queue.push(event("c", 20), limits: limits) else {
            Issue.record("c did not overflow")
            return
        }
        #expect(drain(&queue) == ["a"])
    }

    @Test("the queue matches a plain model through random pushes, writes and discards")
    func random() {
        var generator = SeededRandom(seed: 7)
        for _ in 0..<200 {
            var queue = EventQueue()
            var model: [Event] = []
            var written = 0
            let limits = EventQueue.Limits(bytes: 600, count: 12)
            for _ in 0..<100 {
                switch generator.next() % 8 {
                case 0...4:
                    // Only an empty queue accepts an event that is larger than the limit.
                    let size = generator.next() % 20 == 0 ? 700 : Int(generator.next() % 90)
                    let new = event(
                        "e\(generator.next() % 1000)", size,
                        key: generator.next() % 3 == 0 ? nil : generator.next() % 6,
                        droppable: generator.next() % 2 == 0)
                    if let key = new.key,
                        let old = model.indices.first(where: { ($0 > 0 || written == 0) && model[$0].key == key })
                    {
                        model.remove(at: old)
                    }
                    func fits() -> Bool {
                        model.count < 12 && model.reduce(0) { $0 + $1.frame.count } - written + new.frame.count <= 600
                    }
                    while !model.isEmpty && !fits(),
                        let old = model.indices.first(where: { ($0 > 0 || written == 0) && model[$0].isDroppable })
                    { model.remove(at: old) }
                    if model.isEmpty || fits() { model.append(new) }
                    _ = queue.push(new, limits: limits)
                case 5...6:
                    guard let front = model.first else { continue }
                    let count = min(Int(generator.next() % 60), front.frame.count - written)
                    queue.advance(by: count)
                    written += count
                    if written == front.frame.count {
                        model.removeFirst()
                        written = 0
                    }
                default:
                    let stale = generator.next() % 6
                    let kept = model.enumerated().filter { ($0.offset == 0 && written > 0) || $0.element.key != stale }
                        .map(\.element)
                    #expect(queue.discard { $0 == stale } == model.count - kept.count)
                    model = kept
                }
                #expect(queue.count == model.count)
                #expect(queue.bytes == model.reduce(0) { $0 + $1.frame.count } - written)
            }
            var rest = queue
            for expected in model { #expect(rest.popFirst()?.frame == expected.frame) }
        }
    }
}
