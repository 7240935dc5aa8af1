#if canImport(Glibc)
    import Glibc
#else
    import Foundation
#endif

extension PolicyName {
    /// See `LookaheadPolicy`.
    public static let lookahead = LookaheadPolicy.name
}

/// Lookahead's own policy. Decides which items to fetch by when each is needed and whether it can arrive in time.
///
/// Each rule is a switch in `LookaheadOptions`. `lookahead-lab score --ablation` prints the scores without each rule.
///
/// 1. **Foresee the landing** (`FlingFit`, `AimFit`, `Hypotheses`, `Course`). A fling is a closed curve known from its first
///    samples: an exponential on iOS (WWDC 2018, session 803), a spline on Android (`OverScroller`). A dragged scrollbar
///    follows the hand's minimum-jerk curve (Flash and Hogan 1985). So the last screen of a scroll is fetched before the scroll
///    reaches it, as MF-HTTP (ICDCS 2018) does for web pages and Texture for the paging of lists. The phase `wheel` says
///    little. The policy distinguishes fading notches, a touchpad's momentum and an even pace by how well each law predicted
///    the last samples. It treats a held key the same. The step of a page key is over before anything could be fetched for it.
///    The policy then wants the visible cells, and fills idle time as at rest. If the predicted landing of a scrollbar is
///    uncertain by more than a screen, the policy assumes that the scrollbar stops here.
/// 2. **Order by deadline.** Items needed first are fetched first, measured in milliseconds rather than pixels or items.
///    Earliest deadline first is optimal if all deadlines can be met (Jackson 1955; Liu and Layland 1973).
/// 3. **Skip what flies past** (`Schedule`). If not all deadlines can be met, that order is not optimal, because a late row
///    delays all rows behind it. A row is left out if the time for which it would be seen is less than the delay it inflicts on
///    the late rows behind it. This is the exchange argument of Moore and Hodgson's rule (Management Science 15, 1968), with
///    time for weight. If pictures have previews, the policy wants the previews of skipped rows that can be recognised as they
///    pass.
/// 4. **Know how long a pace is held** (`Habits.hold`). A finger, an even wheel or a held key can stop at any moment. The
///    remaining time is estimated from this person's earlier movements that reached the same age, the mean residual life of
///    reliability theory. Items beyond the probable end are left to idle time.
/// 5. **Keep what is nearly done**, and transfers begun for a place that is near. Cancelling wastes the received bytes and the
///    time waited. Finishing wastes the remaining bytes, unless the person gets there. Fresco 532 and Immich 19563 show the
///    damage of cancelling at a border. Over HTTP/1.1, cancelling also closes the connection: if that was measured to cost more
///    than the rest of the transfer, the transfer is finished. For items far from the landing of a jump, only this last reason
///    counts. A dragged scrollbar seldom returns to where it has just been.
/// 6. **Reserve for reversal.** Items behind are fetched according to how likely the person turns back, judged by their last
///    gestures. Texture has constants for this, UIKit nothing.
/// 7. **Fill idle time** with items that the next gesture may show and that could not be fetched once it has begun
///    (`Habits.Need`). Items that save most per byte are first: the likely and the cheap (`ItemWeights`). Items that save too
///    little waiting are left out. The next three quarters of a screen always count as likely, and more if a touchpad gesture
///    recently went further: gestures of one kind say little about another, and rows just ahead are shown sooner or later.
///    Dashlet (NSDI 2023) buffers by the distribution of swipes in the same manner. A person who keeps turning around one place
///    will need its surroundings one gesture later, so the policy looks several gestures ahead (lingering, as in Khameleon's
///    client). While more visible items are missing than the link carries at the same time, the link is not idle: any other
///    fetch slows them down.
/// 8. **Learn habits** (`Habits`): how far this person's gestures go, how often they turn, how long the pauses are. After a
///    jump, the policy forgets the earlier gestures.
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
        // A scrollbar drag has no end event, so treat a pause as its end.
        if view.motion.phase == .drag, view.motion.course.law != .rest, let moved = view.motion.lastMove {
            wants.nextTick = moved + Motion.pause
        }
        let habits = options.learnsHabits ? view.motion.habits : Habits()
        var list: [Want] = []
        var schedule = Schedule(options, view, course, habits)
        addPath(view, course, &schedule)
        if options.skipsFlyPast { schedule.drop() }
        for entry in schedule.entries {
            let reason: WantReason = entry.to < .infinity ? .path : .landing
            for item in entry.items { list.append(Want(item: item, neededIn: min(entry.from, 1e6), reason: reason)) }
        }
        addGlimpses(schedule, view, course, &list)
        if options.fillsIdleTime {
            let excess = view.excess
            if excess <= 0 {
                fill(view, course, habits, &list)
            } else if view.motion.course.law == .rest {
                // No sample will announce that the link has room, so check again after a while.
                wants.nextTick = view.motion.time + max(options.recheckInterval, excess * view.network.itemInterval)
            }
        }
        if !options.ordersByDeadline { sortByDistance(&list, view) }
        wants.add(list)
        if options.keepsNearlyDone {
            for task in view.asked where isWorthFinishing(task, view, habits) {
                wants.add(task.item, neededIn: 1e6, reason: .unfinished)
            }
        }
    }

    private func course(_ view: PolicyView) -> Course {
        var course = view.motion.course
        if !options.foreseesLanding {
            if course.law != .rest { course.law = .steady(lasting: options.blindHorizon) }
        } else if view.motion.landingError > view.viewport.height {
            // If the end of an aimed movement is uncertain by more than a screen, assume that it stops here.
            course.law = .rest
        }
        return course
    }

    /// Adds every item that the viewport will show before the scroll ends.
    private func addPath(_ view: PolicyView, _ course: Course, _ schedule: inout Schedule) {
        let height = view.viewport.height
        let distance = course.distance
        // Beyond a few screens, only the items near the landing can still arrive in time.
        let near = min(distance, options.farthest * height)
        let far = max(near, distance - course.distance(slowerThan: options.legibleSpeed) - height)
        schedule.add(in: view.ahead(from: -height, to: near))
        if distance > near { schedule.add(in: view.ahead(from: far, to: distance)) }
    }

    /// Adds the previews of dropped entries if each preview can arrive while its entry is in view and leaves enough time for
    /// the previews of the entries that stay.
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
                var want = Want(item: item, neededIn: min(entry.from, 1e6), reason: .preview)
                want.isPreviewEnough = true
                list.append(want)
            }
        }
        list.sort { ($0.neededIn, $0.item) < ($1.neededIn, $1.item) }
    }

    /// Adds the items that the next gesture may show, most saved per byte first.
    private func fill(_ view: PolicyView, _ course: Course, _ habits: Habits, _ list: inout [Want]) {
        if case .aimed = course.law { return }
        let height = view.viewport.height
        let reach = options.farthest * height
        // A finger may stop anywhere, so use the present position as its landing.
        let distance = course.isUncertain ? 0 : course.distance
        let landing = view.band(at: view.motion.scrollTop + view.motion.direction * distance)
        let back = options.reservesForReversal ? habits.reversal() : 0
        // If an item is missing when a gesture shows it, the person waits about as long as a screenful takes.
        let wait = view.screenTime
        let need = Habits.Need(
            screen: height, imagined: options.imaginedReach * height,
            latency: view.network.fetchTime + options.reaction, pace: view.density * view.network.itemInterval)
        let reserve = max(options.reserve * height, min(options.wheelReserve * height, habits.reach(.wheel)))
        // After many turns the scroll stays near: a later gesture will need the items that the next one does not.
        let turns = habits.reversal(within: options.vicinity * height) - Habits.unmeasuredReversal
        let gestures = 1 + options.lingering * max(0, turns)
        let sides = [
            (1 - back, view.ahead(from: distance, to: distance + reach)),
            (back, view.ahead(from: distance - height - reach, to: distance - height)),
        ]
        let weights = ItemWeights(view)
        var found: [(item: Int, chance: Double, worth: Double)] = []
        for (side, band) in sides {
            // The cells of a row share a distance and a probability.
            var (distance, chance) = (-1.0, 0.0)
            let (items, frames) = view.layout.placedItems(in: band)
            for (item, frame) in zip(items, frames) where !view.isSettled(item) {
                let away = frame.distance(to: landing)
                if away != distance {
                    distance = away
                    let isNext = options.keepsReserve && away <= reserve
                    let minimum = isNext ? options.reserveChance : 0
                    chance = 1 - pow(1 - side * max(minimum, habits.chance(of: need, at: away)), gestures)
                }
                let worth = chance / weights.weight(of: item, frame)
                if worth * min(wait, options.longestWait) >= options.minimumSaving {
                    found.append((item, chance, worth))
                }
            }
        }
        // Most saved per byte first: the likely items, and the cheap ones among them.
        found.sort { ($1.worth, $0.item) < ($0.worth, $1.item) }
        let start = course.duration
        for (item, chance, _) in found {
            list.append(Want(item: item, neededIn: start + habits.rest * (2 - chance), reason: .next))
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
        let minimum = view.motion.phase == .drag ? options.worthFinishingInDrag : options.worthFinishing
        if !isElsewhere, task.fraction + again >= minimum { return true }
        // The slot is free again when the rest has arrived, or when a new connection is open.
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
    /// Returns the band of the content that appears between `from` and `to` CSS pixels of travel from here. `from` may be
    /// negative: minus the viewport's height is the present trailing edge.
    func ahead(from: Double, to: Double) -> Range<Double> {
        let to = max(from, to)
        return motion.direction > 0
            ? (band.upperBound + from)..<(band.upperBound + to) : (band.lowerBound - to)..<(band.lowerBound - from)
    }

    /// Time that a screenful takes to fetch, in milliseconds.
    var screenTime: Double { network.fetchTime + Double(visible.count) * network.itemInterval }

    /// Number of missing visible items, minus the number of pictures that the link carries at the same time. 0 if the content
    /// has been still for twice `screenTime`. A download that started earlier than that no longer counts, because it is not on
    /// the link.
    var excess: Double {
        let since = motion.time - 2 * screenTime
        guard motion.stillSince > since else { return 0 }
        return Double(visible.count { !isSettled($0) && task($0)?.started ?? .infinity > since }) - network.capacity
    }

    /// Visible items per CSS pixel of scrolling.
    var density: Double { Double(visible.count) / max(1, viewport.height) }
}

/// Relative costs of fetching items: 1 for the usual picture.
///
/// The length of a picture is known once it begins to arrive. For other pictures only the shape is known, or the shape that the
/// layout assumes. At one resolution the bytes of a picture grow with its area, so a panorama costs as much as several
/// portraits of the same row.
struct ItemWeights {
    /// Bounds of an estimate by shape, because a shape says little about bytes.
    static let bounds = 0.25...4.0
    /// Approximate number of visible cells whose area is measured.
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

    func weight(of item: Int, _ frame: Frame) -> Double {
        if let bytes = view.task(item)?.bytes { return max(bytes / view.network.itemBytes, 0.01) }
        guard usualArea > 0 else { return 1 }
        return (frame.width * frame.height / usualArea).clamped(to: Self.bounds, or: 1)
    }
}
