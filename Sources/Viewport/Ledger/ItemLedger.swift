/// The state of each item of one viewport. No other place of a session keeps it.
///
/// An item is absent, asked for once it is wanted, and then ready or failed. It is absent again when it is wanted no more
/// before it came, or when it is forgotten. A server's session also keeps here the event that carried each picture, why an
/// item failed, and what each listener has not got.
package struct ItemLedger: Sendable {
    package enum State: UInt8, Sendable {
        case absent = 0
        case asked = 1
        case ready = 2
        case failed = 3
    }

    /// The difference that new wants make.
    package struct Difference {
        /// Those that are neither ready nor failed, in their order, each with its generation.
        package var wanted: [Want] = []
        /// Items asked for anew that are not visible.
        package var ahead: [Int] = []
        /// Items asked for before, neither ready nor failed, that are wanted no more.
        package var cancelled: [Int] = []
        /// How many wanted or visible items are ready.
        package var ready = 0
    }

    /// Failures whose error is remembered; those beyond stay failed without one.
    package static let maxErrors = 4096

    /// Items asked for and neither ready nor failed, oldest first.
    package private(set) var asked: [Asked] = []
    private var states: ItemStates
    private var itemCount: Int
    private var sent = SentItems()
    /// Items that are shown by their preview, for want of their picture.
    private var previews = SentItems()
    private var errors: [Int: any Error] = [:]
    /// By listener; few.
    var missed: [MissedItems] = []
    var lastListener = 0

    package init(itemCount: Int) {
        self.itemCount = itemCount
        states = ItemStates(count: itemCount)
    }

    // MARK: Look-ups

    package subscript(item: Int) -> State { states[item] }

    /// Whether the picture of an item came, or never will.
    package func isSettled(_ item: Int) -> Bool {
        switch states[item] {
        case .ready, .failed: true
        case .absent, .asked: false
        }
    }

    /// How often an item was forgotten, modulo 32.
    package func generation(of item: Int) -> UInt8 { states.generation(of: item) }

    /// The number of the event that carried an item's picture; `nil` where none did.
    package func event(of item: Int) -> Int? { sent.id(of: item) }

    /// Items that were sent and not forgotten.
    package var sentCount: Int { sent.count }

    /// Items that were sent after an event and not forgotten, in the order of their events.
    package func items(sentAfter event: Int) -> [Int] { sent.items(after: event) }

    /// The number of the event that carried an item's preview; `nil` where none did, and once its picture came.
    package func preview(of item: Int) -> Int? { previews.id(of: item) }

    /// Why an item failed, where that is remembered.
    package func error(of item: Int) -> (any Error)? { errors[item] }

    /// Items that failed, as far as it is remembered why.
    package var failedItems: some Collection<Int> { errors.keys }

    // MARK: Wants

    /// Replaces all that is wanted, most urgent first; of two wants of one item the first counts.
    ///
    /// - Parameter visible: the items that the viewport shows.
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
        // Policies that list the visible items themselves leave out those that are there.
        for item in visible where states[item] == .ready && !states.isMarked(item) { difference.ready += 1 }
        for want in wants { states.unmark(want.item) }
        return difference
    }

    /// The download of an item that is asked for has begun at `time`, in milliseconds.
    mutating func started(_ item: Int, at time: Double) {
        guard let index = asked.firstIndex(where: { $0.item == item }) else { return }
        asked[index].started = time
    }

    /// The part `fraction` (0 ... 1) of an item that is asked for has come; it weighs so many bytes, where that is known.
    mutating func received(_ item: Int, fraction: Double, of bytes: Double?) {
        guard let index = asked.firstIndex(where: { $0.item == item }) else { return }
        asked[index].fraction = fraction
        if let bytes { asked[index].bytes = bytes }
    }

    // MARK: Outcomes

    /// The picture of an item has come.
    package mutating func ready(_ item: Int) {
        settle(item, as: .ready)
        errors[item] = nil
    }

    /// The picture of an item has come and is sent.
    ///
    /// - Parameters:
    ///   - event: greater than every one before.
    ///   - capacity: items remembered as sent. Those sent first are forgotten beyond it.
    package mutating func sent(_ item: Int, event: Int, capacity: Int) {
        ready(item)
        forget(sent.record(item, id: event, capacity: capacity))
    }

    /// The preview of an item is sent. It settles nothing: the item is wanted as before.
    ///
    /// - Parameters:
    ///   - event: greater than every one before.
    ///   - capacity: previews remembered as sent. Those sent first are forgotten beyond it.
    package mutating func previewed(_ item: Int, event: Int, capacity: Int) {
        guard !isSettled(item), item >= 0, item < itemCount else { return }
        _ = previews.record(item, id: event, capacity: capacity)
    }

    /// The previews of items may be sent again.
    package mutating func forgetPreviews(_ items: some Sequence<Int>) { for item in items { previews.remove(item) } }

    /// The picture of an item is sent again. Nothing is noted where it is not known to have been sent.
    ///
    /// - Returns: whether it is.
    @discardableResult
    package mutating func resent(_ item: Int, event: Int) -> Bool {
        guard sent.id(of: item) != nil else { return false }
        _ = sent.record(item, id: event, capacity: .max)
        return true
    }

    /// The picture of an item will not come.
    package mutating func failed(_ item: Int, _ error: (any Error)? = nil) {
        settle(item, as: .failed)
        sent.remove(item)
        for index in missed.indices { missed[index].owed.remove(item) }
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

    /// Makes items that are ready or failed absent, in their next generation. Nobody is owed them any more.
    package mutating func forget(_ items: some Sequence<Int>) {
        forgetPreviews(items)
        for item in items where isSettled(item) {
            states.forget(item)
            sent.remove(item)
            errors[item] = nil
            for index in missed.indices { missed[index].remove(item) }
        }
    }

    /// Forgets every item, and what listeners are owed.
    package mutating func forgetAll() {
        states.forgetAll()
        sent = SentItems()
        previews = SentItems()
        errors = [:]
        for index in missed.indices { missed[index].removeAll() }
    }

    /// There are so many items from now on; what is beyond is dropped.
    mutating func resize(to itemCount: Int) {
        self.itemCount = itemCount
        states.resize(to: itemCount)
    }
}

/// An item that was asked for, and how far it has come.
package struct Asked: Sendable {
    package var item: Int
    /// When its download began, in milliseconds; nil while it waits.
    package var started: Double?
    /// How much of it has come, 0 ... 1.
    package var fraction = 0.0
    /// Its size in bytes; nil until its origin has said so.
    package var bytes: Double?

    var hasBegun: Bool { started != nil || fraction > 0 || bytes != nil }
}
