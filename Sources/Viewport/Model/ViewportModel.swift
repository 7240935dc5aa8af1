/// One viewport over one layout. Turns scroll samples into plans.
///
/// A model is a pure value: time comes with the samples, and only the caller acts on a plan. The same samples and reports
/// always yield the same plans. No sample can break the model: `scrollTop` is clamped to the content, a NaN counts as the value
/// before, and a time that runs backwards counts as no time passed.
public struct ViewportModel: Sendable {
    public private(set) var layout: any Layout
    public private(set) var viewport: Size
    public private(set) var policy: PolicyName
    /// Whether items are requested before they are visible.
    public private(set) var prefetching: Bool
    /// Smallest range that holds every item overlapping the viewport.
    public private(set) var visible: Range<Int> = 0..<0
    /// Cost of fetching, kept up to date by the caller. The next update uses it.
    public var network = NetworkEstimate()
    /// When to call `tick(at:)` if no sample arrives, in milliseconds of the samples' clock. `nil` if that is not needed.
    public private(set) var nextTick: Double?

    /// Scroll as of the last sample.
    private var sampled = Motion()
    /// Scroll as of the last tick, or `nil` if a sample arrived after it.
    private var ticked: Motion?
    private var deciding: any Policy
    package var ledger: ItemLedger
    private var hinted = HintedItems()

    /// Creates a viewport at the top of the content. Nothing is requested before the first update.
    ///
    /// - Parameter viewport: Size of the viewport in CSS pixels, each side 0 to 1,000,000. Other values are moved to the nearest bound.
    public init(layout: any Layout, viewport: Size, policy: PolicyName, prefetching: Bool = true) {
        self.init(
            layout: layout, viewport: viewport, deciding: PolicyRegistry.policy(policy).init(), prefetching: prefetching
        )
    }

    /// Creates a viewport with the policy `deciding`, configured as the caller likes.
    package init(layout: any Layout, viewport: Size, deciding: any Policy, prefetching: Bool = true) {
        self.layout = layout
        self.viewport = Self.sanitized(viewport)
        self.policy = type(of: deciding).name
        self.prefetching = prefetching
        self.deciding = deciding
        ledger = ItemLedger(itemCount: layout.itemCount)
    }

    /// Scroll as of the last sample or tick.
    private var motion: Motion { ticked ?? sampled }

    /// Scroll position in CSS pixels, within the content.
    public var scrollTop: Double { motion.scrollTop }

    /// Direction of the last movement: 1 downwards, -1 upwards.
    package var direction: Double { motion.direction }

    /// Whether the content jumped at the last sample.
    package var hasJumped: Bool { motion.lastJump == motion.time }

    /// Time of the last sample or later tick, in milliseconds of the samples' clock.
    public var time: Double { motion.time }

    /// Updates the position of the content.
    public mutating func update(_ sample: ScrollSample) -> Plan {
        var sample = sample
        sample.scrollTop = clampedScrollTop(sample.scrollTop)
        ticked = nil
        sampled.update(sample, height: viewport.height, maxScrollTop: maxScrollTop)
        if let hint = sample.hint { take(hint) }
        return decide()
    }

    /// Decides again at `time` without a new sample. See `nextTick`.
    ///
    /// Assumes that the content is where the last sample reported it. A tick is no sample: the next sample continues the scroll
    /// as if there had been no tick.
    public mutating func tick(at time: Double) -> Plan {
        ticked = sampled.afterSilence(until: max(self.time, time), height: viewport.height, maxScrollTop: maxScrollTop)
        return decide()
    }

    /// Records that the download of `item` began at `time`, in milliseconds of the samples' clock. Optional.
    public mutating func started(_ item: Int, at time: Double) {
        ledger.started(item, at: time.isFinite ? time : self.time)
    }

    /// Records that `fraction` (0 ... 1) of `item` has arrived, and its size in bytes if known. Optional.
    public mutating func received(_ item: Int, fraction: Double, of bytes: Double? = nil) {
        ledger.received(
            item, fraction: fraction.clamped(to: 0...1, or: 0),
            of: bytes?.clamped(to: 1...1e9, or: network.sanitized.itemBytes))
    }

    /// Result of a download.
    public enum Outcome: Sendable, Hashable {
        case ready
        case failed
    }

    /// Records that the picture of `item` has reached the page, or failed. The item is not requested again until it is
    /// forgotten.
    public mutating func finished(_ item: Int, as outcome: Outcome) {
        switch outcome {
        case .ready: ledger.ready(item)
        case .failed: ledger.failed(item)
        }
    }

    /// Allows the next update to request these items again, because the page released their pictures or wants to retry.
    public mutating func forget(_ items: some Sequence<Int>) { ledger.forget(items) }

