/// State of each item of one viewport. No other part of a session stores this state.
///
/// An item is absent at first, asked once it is wanted, and then ready or failed. The item becomes absent again if it is no
/// longer wanted before its picture arrives, or if it is forgotten. The session of a server also records here which event
/// carried each picture, why an item failed, and which items each listener has not received.
package struct ItemLedger: Sendable {
    package enum State: UInt8, Sendable {
        case absent = 0
        case asked = 1
        case ready = 2
        case failed = 3
    }

    /// Changes caused by new wants.
    package struct Difference {
        /// Wants whose items are neither ready nor failed, in their order, each with its generation.
        package var wanted: [Want] = []
        /// Newly requested items that are not visible.
        package var ahead: [Int] = []
        /// Places in ``wanted`` of the newly requested items, visible or not.
        package var requested: [Int] = []
        /// Items requested earlier, neither ready nor failed, that are no longer wanted.
        package var cancelled: [Int] = []
        /// Number of wanted or visible items that are ready.
        package var ready = 0
    }

    /// Maximum number of failures whose error is remembered. Beyond it, each new error replaces another one. The item of the
    /// other error stays failed.
    package static let maxErrors = 4096

    /// Items requested and neither ready nor failed, oldest first.
    package private(set) var asked: [Asked] = []
    private var states: ItemStates
    private var itemCount: Int
    private var sent = SentItems()
    /// Items that are shown by their preview, because their picture has not arrived.
    private var previews = SentItems()
    private var errors: [Int: any Error] = [:]
    /// One element for each listener. There are few.
    var missed: [MissedItems] = []
    var lastListener = 0

    package init(itemCount: Int) {
        self.itemCount = itemCount
        states = ItemStates(count: itemCount)
    }

    // MARK: Look-ups

    package subscript(item: Int) -> State { states[item] }

    /// Returns whether the picture of an item has arrived, or failed.
    package func isSettled(_ item: Int) -> Bool {
        switch states[item] {
        case .ready, .failed: true
        case .absent, .asked: false
        }
    }

    /// Returns how often an item was forgotten, modulo 32.
    package func generation(of item: Int) -> UInt8 { states.generation(of: item) }

    /// Returns the number of the event that carried an item's picture, or `nil` if no event did.
    package func event(of item: Int) -> Int? { sent.id(of: item) }

    /// Number of items that were sent and not forgotten.
    package var sentCount: Int { sent.count }

    /// Returns the items that were sent after an event and not forgotten, in the order of their events.
    package func items(sentAfter event: Int) -> [Int] { sent.items(after: event) }

    /// Returns the number of the event that carried an item's preview. `nil` if no event did, and once the picture has arrived.
    package func preview(of item: Int) -> Int? { previews.id(of: item) }

    /// Returns the error of a failed item, if it is remembered.
    package func error(of item: Int) -> (any Error)? { errors[item] }

    package var failedItems: some Collection<Int> { errors.keys }

    // MARK: Wants

    /// Replaces all wants, given most urgent first. If an item is wanted twice, only the first want counts.
    package mutating func replaceWants(_ wants: [Want], visible: Range<Int>) -> Difference {
        var difference = Difference()
        difference.wanted.reserveCapacity(wants.count)
        for var want in wants where want.item < itemCount && states.markOnce(want.item) {
            switch states[want.item] {
            case .ready:
                difference.ready += 1
                continue
            case .failed: continue
            case .absent:
                states[want.item] = .asked
                asked.append(Asked(item: want.item))
                difference.requested.append(difference.wanted.count)
                if !want.visible { difference.ahead.append(want.item) }
            case .asked: break
            }
            want.generation = states.generation(of: want.item)
            difference.wanted.append(want)
        }
        for task in asked where !states.isMarked(task.item) {
            difference.cancelled.append(task.item)
            states[task.item] = .absent
        }
        if !difference.cancelled.isEmpty { asked.removeAll { states[$0.item] != .asked } }
        // Policies that list the visible items themselves leave out the ready ones.
        for item in visible where states[item] == .ready && !states.isMarked(item) { difference.ready += 1 }
        for want in wants { states.unmark(want.item) }
        return difference
    }

    /// Records that the download of a requested item began at `time`, in milliseconds.
    mutating func started(_ item: Int, at time: Double) {
        guard let index = asked.firstIndex(where: { $0.item == item }) else { return }
        asked[index].started = time
    }

    /// Records that the part `fraction` (0 ... 1) of a requested item has arrived, and its size in bytes if known.
    mutating func received(_ item: Int, fraction: Double, of bytes: Double?) {
        guard let index = asked.firstIndex(where: { $0.item == item }) else { return }
        asked[index].fraction = fraction
        if let bytes { asked[index].bytes = bytes }
    }

    // MARK: Outcomes

    /// Records that the picture of an item has arrived.
    package mutating func ready(_ item: Int) {
        settle(item, as: .ready)
        errors[item] = nil
    }

    /// Records that the picture of an item has arrived and is sent.
    ///
    /// - Parameters:
    ///   - event: greater than every number before.
    ///   - capacity: maximum number of items remembered as sent. Beyond it, the items sent first are forgotten.
    package mutating func sent(_ item: Int, event: Int, capacity: Int) {
        ready(item)
        forget(sent.record(item, id: event, capacity: capacity))
    }

    /// Records that the preview of an item is sent. The item stays wanted.
    ///
    /// - Parameters:
    ///   - event: greater than every number before.
    ///   - capacity: maximum number of previews remembered as sent. Beyond it, the previews sent first are forgotten.
    package mutating func previewed(_ item: Int, event: Int, capacity: Int) {
        guard !isSettled(item), item >= 0, item < itemCount else { return }
        _ = previews.record(item, id: event, capacity: capacity)
    }

    /// Forgets which previews were sent, so that they may be sent again.
    package mutating func forgetPreviews(_ items: some Sequence<Int>) { for item in items { previews.remove(item) } }

    /// Records that the picture of an item is sent again. Does nothing if the picture is not recorded as sent.
    ///
    /// - Returns: whether the picture was recorded as sent.
    @discardableResult
    package mutating func resent(_ item: Int, event: Int) -> Bool {
        guard sent.id(of: item) != nil else { return false }
        _ = sent.record(item, id: event, capacity: .max)
        return true
    }

    package mutating func failed(_ item: Int, _ error: (any Error)? = nil) {
        settle(item, as: .failed)
        sent.remove(item)
        for index in missed.indices { missed[index].pending.remove(item) }
        guard let error else { return }
        if errors.count >= Self.maxErrors, let other = errors.keys.first { errors[other] = nil }
        errors[item] = error
    }

    private mutating func settle(_ item: Int, as state: State) {
        asked.removeAll { $0.item == item }
        previews.remove(item)
        if item >= 0, item < itemCount { states[item] = state }
    }

    // MARK: Forgetting

    /// Makes ready or failed items absent, in their next generation. Their whole pictures are no longer pending for any
    /// listener.
    package mutating func forget(_ items: some Sequence<Int>) {
        forgetPreviews(items)
        for item in items where isSettled(item) {
            states.forget(item)
            sent.remove(item)
            errors[item] = nil
            for index in missed.indices { missed[index].remove(item) }
        }
    }

    /// Forgets every item, and the pending items of every listener.
    package mutating func forgetAll() {
        states.forgetAll()
        sent = SentItems()
        previews = SentItems()
        errors = [:]
        for index in missed.indices { missed[index].removeAll() }
    }

    /// Changes the number of items. Items beyond are dropped.
    mutating func resize(to itemCount: Int) {
        self.itemCount = itemCount
        states.resize(to: itemCount)
    }
}

/// A requested item and the progress of its download.
package struct Asked: Sendable {
    package var item: Int
    /// When the download began, in milliseconds, or `nil` if it has not begun.
    package var started: Double?
    /// Received share of the picture, 0 ... 1.
    package var fraction = 0.0
    /// Size of the picture in bytes, or `nil` until the origin reports it.
    package var bytes: Double?

    var hasBegun: Bool { started != nil || fraction > 0 || bytes != nil }
}
