import Cluster

/// A node with its lease table, its messages in flight and the states of its wants.
struct ModelNode {
    var table = LeaseTable()
    /// Sent and not yet carried out by the engine, in order.
    var outbox: [LeaseAction] = []
    /// Replies in flight.
    var answers: [(want: UInt64, key: String, token: UInt64, answer: ClaimResult)] = []
    /// Times at which waiting wants claim again.
    var timers: [UInt64: Double] = [:]
    var leads: [UInt64: String] = [:]
    var held: Set<UInt64> = []
    var keys: [UInt64: String] = [:]
    var alone = 0
    var found = 0

    mutating func want(_ key: String, now: Double) {
        let want = table.want(key, now: now)
        keys[want] = key
        perform(table.claim(want, now: now), now: now)
    }

    mutating func perform(_ actions: [LeaseAction], now: Double) {
        for action in actions {
            switch action {
            case .claim, .finish, .release, .keep, .drop: outbox.append(action)
            case .lead(let want, _): leads[want] = keys[want]
            case .wait(let want, let time): timers[want] = now + time
            case .wake(let want): timers[want] = now
            case .alone(let want):
                alone += 1
                end(want)
            case .hold(let want): held.insert(want)
            case .unhold(let want): held.remove(want)
            }
        }
    }

    /// Claims again for wants whose timer is due.
    mutating func tick(now: Double) {
        for (want, time) in timers.sorted(by: { $0.key < $1.key }) where time <= now {
            timers[want] = nil
            perform(table.claim(want, now: now), now: now)
        }
    }

    mutating func finish(_ want: UInt64, now: Double) {
        let actions = table.finish(want)
        end(want)
        perform(actions, now: now)
    }

    mutating func release(_ want: UInt64, now: Double) {
        let actions = table.release(want)
        end(want)
        perform(actions, now: now)
    }

    mutating func hear(_ answer: (want: UInt64, key: String, token: UInt64, answer: ClaimResult), now: Double) {
        let isHere = keys[answer.want] != nil
        let actions = table.replied(answer.want, key: answer.key, token: answer.token, answer.answer, random: 0.5)
        if answer.answer == .found, isHere {
            found += 1
            end(answer.want)
        }
        perform(actions, now: now)
    }

    /// Every pending claim gets the reply that the engine is away.
    mutating func loseEngine(now: Double) {
        let claims = outbox.compactMap { action -> (UInt64, String, UInt64, ClaimResult)? in
            if case .claim(let want, let key, let token) = action { (want, key, token, .away) } else { nil }
        }
        outbox = []
        let late = answers.map { ($0.want, $0.key, $0.token, ClaimResult.away) }
        answers = []
        perform(table.lost(), now: now)
        for answer in late + claims { hear(answer, now: now) }
    }

    private mutating func end(_ want: UInt64) {
        keys[want] = nil
        timers[want] = nil
        leads[want] = nil
    }
}
