/// The followers in whose sessions the presenter lets the server prefetch.
package enum AudiencePrefetching: String, CaseIterable, Sendable { case all, half }

/// Two halves of an audience, the second without prefetching, and the exposure of each half since the comparison began.
package struct AudienceHalves: Sendable {
    package struct Half: Sendable, Equatable {
        package var followers = 0
        /// Visible cell-milliseconds of all sessions that were in this half.
        package var visibleTime = 0.0
        /// Visible cell-milliseconds without a picture.
        package var blankTime = 0.0
    }

    private struct Member {
        var half: Int
        /// Sums of the session at the last measurement. `nil` before the first.
        var last: (visibleTime: Double, blankTime: Double)?
    }

    package private(set) var all = [Half(), Half()]
    private var members: [String: Member] = [:]

    package init() {}

    /// Whether a session is in the half without prefetching.
    package func isOff(_ session: String) -> Bool { members[session]?.half == 1 }

    /// Removes sessions that are not in the list. Adds each new one to the smaller half, or to the first one if both are
    /// equal.
    package mutating func update(_ sessions: [String]) {
        for (session, member) in members where !sessions.contains(session) {
            members[session] = nil
            all[member.half].followers -= 1
        }
        for session in sessions where members[session] == nil {
            let half = all[0].followers <= all[1].followers ? 0 : 1
            members[session] = Member(half: half)
            all[half].followers += 1
        }
    }

    /// Adds the exposure of a session since its last measurement. The first measurement adds nothing.
    ///
    /// - Parameters:
    ///   - visibleTime: visible cell-milliseconds of the session so far.
    ///   - blankTime: visible cell-milliseconds without a picture so far.
    package mutating func measure(_ session: String, visibleTime: Double, blankTime: Double) {
        guard let member = members[session] else { return }
        if let last = member.last {
            all[member.half].visibleTime += visibleTime - last.visibleTime
            all[member.half].blankTime += blankTime - last.blankTime
        }
        members[session]?.last = (visibleTime, blankTime)
    }
}