    /// Changes the layout, the size or both. The content at the top of the viewport stays there.
    public mutating func relayout(_ layout: any Layout, viewport: Size) -> Plan {
        let top = motion.scrollTop
        let anchor = visible.isEmpty || top <= 0 ? nil : visible.lowerBound
        let old = anchor.map { self.layout.frame(of: $0) }
        hinted.clear()
        self.layout = layout
        self.viewport = Self.sanitized(viewport)
        var scrollTop = top
        if let anchor, let old {
            let new = layout.frame(of: min(anchor, max(0, layout.itemCount - 1)))
            // If the cell is partly above the viewport, keep the same part of its height hidden.
            let hidden = top - old.y
            scrollTop = new.y + (hidden > 0 && old.height > 0 ? hidden * new.height / old.height : hidden)
        }
        ledger.resize(to: layout.itemCount)
        sampled.relocate(to: clampedScrollTop(scrollTop), at: time)
        ticked = nil
        return decide()
    }

    /// Changes the policy. The returned plan cancels requests that the new policy does not want.
    public mutating func setPolicy(_ name: PolicyName) -> Plan {
        policy = name
        deciding = PolicyRegistry.policy(name).init()
        return decide()
    }

    /// Sets whether items are requested before they are visible. If turned off, the returned plan cancels such requests.
    public mutating func setPrefetching(_ on: Bool) -> Plan {
        prefetching = on
        return decide()
    }

    private static func sanitized(_ size: Size) -> Size {
        Size(
            width: size.width.clamped(to: LayoutOptions.widthBounds, or: 0),
            height: size.height.clamped(to: LayoutOptions.widthBounds, or: 0))
    }

    private func clampedScrollTop(_ value: Double) -> Double {
        value.clamped(to: 0...maxScrollTop, or: motion.scrollTop)
    }

    private var maxScrollTop: Double { max(0, layout.contentHeight - viewport.height) }

    /// Maximum number of items that count as visible, because every update visits each of them. If there are more, the items
    /// furthest down are left out.
    public static let maximumVisible = 20_000

    // MARK: - Deciding

    private mutating func decide() -> Plan {
        let motion = motion
        let band = motion.scrollTop..<(motion.scrollTop + viewport.height)
        visible = layout.items(in: band)
        visible = visible.lowerBound..<min(visible.upperBound, visible.lowerBound + Self.maximumVisible)
        var list = WantList()
        if prefetching {
            deciding.decide(
                PolicyView(
                    layout: layout, viewport: viewport, motion: motion, visible: visible, network: network.sanitized,
                    ledger: ledger),
                &list)
        }
        nextTick = list.nextTick
        // Only Lookahead uses hints. The other policies imitate their namesakes, which see only the scroll.
        if prefetching, deciding is LookaheadPolicy, let (items, until) = hinted.current(at: motion.time) {
            list.insert(items, neededIn: motion.course.duration, reason: .hint)
            nextTick = min(nextTick ?? until, until)
        }
        // A policy may leave out visible items while the content moves. The last samples of a scroll can get lost, so the model
        // decides again after a silence.
        if let end = motion.silenceEnd { nextTick = min(nextTick ?? end, end) }
        // Decide only once for each moment.
        if let tick = nextTick, tick <= motion.time { nextTick = motion.time.nextUp }
        return subtract(list)
    }

    private mutating func take(_ hint: Hint) {
        let screen = max(1, layout.items(in: motion.scrollTop..<(motion.scrollTop + viewport.height)).count)
        let waiting = Set(ledger.asked.lazy.filter { !$0.hasBegun }.map(\.item))
        hinted.take(
            hint,
            places: layout.items(of: hint, height: viewport.height, maxScrollTop: maxScrollTop, count: screen),
            screen: screen, at: motion.time, isWaiting: waiting.contains)
    }

    private mutating func subtract(_ list: WantList) -> Plan {
        var wants: [Want] = []
        wants.reserveCapacity(visible.count + list.items.count)
        if list.includesVisible {
            for item in visible { wants.append(Want(item: item, visible: true, neededIn: 0, reason: .visible)) }
        } else {
            for want in list.items where visible.contains(want.item) {
                var want = want
                want.visible = true
                if want.reason != .preview { want.reason = .visible }
                wants.append(want)
            }
        }
        for want in list.items where !visible.contains(want.item) { wants.append(want) }
        let difference = ledger.replaceWants(wants, visible: visible)
        return Plan(
            visible: visible, prefetch: difference.ahead, cancel: difference.cancelled, wanted: difference.wanted,
            requested: difference.requested, ready: difference.ready, scrollTop: motion.scrollTop,
            velocity: motion.velocity, landing: motion.landing, contentHeight: layout.contentHeight)
    }
}
