import Numbers

/// Turns hints into items to fetch, within a budget.
///
/// As in Khameleon (Mohammed, Wei, Wu, Netravali: VLDB 2020) what may be asked for next is a distribution, and how much of it is
/// fetched follows from how likely it is. Here it is one place at a time, the latest hint's: as large a part of one screen
/// as the hint is likely, for ``lifetime``. Each item is paid for out of a bucket of ``capacity`` screens that fills
/// by one screen in ``refill``; so a pointer that wanders over the scrubber costs a screen every two seconds, not one for
/// each place it passes. What was asked for and had not begun when the hint changed is paid back.
struct HintedItems: Sendable {
    /// How long a hint counts, in milliseconds.
    static let lifetime = 2_000.0
    /// Screens that can be spent at once.
    static let capacity = 2.0
    /// Milliseconds in which one screen is earned.
    static let refill = 2_000.0

    /// Those of the hint in force, most likely first.
    private(set) var items: [Int] = []
    private var expiry = -Double.infinity
    /// Screens left to spend, as of `time`.
    private var budget = HintedItems.capacity
    private var time = -Double.infinity

    /// Takes a hint that came at `time`, in milliseconds.
    ///
    /// - Parameters:
    ///   - places: the items it is about, most likely first.
    ///   - screen: how many items a screen holds.
    ///   - isWaiting: whether an item was asked for and has not begun to come.
    mutating func take(
        _ hint: Hint, places: [Int], screen: Int, at time: Double, isWaiting: (Int) -> Bool
    ) {
        let price = 1 / Double(max(1, screen))
        earn(at: time)
        let most = Int(clamping: (hint.confidence * Double(screen)).rounded(.up))
        let wanted = places.prefix(most)
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

    /// The items of the hint in force at `time`, and when it ends to be; `nil` where there is none.
    mutating func current(at time: Double) -> (items: [Int], until: Double)? {
        if time >= expiry { clear() }
        return items.isEmpty ? nil : (items, expiry)
    }

    /// Forgets the hint: positions mean something else from now on. What was spent stays spent.
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
    /// The items that a hint is about, most likely first: those of the screen it leads to, or the neighbours of its item.
    ///
    /// - Parameters:
    ///   - height: of the viewport.
    ///   - maxScrollTop: where the content ends.
    ///   - count: how many neighbours, at most.
    func items(of hint: Hint, height: Double, maxScrollTop: Double, count: Int) -> [Int] {
        if let scrollTop = hint.scrollTop, scrollTop.isFinite {
            let top = scrollTop.clamped(to: 0...maxScrollTop, or: 0)
            return Array(items(in: top..<(top + height)))
        }
        guard let item = hint.item, item >= 0, item < itemCount else { return [] }
        // Onwards twice as far as back.
        let reach = (1...max(1, count)).lazy.flatMap { $0 % 2 == 0 ? [$0, -$0 / 2] : [$0] }
        return ([0] + reach).map { item + $0 }.filter { $0 >= 0 && $0 < itemCount }
    }
}
