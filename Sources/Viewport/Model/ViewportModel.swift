/// One viewport over one layout: turns scroll samples into plans.
///
/// Pure: time comes with the samples and nothing happens but what the caller does with a plan. The same samples and
/// reports always yield the same plans. Nothing in a sample can break it: `scrollTop` is clamped to the content, a NaN
/// stands for what was known before, and time that runs backwards stands still.
public struct ViewportModel: Sendable {
    public private(set) var layout: any Layout
    public private(set) var viewport: Size
    public private(set) var policy: PolicyName
    /// Whether items are asked for before they are visible.
    public private(set) var prefetching: Bool
    /// The smallest range that holds every item overlapping the viewport.
    public private(set) var visible: Range<Int> = 0..<0
    /// The cost of fetching; the caller keeps it up to date. It is taken into account by the next update.
    public var network = NetworkEstimate()
    /// When `tick(at:)` should be called though no sample has come, in milliseconds of the samples' clock; nil: no need.
    public private(set) var nextTick: Double?

    /// The scroll as of the last sample.
    private var sampled = Motion()
    /// The scroll as of the last tick, if no sample came since.
    private var ticked: Motion?
    private var deciding: any Policy
    /// The state of each item.
    package var ledger: ItemLedger
    private var hinted = HintedItems()

    /// A viewport at the top of the content that has asked for nothing yet.
    ///
    /// - Parameters:
    ///   - layout: Where the items lie.
    ///   - viewport: Its size in CSS pixels, each side 0 to 1,000,000; anything else is moved to the nearest bound.
    ///   - policy: What decides which items to ask for ahead.
    ///   - prefetching: Whether items are asked for before they are visible.
    public init(layout: any Layout, viewport: Size, policy: PolicyName, prefetching: Bool = true) {
        self.init(
            layout: layout, viewport: viewport, deciding: PolicyRegistry.policy(policy).init(), prefetching: prefetching
        )
    }

    /// A viewport that is run by `deciding`, configured as the caller likes.
    package init(layout: any Layout, viewport: Size, deciding: any Policy, prefetching: Bool = true) {
        self.layout = layout
        self.viewport = Self.sanitized(viewport)
        self.policy = type(of: deciding).name
        self.prefetching = prefetching
        self.deciding = deciding
        ledger = ItemLedger(itemCount: layout.itemCount)
    }

    /// The scroll as of the last sample or tick.
    private var motion: Motion { ticked ?? sampled }

    /// How far the content is scrolled, in CSS pixels, within the content.
    public var scrollTop: Double { motion.scrollTop }

    /// Time of the last sample, or of a tick after it, in milliseconds of the samples' clock.
    public var time: Double { motion.time }

    /// Takes in where the content is now.
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
    /// The content is taken to be where the last sample said. Silence is no sample: the next one continues the scroll as if
    /// there had been no tick.
    public mutating func tick(at time: Double) -> Plan {
        ticked = sampled.afterSilence(until: max(self.time, time), height: viewport.height, maxScrollTop: maxScrollTop)
        return decide()
    }

    /// A hint that the download of `item` has begun at `time`, in milliseconds of the samples' clock.
    public mutating func started(_ item: Int, at time: Double) {
        ledger.started(item, at: time.isFinite ? time : self.time)
    }

    /// A hint that `fraction` (0 ... 1) of `item` has come, and that it weighs so many bytes, where that is known.
    public mutating func received(_ item: Int, fraction: Double, of bytes: Double? = nil) {
        ledger.received(
            item, fraction: fraction.clamped(to: 0...1, or: 0),
            of: bytes?.clamped(to: 1...1e9, or: network.sanitized.itemBytes))
    }

    /// How a download ended.
    public enum Outcome: Sendable, Hashable {
        case ready
        case failed
    }

    /// The picture of `item` has reached the page, or never will: it is not asked for again until it is forgotten.
    public mutating func finished(_ item: Int, as outcome: Outcome) {
        switch outcome {
        case .ready: ledger.ready(item)
        case .failed: ledger.failed(item)
        }
    }

    /// The page no longer holds these pictures, or wants to try again: the next update may ask for them anew.
    public mutating func forget(_ items: some Sequence<Int>) { ledger.forget(items) }

    /// Another layout, another size, or both. What was at the top of the viewport stays there.
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
            // A cell that is partly out of sight stays so by the same part of its height.
            let hidden = top - old.y
            scrollTop = new.y + (hidden > 0 && old.height > 0 ? hidden * new.height / old.height : hidden)
        }
        ledger.resize(to: layout.itemCount)
        sampled.relocate(to: clampedScrollTop(scrollTop), at: time)
        ticked = nil
        return decide()
    }

    /// Another policy from now on. What it does not want is cancelled by this plan.
    public mutating func setPolicy(_ name: PolicyName) -> Plan {
        policy = name
        deciding = PolicyRegistry.policy(name).init()
        return decide()
    }

    /// Whether items are asked for before they are visible. Turning it off cancels those by this plan.
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

    /// Items that count as visible at once, at most: each of them is looked at in every update. Those furthest down are
    /// left out where there are more.
    public static let mostVisible = 20_000

    // MARK: - A plan is a difference

    private mutating func decide() -> Plan {
        let motion = motion
        let band = motion.scrollTop..<(motion.scrollTop + viewport.height)
        visible = layout.items(in: band)
        visible = visible.lowerBound..<min(visible.upperBound, visible.lowerBound + Self.mostVisible)
        var list = WantList()
        if prefetching {
            deciding.decide(
                PolicyView(
                    layout: layout, viewport: viewport, motion: motion, visible: visible, network: network.sanitized,
                    ledger: ledger),
                &list)
        }
        nextTick = list.nextTick
        // Of the policies only Lookahead looks at more than the scroll: the others do what their namesakes do.
        if prefetching, deciding is LookaheadPolicy, let (items, until) = hinted.current(at: motion.time) {
            list.insert(items, neededIn: motion.course.duration)
            nextTick = min(nextTick ?? until, until)
        }
        // A policy may leave out visible items while the content moves. The last samples of a scroll can get lost, so the model
        // decides again after a silence.
        if let end = motion.silenceEnd { nextTick = min(nextTick ?? end, end) }
        // One decision for each moment.
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
            for item in visible { wants.append(Want(item: item, visible: true, neededIn: 0)) }
        } else {
            for want in list.items where visible.contains(want.item) {
                var want = want
                want.visible = true
                wants.append(want)
            }
        }
        for want in list.items where !visible.contains(want.item) { wants.append(want) }
        let difference = ledger.replaceWants(wants, visible: visible)
        return Plan(
            visible: visible, prefetch: difference.ahead, cancel: difference.cancelled, wanted: difference.wanted,
            ready: difference.ready, scrollTop: motion.scrollTop, velocity: motion.velocity, landing: motion.landing,
            contentHeight: layout.contentHeight)
    }
}
