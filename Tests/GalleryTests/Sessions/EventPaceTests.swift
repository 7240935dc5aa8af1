import Gallery
import Testing

@Suite("The pace of events of which only the latest counts")
struct EventPaceTests {
    private let step = 1000 / EventPace.rate

    @Test("what comes after a pause goes out at once")
    func atOnce() {
        var pace = EventPace()
        let turns = [0, step, 10 * step].map { pace.offer(at: $0) }
        #expect(turns == [.now, .now, .now])
    }

    @Test("what comes too soon waits for its turn, and stands for all that comes until then")
    func waits() {
        var pace = EventPace()
        // Whoever was told to wait may be late, and is still the one who sends.
        let turns = [0, 10, 20, step + 5].map { pace.offer(at: $0) }
        #expect(turns == [.now, .later(step - 10), .taken, .taken])
        pace.send(at: 100)
        let next = pace.offer(at: 100)
        #expect(next == .later(100 + step - 100))
    }

    @Test("however often something new comes up, no second has more than the rate, and the last is never lost")
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
