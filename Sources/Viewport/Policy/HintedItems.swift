import Numbers

/// Turns hints into items to fetch, within a budget.
///
/// In Khameleon (Mohammed, Wei, Wu, Netravali: VLDB 2020) the next requests form a probability distribution, and the amount
/// fetched ahead follows the probability. Here the distribution has only one place, that of the latest hint. For ``lifetime``
/// the policy wants a part of one screen there: a share equal to the hint's confidence. Each item is paid for from a bucket of
/// ``capacity`` screens that refills by one screen per ``refill``. A pointer that wanders over the scrubber thus costs one
/// screen every two seconds, not one for each place that the pointer passes. If the hint changes, items that were requested and
/// have not begun are refunded.
struct HintedItems: Sendable {
    /// Time for which a hint is valid, in milliseconds.
    static let lifetime = 2_000.0
    /// Maximum number of screens in the budget.
    static let capacity = 2.0
    /// Time in which the budget grows by one screen, in milliseconds.
    static let refill = 2_000.0

    /// Items of the valid hint, most likely first.
    private(set) var items: [Int] = []
    private var expiry = -Double.infinity
    /// Screens left to spend at `time`.
    private var budget = HintedItems.capacity
    private var time = -Double.infinity

    /// Replaces the hint by one that arrived at `time`, in milliseconds.
    ///
    /// - Parameters:
    ///   - places: the items that the hint suggests, most likely first.
    ///   - screen: number of items on a screen.
    ///   - isWaiting: whether an item was requested and its download has not begun.
    mutating func take(
        _ hint: Hint, places: [Int], screen: Int, at time: Double, isWaiting: (Int) -> Bool
    ) {
        let price = 1 / Double(max(1, screen))
        earn(at: time)
        let maximum = Int(clamping: (hint.confidence * Double(screen)).rounded(.up))
        let wanted = places.prefix(maximum)
        let paid = Set(items)
        for item in paid.subtracting(wanted) where isWaiting(item) { budget += price }
        budget = min(budget, Self.capacity)
        items = []
        for item in wanted {
            if !paid.contains(item) {
                guard budget >= price else { continue }
                budget -= price
            }
            items.append(item)
        }
        expiry = time + Self.lifetime
    }

    /// Returns the items of the hint that is valid at `time` and the time when it expires, or `nil` if there is no valid hint.
    mutating func current(at time: Double) -> (items: [Int], until: Double)? {
        if time >= expiry { clear() }
        return items.isEmpty ? nil : (items, expiry)
    }

    /// Forgets the hint, because positions now have another meaning. The budget does not change.
    mutating func clear() {
        items = []
        expiry = -.infinity
    }

    private mutating func earn(at now: Double) {
        if time.isFinite { budget = min(Self.capacity, budget + max(0, now - time) / Self.refill) }
        time = max(time, now)
    }
}

extension Layout {
    /// Returns the items that a hint suggests, most likely first: the items of a screen at its `scrollTop`, or its item and
    /// neighbours.
    ///
    /// - Parameter count: maximum number of neighbours after the item. At most half as many precede it.
    func items(of hint: Hint, height: Double, maxScrollTop: Double, count: Int) -> [Int] {
        if let scrollTop = hint.scrollTop, scrollTop.isFinite {
            let top = scrollTop.clamped(to: 0...maxScrollTop, or: 0)
            return Array(items(in: top..<(top + height)))
        }
        guard let item = hint.item, item >= 0, item < itemCount else { return [] }
        // Alternate two steps forwards with one step back.
        let reach = (1...max(1, count)).lazy.flatMap { $0 % 2 == 0 ? [$0, -$0 / 2] : [$0] }
        return ([0] + reach).map { item + $0 }.filter { $0 >= 0 && $0 < itemCount }
    }
}
