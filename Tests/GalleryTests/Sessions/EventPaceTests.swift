import Gallery
import Testing

@Suite("Pace of superseding events")
struct EventPaceTests {
    private let step = 1000 / EventPace.rate

    @Test("an event after a pause is sent at once")
    func atOnce() {
        var pace = EventPace()
        let turns = [0, step, 10 * step].map { pace.offer(at: $0) }
        #expect(turns == [.now, .now, .now])
    }

    @Test("an early event waits for its turn and covers later ones")
    func waits() {
        var pace = EventPace()
        // A caller that has to wait may be late and still sends the event.
        let turns = [0, 10, 20, step + 5].map { pace.offer(at: $0) }
        #expect(turns == [.now, .later(step - 10), .taken, .taken])
        pace.send(at: 100)
        let next = pace.offer(at: 100)
        #expect(next == .later(100 + step - 100))
    }

    @Test("no second exceeds the rate, and the last event is never lost")
    func bound() {
        var pace = EventPace()
        var sent: [Double] = []
        var awaited: Double?
        for tick in 0..<10_000 {
            let now = Double(tick)
            if let time = awaited, time <= now {
                pace.send(at: now)
                sent.append(now)
                awaited = nil
            }
            switch pace.offer(at: now) {
            case .now: sent.append(now)
            case .later(let wait): awaited = now + wait
            case .taken: #expect(awaited != nil)
            }
        }
        #expect(awaited != nil || sent.last == 9999)
        for (index, time) in sent.enumerated() where index >= Int(EventPace.rate) {
            #expect(time - sent[index - Int(EventPace.rate)] >= 1000 - 1e-6)
        }
        #expect(sent.count > 250)
    }
}
