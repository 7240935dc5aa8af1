#if canImport(Glibc)
    import Glibc
#else
    import Foundation
#endif

extension PolicyName {
    /// See `LookaheadPolicy`.
    public static let lookahead = LookaheadPolicy.name
}

/// Lookahead's own policy: what to fetch by when it is needed and whether it can be there in time.
///
/// Its rules, each a switch in `LookaheadOptions`; `lookahead-lab score --ablation` prints the scores without each.
///
/// 1. **Foresee the landing** (`FlingFit`, `AimFit`, `Hypotheses`, `Course`). A fling is a closed curve known from its
///    first samples: an exponential on iOS (WWDC 2018, session 803), a spline on Android (`OverScroller`); a dragged
///    scrollbar follows the hand's minimum-jerk curve (Flash and Hogan 1985). So the last screen of a scroll is fetched
///    before it is reached, as MF-HTTP (ICDCS 2018) does for web pages and Texture for the paging of lists. That it is a
///    wheel says little: notches that die away, a touchpad's momentum and an even pace are told apart by how well each
///    law foretold the last samples; so is a key that is held. A page key's step is over before anything could be
///    fetched for it: what it has brought into view is wanted, and idle time is filled as at rest. While nobody can tell
///    to a screen where a scrollbar goes, it may stay where it is.
/// 2. **Order by deadline.** What is needed first goes first, in milliseconds rather than pixels or items: earliest
///    deadline first is optimal as long as all deadlines can be met (Jackson 1955; Liu and Layland 1973).
/// 3. **Skip what flies past** (`Schedule`). When they cannot all be met it is not: a late row delays all behind it. A
///    row is left out when the time it would be seen is less than the delay it inflicts on those that are late
///    behind it, the exchange argument of Moore and Hodgson's rule (Management Science 15, 1968) with time for weight.
///    Where pictures have previews, that is wanted of it which can be recognised as it passes.
/// 4. **Know how long a pace is held** (`Habits.hold`). A finger, an even wheel or a held key can stop at any moment; how
///    long it still goes on is read off this person's earlier ones of that age, the mean residual life of reliability
///    theory. What lies further than it probably goes is left to the idle time.
/// 5. **Keep what is nearly done**, and what was begun for a place that is near. Letting go wastes what has come and the
///    wait that has passed, finishing wastes the bytes still to come, unless the person gets there (Fresco 532, Immich
///    19563 show the damage of cancelling at a border). Over HTTP/1.1 letting go also closes the connection: where that
///    was measured to cost more than the rest of the transfer, it is finished. After a jump only that counts for what is
///    far from the landing, and a dragged scrollbar seldom returns to where it has just been.
/// 6. **Reserve for reversal.** Behind is fetched as likely as the person turns back, by their last gestures; Texture has
///    constants for this, UIKit nothing. After a jump, and at first, both ways are open.
/// 7. **Fill idle time** with what the next gesture may show and could not be fetched once it has begun (`Habits.Need`),
///    most saved a byte first: the likely and the cheap (`ItemWeights`). What saves too little waiting is left out. The
///    next three quarters of a screen are always taken to be likely, and more where a touchpad lately went further:
///    gestures of one kind say little about another, and rows just ahead are shown sooner or later. Dashlet (NSDI 2023)
///    buffers by the distribution of swipes in the same way; who keeps turning about a place will need its surroundings
///    one gesture later, so several gestures are looked ahead (lingering, as in Khameleon's client). A link is not idle
///    while more is missing in view than it carries at once: what is fetched beside that slows it down.
/// 8. **Learn habits** (`Habits`): how far this person's gestures go, how often they turn, how long they rest.
package struct LookaheadPolicy: Policy {
    package static let name = PolicyName("lookahead")
    package static let summary =
        "Fetches in the order you'll see them: predicts where the scroll lands, skips what flies past."

    package var options = LookaheadOptions()

    package init() {}

    package init(_ options: LookaheadOptions) {
        self.options = options
    }

    package mutating func decide(_ view: PolicyView, _ wants: inout WantList) {
        wants.includesVisible = false
        let course = course(view)
        // The hand on a scrollbar tells of its arrival by nothing but silence.
        if view.motion.phase == .drag, view.motion.course.law != .rest, let moved = view.motion.lastMove {
            wants.nextTick = moved + Motion.pause
        }
        let habits = options.learnsHabits ? view.motion.habits : Habits()
        var list: [Want] = []
        var schedule = Schedule(options, view, course, habits)
        addPath(view, course, &schedule)
        if options.skipsFlyPast { schedule.drop() }
        for entry in schedule.entries {
            for item in entry.items { list.append(Want(item: item, visible: false, neededIn: min(entry.from, 1e6))) }
        }
        addGlimpses(schedule, view, course, &list)
        if options.fillsIdleTime {
            let excess = view.excess
            if excess <= 0 {
                fill(view, course, habits, &list)
            } else if view.motion.course.law == .rest {
                // No sample will tell when there is room for more.
                wants.nextTick = view.motion.time + max(options.lookAgain, excess * view.network.itemInterval)
            }
        }
        if !options.ordersByDeadline { sortByDistance(&list, view) }
        wants.add(list)
        if options.keepsNearlyDone {
            for task in view.asked where isWorthFinishing(task, view, habits) { wants.add(task.item, neededIn: 1e6) }
        }
    }

    private func course(_ view: PolicyView) -> Course {
        var course = view.motion.course
        if !options.foreseesLanding {
            if course.law != .rest { course.law = .steady(lasting: options.blindHorizon) }
        } else if view.motion.landingError > view.viewport.height {
            // An aimed movement of which nobody can tell where it ends may stay here.
            course.law = .rest
        }
        return course
    }

    /// Everything the viewport will show until it rests.
    private func addPath(_ view: PolicyView, _ course: Course, _ schedule: inout Schedule) {
        let height = view.viewport.height
        let distance = course.distance
        // Beyond a few screens only the end of the way can still be served.
        let near = min(distance, options.farthest * height)
        let far = max(near, distance - course.distance(slowerThan: options.legibleSpeed) - height)
        schedule.add(in: view.ahead(from: -height, to: near))
        if distance > near { schedule.add(in: view.ahead(from: far, to: distance)) }
    }

    /// Of what flies past too soon for its picture, the previews that can be there while it is in view, and that leave the line
    /// to those of what stays.
    private func addGlimpses(_ schedule: Schedule, _ view: PolicyView, _ course: Course, _ list: inout [Want]) {
        guard var arrival = view.network.previewTime else { return }
        func cost(_ entry: Schedule.Entry) -> Double {
            Double(entry.items.count { !view.hasPreview($0) }) * view.network.previewInterval
        }
        let reserved = schedule.entries.reduce(0) { $0 + ($1.isRunning ? 0 : cost($1)) }
        var seen: [Schedule.Entry] = []
        for entry in schedule.dropped where !entry.isRunning {
            let cost = cost(entry)
            guard entry.to - max(entry.from, arrival + cost) >= options.glimpse,
                cost == 0 || arrival + cost + reserved <= course.duration
            else { continue }
            arrival += cost
            seen.append(entry)
        }
        guard !seen.isEmpty else { return }
        for entry in seen {
            for item in entry.items {
                var want = Want(item: item, visible: false, neededIn: min(entry.from, 1e6))
                want.isPreviewEnough = true
                list.append(want)
            }
        }
        list.sort { ($0.neededIn, $0.item) < ($1.neededIn, $1.item) }
    }

    /// The items the next gesture may show, the likeliest first.
    private func fill(_ view: PolicyView, _ course: Course, _ habits: Habits, _ list: inout [Want]) {
        if case .aimed = course.law { return }
        let height = view.viewport.height
        let reach = options.farthest * height
        // A finger may stop anywhere, here as well as elsewhere.
        let distance = course.isUncertain ? 0 : course.distance
        let landing = view.band(at: view.motion.scrollTop + view.motion.direction * distance)
        let afterJump = view.motion.hasJustJumped ? options.reversalAfterJump : 0
        let back = options.reservesForReversal ? max(habits.reversal(), afterJump) : 0
        // An item missing when a gesture shows it waits for about a screenful.
        let wait = view.screenTime
        let need = Habits.Need(
            screen: height, imagined: options.imaginedReach * height,
            latency: view.network.fetchTime + options.reaction, pace: view.density * view.network.itemInterval)
        let reserve = max(options.reserve * height, min(options.wheelReserve * height, habits.reach(.wheel)))
        // After many turns the scroll stays near: items the next gesture does not need, a later one will.
        let turns = habits.reversal(within: options.vicinity * height) - Habits.unmeasuredReversal
        let gestures = 1 + options.lingering * max(0, turns)
        let sides = [
            (1 - back, view.ahead(from: distance, to: distance + reach)),
            (back, view.ahead(from: distance - height - reach, to: distance - height)),
        ]
        let weights = ItemWeights(view)
        var found: [(item: Int, chance: Double, worth: Double)] = []
        for (side, band) in sides {
            // The cells of a row are as far away, and as likely, as one another.
            var (distance, chance) = (-1.0, 0.0)
            let (items, frames) = view.layout.placedItems(in: band)
            for (item, frame) in zip(items, frames) where !view.isSettled(item) {
                let away = frame.distance(to: landing)
                if away != distance {
                    distance = away
                    let isNext = options.keepsReserve && away <= reserve
                    let least = isNext ? options.reserveChance : 0
                    chance = 1 - pow(1 - side * max(least, habits.chance(of: need, at: away)), gestures)
                }
                let worth = chance / weights.weight(of: item, frame)
                if worth * min(wait, options.longestWait) >= options.leastSaving { found.append((item, chance, worth)) }
            }
        }
        // Most saved a byte first: the likely ones, and the cheap ones among them.
        found.sort { ($1.worth, $0.item) < ($0.worth, $1.item) }
        let start = course.duration
        for (item, chance, _) in found {
            list.append(Want(item: item, visible: false, neededIn: start + habits.rest * (2 - chance)))
        }
    }

    private func isWorthFinishing(_ task: Asked, _ view: PolicyView, _ habits: Habits) -> Bool {
        guard task.started != nil else { return false }
        let frame = view.layout.frame(of: task.item)
        let away = frame.distance(to: view.band)
        let isBehind = (frame.y < view.band.lowerBound) == (view.motion.direction > 0)
        let side = away == 0 ? 1 : isBehind ? habits.reversal() : 1 - habits.reversal()
        let again = side * exp(-away / max(1, view.viewport.height))
        let isElsewhere = view.motion.hasJustJumped && away > options.elsewhere * view.viewport.height
        let least = view.motion.phase == .drag ? options.worthFinishingInDrag : options.worthFinishing
        if !isElsewhere, task.fraction + again >= least { return true }
        // The slot is free again when the rest has come, or when a new connection is open.
        let network = view.network
        let left = (1 - task.fraction) * network.itemBytes / network.bandwidth * Double(network.concurrency)
        return left < options.abortShare * network.abortCost
    }

    private func sortByDistance(_ list: inout [Want], _ view: PolicyView) {
        let band = view.band
        list = list.map { (want: $0, distance: view.layout.frame(of: $0.item).distance(to: band)) }
            .sorted { ($0.distance, $0.want.item) < ($1.distance, $1.want.item) }
            .map { $0.want }
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

    /// How long a screenful takes, in milliseconds.
    var screenTime: Double { network.fetchTime + Double(visible.count) * network.itemInterval }

    /// How many more items are missing in view than are under way at once when pictures come as fast as they can. What has
    /// not come in twice the time of a screenful is not on the link.
    var excess: Double {
        let since = motion.time - 2 * screenTime
        guard motion.stillSince > since else { return 0 }
        return Double(visible.count { !isSettled($0) && task($0)?.started ?? .infinity > since }) - network.capacity
    }

    /// Items a CSS pixel of scrolling, as dense as they are here.
    var density: Double { Double(visible.count) / max(1, viewport.height) }
}

/// Relative costs of fetching items: 1 for the usual picture.
///
/// Once a picture begins to arrive, its length is known. For other pictures only the shape is known, or the shape that the layout
/// assumes. At one resolution a picture's bytes grow with its area, so a panorama costs several portraits of the same row.
struct ItemWeights {
    /// Bounds of an estimate by shape, because shapes say little about bytes.
    static let bounds = 0.25...4.0
    /// Number of visible cells that are measured for the usual area.
    private static let samples = 8

    private let view: PolicyView
    private let usualArea: Double

    init(_ view: PolicyView) {
        self.view = view
        var area = 0.0
        var count = 0.0
        for item in stride(
            from: view.visible.lowerBound, to: view.visible.upperBound, by: max(1, view.visible.count / Self.samples))
        {
            let frame = view.layout.frame(of: item)
            area += frame.width * frame.height
            count += 1
        }
        usualArea = area / max(1, count)
    }

    /// Returns an item's relative cost.
    ///
    /// - Parameter frame: the item's place in the layout.
    func weight(of item: Int, _ frame: Frame) -> Double {
        if let bytes = view.task(item)?.bytes { return max(bytes / view.network.itemBytes, 0.01) }
        guard usualArea > 0 else { return 1 }
        return (frame.width * frame.height / usualArea).clamped(to: Self.bounds, or: 1)
    }
}
