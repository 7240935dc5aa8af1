import TaskPool
import Viewport

/// The last minute of one viewport: the scroll, which pictures were wanted when and why, and the outcome of each.
///
/// A value with fixed limits, at most about 0.9 MB. A new layout restarts the record, because positions then have another meaning.
/// The samples remain, because a trace has them all.
package struct ScrollRecord: Sendable {
    /// Length of a session's record, in milliseconds.
    package static let duration = 60_000.0
    /// Two minutes at 60 samples a second. Beyond each maximum, the oldest ones are dropped.
    package static let maximumSamples = 7_200
    package static let maximumMoments = 4_096
    package static let maximumStops = 2_048
    package static let maximumPictures = 4_096

    /// Number of visible items and of those without their picture, until the next moment.
    package struct Moment: Sendable {
        package var time: Double
        package var visible: Int
        package var blank: Int
    }

    /// Expected end of the scroll, until the next stop.
    package struct Stop: Sendable {
        package var time: Double
        package var landing: Landing
    }

    package struct Picture: Sendable {
        package enum Outcome: Sendable, Equatable {
            case pending, arrived, failed
            case cancelled(CancelCause)
        }

        package let item: Int
        /// When the policy began to want the picture, in milliseconds of the samples' clock.
        package fileprivate(set) var wanted: Double
        /// Expected time until the picture is needed, in milliseconds.
        package let neededIn: Double
        /// Number of wanted pictures that were more urgent.
        package let place: Int
        package let reason: WantReason
        fileprivate let isDownwards: Bool
        /// When the download began, or `nil` if it was not seen to run.
        package fileprivate(set) var requested: Double?
        /// The limit for which the download has waited.
        package fileprivate(set) var limit: SlotLimit?
        /// When the outcome was known, or `nil` while it is pending.
        package fileprivate(set) var ended: Double?
        package fileprivate(set) var outcome = Outcome.pending
        /// When the picture was first in view with its thumbnail there.
        package fileprivate(set) var seen: Double?
        package fileprivate(set) var bytes: Int?

        fileprivate mutating func shift(by offset: Double) {
            wanted += offset
            requested = requested.map { $0 + offset }
            ended = ended.map { $0 + offset }
            seen = seen.map { $0 + offset }
        }
    }

    private let duration: Double
    package private(set) var samples: RecentElements<ScrollSample>
    package private(set) var moments: RecentElements<Moment>
    package private(set) var stops: RecentElements<Stop>
    package private(set) var pictures: RecentElements<Picture>
    /// Number of the picture of each item that is pending, or has arrived and is unseen.
    private var open: [Int: Int] = [:]
    private var visible = 0..<0
    /// Time of the latest event.
    package private(set) var time = 0.0
    /// Time of the first plan with the layout in force.
    private var began: Double?
    /// Indices of the pictures that changed since the last call of ``takeChanges()``, or `nil` if no client reads changes.
    private var changed: Set<Int>?
    private var listedStops = 0

    /// - Parameter minutes: length, at least 1. All limits are multiples of those of a minute.
    package init(minutes: Int = 1) {
        duration = Self.duration * Double(minutes)
        samples = RecentElements(capacity: minutes * Self.maximumSamples)
        moments = RecentElements(capacity: minutes * Self.maximumMoments)
        stops = RecentElements(capacity: minutes * Self.maximumStops)
        pictures = RecentElements(capacity: minutes * Self.maximumPictures)
    }

    // MARK: The scroll

    /// Adds a sample. Ignores a sample with a non-finite number, or with an earlier time than the last sample.
    package mutating func add(_ sample: ScrollSample) {
        guard sample.time.isFinite, sample.scrollTop.isFinite else { return }
        if let last = samples.last, sample.time < last.time { return }
        samples.append(sample)
    }

    /// Adds a plan.
    ///
    /// - Parameters:
    ///   - direction: direction of the last movement, 1 or -1.
    ///   - hasJumped: whether the content jumped at this plan.
    ///   - hasNewPolicy: whether the plan follows a change of the policy.
    package mutating func add(_ plan: Plan, at time: Double, direction: Double, hasJumped: Bool, hasNewPolicy: Bool) {
        self.time = max(self.time, time)
        if began == nil { began = time }
        let isDownwards = direction > 0
        for item in plan.cancel {
            guard let number = open.removeValue(forKey: item) else { continue }
            let isBehind = isDownwards ? item < plan.visible.lowerBound : item >= plan.visible.upperBound
            update(number) { picture in
                let behind: CancelCause = picture.isDownwards == isDownwards ? .passed : .turned
                let cause: CancelCause = hasNewPolicy ? .policy : hasJumped ? .jumped : isBehind ? behind : .prediction
                picture.outcome = .cancelled(cause)
                picture.ended = time
            }
        }
        for place in plan.requested { add(plan.wanted[place], place: place, at: time, isDownwards: isDownwards) }
        if stops.last?.landing != plan.landing { stops.append(Stop(time: time, landing: plan.landing)) }
    }

    /// Adds a picture that is wanted from now on. `place` is the number of more urgent ones.
    package mutating func add(_ want: Want, place: Int, at time: Double, isDownwards: Bool = true) {
        open[want.item] = pictures.endIndex
        changed?.insert(pictures.endIndex)
        let dropped = pictures.append(
            Picture(
                item: want.item, wanted: time, neededIn: min(want.neededIn, 1e6), place: place, reason: want.reason,
                isDownwards: isDownwards))
        if let dropped, let number = open[dropped.item], number < pictures.startIndex { open[dropped.item] = nil }
    }

    /// Sets the items in view. An item that comes into view is seen if its picture is there.
    package mutating func show(_ items: Range<Int>, at time: Double) {
        guard items != visible else { return }
        for item in items where !visible.contains(item) { see(item, at: time) }
        visible = items
    }

    /// Adds the number of visible items and of those without their picture, if either has changed.
    package mutating func expose(visible: Int, blank: Int, at time: Double) {
        if let last = moments.last, last.visible == visible, last.blank == blank { return }
        moments.append(Moment(time: time, visible: visible, blank: blank))
    }

    /// Forgets all positions, because the layout has changed.
    package mutating func restart(at time: Double) {
        pictures.removeAll()
        stops.removeAll()
        open = [:]
        visible = 0..<0
        began = time
    }

    /// When the record begins, in milliseconds of the samples' clock.
    package var start: Double { max(time - duration, began ?? time) }

    /// Moves the end of the record to a later time.
    package mutating func elapse(to time: Double) { self.time = max(self.time, time) }

    /// Moves all times but those of the samples, because the samples' clock is known from now on.
    package mutating func shift(by offset: Double) {
        time += offset
        began = began.map { $0 + offset }
        for index in moments.indices { moments[index].time += offset }
        for index in stops.indices { stops[index].time += offset }
        for index in pictures.indices { pictures[index].shift(by: offset) }
    }

    /// The samples since ``start``. The first one is the position then, if it is known.
    var samplesSinceStart: [ScrollSample] {
        guard let first = samples.lastIndex(where: { $0.time <= start }) else { return Array(samples) }
        guard samples[first].time < start else { return Array(samples[first...]) }
        return [ScrollSample(time: start, scrollTop: samples[first].scrollTop, phase: .idle)] + samples[(first + 1)...]
    }

    /// Returns the moments since a time, and the one in force then.
    package func moments(since time: Double) -> [Moment] {
        let later = moments.firstIndex { $0.time >= time } ?? moments.endIndex
        return Array(moments[max(moments.startIndex, later - 1)...])
    }

    // MARK: Outcomes

    package mutating func requested(_ item: Int, at time: Double, after limit: SlotLimit? = nil) {
        guard let number = open[item], pictures[number].requested == nil, pictures[number].outcome == .pending else {
            return
        }
        update(number) { ($0.requested, $0.limit) = (max($0.wanted, time), limit) }
    }

    package mutating func arrived(_ item: Int, bytes: Int, at time: Double) {
        self.time = max(self.time, time)
        guard let number = open[item] else { return }
        update(number) { picture in
            picture.outcome = .arrived
            picture.ended = max(time, picture.wanted)
            picture.bytes = bytes
        }
        if visible.contains(item) { see(item, at: time) }
    }

    package mutating func failed(_ item: Int, at time: Double) {
        guard let number = open.removeValue(forKey: item) else { return }
        update(number) { picture in
            picture.outcome = .failed
            picture.ended = max(time, picture.wanted)
        }
    }

    private mutating func see(_ item: Int, at time: Double) {
        guard let number = open[item], pictures[number].outcome == .arrived else { return }
        open[item] = nil
        update(number) { $0.seen = max(time, $0.wanted) }
    }

    // MARK: Changes

    /// Returns the indices of the pictures that changed and of the stops that were added since the last call. Begins to track
    /// changes at the first call.
    package mutating func takeChanges() -> (pictures: [Int], stops: Range<Int>) {
        defer { (changed, listedStops) = ([], stops.endIndex) }
        guard let changed else { return ([], stops.endIndex..<stops.endIndex) }
        return (
            changed.filter { $0 >= pictures.startIndex }.sorted(),
            max(listedStops, stops.startIndex)..<stops.endIndex
        )
    }

    /// Stops tracking changes.
    package mutating func ignoreChanges() { changed = nil }

    private mutating func update(_ number: Int, _ body: (inout Picture) -> Void) {
        guard pictures.indices.contains(number) else { return }
        body(&pictures[number])
        changed?.insert(number)
    }
}

/// Why a want was cancelled.
package enum CancelCause: String, Sendable, CaseIterable {
    /// The scroll turned, and the item is behind it.
    case turned
    /// The scroll has passed the item.
    case passed
    /// The content jumped elsewhere.
    case jumped
    /// The item is ahead, but the scroll is now expected to stop before it or to pass it too fast.
    case prediction
    /// The session has another policy, or its prefetching was turned on or off.
    case policy
}
