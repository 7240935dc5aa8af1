#if canImport(Glibc)
    import Glibc
#else
    import Foundation
#endif

extension PolicyName {
    /// See `LookaheadPolicy`.
    public static let lookahead = LookaheadPolicy.name
}

/// Lookahead's own policy.
package struct LookaheadPolicy: Policy {
    package static let name = PolicyName("lookahead")
    package static let summary = "By the moment each cell is needed: foresees the landing, skips what flies past."

    package var options = LookaheadOptions()

    package init() {}

    package init(_ options: LookaheadOptions) {
        self.options = options
    }

    package mutating func decide(_ view: PolicyView, _ wants: inout WantList) {
        wants.includesVisible = false
        let course = course(view)
        var schedule = Schedule(options, view, course)
        addPath(view, course, &schedule)
        if options.skipsFlyPast { schedule.drop() }
        for entry in schedule.entries {
            for item in entry.items { wants.add(item, neededIn: min(entry.from, 1e6)) }
        }
        if options.fillsIdleTime { fill(view, course, &wants) }
        if options.keepsNearlyDone {
            for task in view.asked where isWorthFinishing(task, view) { wants.add(task.item, neededIn: 1e6) }
        }
    }

    /// Letting go wastes what has come; finishing wastes all of it, unless the person comes back.
    private func isWorthFinishing(_ task: Asked, _ view: PolicyView) -> Bool {
        guard task.started != nil else { return false }
        let height = max(1, view.viewport.height)
        let away = view.layout.frame(of: task.item).distance(to: view.band)
        let back = view.motion.habits.reversal * exp(-away / height)
        return task.fraction + back >= options.nearlyDone
    }

    private func course(_ view: PolicyView) -> Course {
        var course = view.motion.course
        if case .steady(let l) = course.law { course.law = .steady(lasting: l * options.holdScale) }
        if !options.foreseesLanding, course.law != .rest {
            course.law = .steady(lasting: options.blindHorizon)
        }
        return course
    }

    /// Everything the viewport will show until it rests.
    private func addPath(_ view: PolicyView, _ course: Course, _ schedule: inout Schedule) {
        let height = view.viewport.height
        let distance = course.distance
        // The end of an aimed movement is foreseen within a share of what is left, if it is one: of no use while that
        // share is a screen, or while two samples in a row foresee two ends.
        if case .aimed = course.law {
            if distance * options.aimError > height || view.motion.landingDrift > height / 2 { return }
        }
        let slow = course.distance(slowerThan: options.legibleSpeed)
        // Beyond a few screens only the end of the way can still be served.
        let near = min(distance, options.farthest * height)
        let far = max(near, distance - slow - height)
        schedule.add(in: view.ahead(from: -height, to: near))
        if distance > near { schedule.add(in: view.ahead(from: far, to: distance)) }
    }

    /// What the next gesture may show, the likeliest first.
    private func fill(_ view: PolicyView, _ course: Course, _ wants: inout WantList) {
        if course.isHeld { return }
        let habits = view.motion.habits
        let height = view.viewport.height
        let distance = course.distance
        // Where a jump ends nothing is known yet about the way to go on.
        let isFresh = view.motion.lastJump != nil && view.motion.lastJump == view.motion.lastMove
        let back = options.reservesForReversal ? max(habits.reversal, isFresh ? options.reversalAfterJump : 0) : 0
        let reach = options.farthest * height
        // Items a pixel of travel, as dense as they are here.
        let density = Double(view.visible.count) / max(1, height)
        let pace = density * view.network.itemInterval
        let latency = view.network.fetchTime + options.reaction
        var list: [(item: Int, chance: Double)] = []
        let sides = [
            (1 - back, view.ahead(from: distance, to: distance + reach)),
            (back, view.ahead(from: distance - height - reach, to: distance - height)),
        ]
        let landing = view.band(at: view.motion.scrollTop + course.direction * distance)
        for (chance, band) in sides where chance >= options.leastChance {
            for item in view.layout.items(in: band) where !view.isSettled(item) {
                let x = view.layout.frame(of: item).distance(to: landing)
                let likely = chance * habits.need(x, screen: height, latency: latency, pace: pace, prior: options.prior)
                if likely >= options.leastChance { list.append((item, likely)) }
            }
        }
        list.sort { ($1.chance, $0.item) < ($0.chance, $1.item) }
        let start = course.duration
        for entry in list { wants.add(entry.item, neededIn: start + habits.rest * (2 - entry.chance)) }
    }
}

extension PolicyView {
    /// The part of the content that comes into view between `from` and `to` CSS pixels of travel from here. `from` may
    /// be negative: minus the viewport's height is where the trailing edge is now.
    func ahead(from: Double, to: Double) -> Range<Double> {
        let to = max(from, to)
        return motion.direction > 0
            ? (band.upperBound + from)..<(band.upperBound + to) : (band.lowerBound - to)..<(band.lowerBound - from)
    }
}
