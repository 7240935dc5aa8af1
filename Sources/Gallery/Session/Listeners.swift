import Media
import MicroHTTP
import Thumbnails
import Viewport

/// The events that a client wants on its stream. Every stream receives `bye`.
package struct EventSelection: Sendable {
    /// Names of the wanted events. `nil` for all but `progress`, `record` and `audience`.
    package var only: Set<String>?
    /// Whether the client takes the plans after updates from the responses, so that the stream sends only the other plans.
    package var leavesOutAnsweredPlans: Bool

    package init(only: Set<String>? = nil, leavesOutAnsweredPlans: Bool = false) {
        self.only = only
        self.leavesOutAnsweredPlans = leavesOutAnsweredPlans
    }

    func contains(_ name: String) -> Bool { only?.contains(name) ?? !Self.onRequest.contains(name) }

    /// The events that a client must name to receive them.
    private static let onRequest: Set = ["progress", "record", "audience"]
}

/// An event stream of a session, and the events it receives.
struct Listener: Sendable {
    let stream: EventStream
    let selection: EventSelection
    /// The listener's number in the ledger.
    let number: Int
    /// Whether the server is sending pictures that the listener lacks.
    var isResending = false
    /// Whether pending pictures must be rendered again and wait for free capacity.
    var isStalled = false

    func receives(_ name: String) -> Bool { selection.contains(name) }

    /// Whether the listener receives a plan.
    ///
    /// - Parameter isAnswered: whether a response contains the plan.
    func receivesPlan(isAnswered: Bool) -> Bool {
        selection.contains("plan") && !(isAnswered && selection.leavesOutAnsweredPlans)
    }

    /// Whether so many bytes wait for the reader that it receives small pictures.
    var isBehind: Bool { stream.pressure.bytes >= Listeners.behind }

    func send(_ event: SessionEvent, id: Int, _ effects: inout SessionEffects) {
        send(event.framed(id: id), name: event.name, &effects)
    }

    func send(_ framed: Event, name: String, _ effects: inout SessionEffects) {
        if receives(name) { effects.outbox.put(framed, to: stream) }
    }
}

/// Decides which events each stream of a session receives.
///
/// A page behind a slow connection first receives small pictures of the visible items, and the full pictures as the connection
/// allows. Newly visible pictures must not wait behind earlier ones. The core's ledger records the pictures that a stream
/// lacks. Sent events become effects.
///
/// Pictures are sent again to a stream that reconnects (`Last-Event-ID`) or has caught up. Each picture must be looked up and
/// encoded, which happens in batches without the session's lock.
struct Listeners: Sendable {
    /// Number of waiting bytes from which a reader counts as behind.
    static let behind = 128 << 10
    /// Number of pictures in a batch. Other streams have their turn between batches.
    private static let batchLength = 16
    /// Maximum number of pictures rendered again at the same time for readers that catch up.
    private static let maximumRemade = 8
    /// Delay before pending pictures are checked again, in milliseconds.
    private static let pendingCheckDelay = 100.0

    private(set) var all: [Listener] = []
    /// Whether a check of pending pictures is scheduled.
    var isReminded = false

    /// Pictures that a listener lacks.
    struct Batch: Sendable {
        var items: [Int] = []
        var size = ThumbnailSize(width: 0, height: 0)
        /// Whether the pictures are pending because the listener was behind.
        var arePending = false
    }

    func receives(_ name: String) -> Bool { all.contains { $0.receives(name) } }

    func receivePlan(isAnswered: Bool) -> Bool { all.contains { $0.receivesPlan(isAnswered: isAnswered) } }

    /// Returns the position of a stream in ``all``, or `nil` if the stream has ended.
    private func index(of stream: EventStream) -> Int? { all.firstIndex { $0.stream === stream } }

    func listener(of stream: EventStream) -> Listener? { index(of: stream).map { all[$0] } }

    mutating func add(_ stream: EventStream, _ selection: EventSelection, _ core: inout SessionCore) -> Listener {
        let listener = Listener(stream: stream, selection: selection, number: core.model.ledger.addListener())
        all.append(listener)
        return listener
    }

    /// - Returns: items to fetch again. A page that reconnects lacks their full pictures, so they count as never sent.
    mutating func remove(_ stream: EventStream, _ core: inout SessionCore) -> [Int] {
        guard let index = index(of: stream) else { return [] }
        return core.removeListener(all.remove(at: index).number)
    }

    mutating func close(bye: Event, _ effects: inout SessionEffects) {
        for listener in all { effects.outbox.close(listener.stream, bye: bye) }
        all = []
    }

    // MARK: Sending

    func send(_ event: SessionEvent, id: Int, _ effects: inout SessionEffects) {
        guard !all.isEmpty else { return }
        let framed = event.framed(id: id)
        for listener in all { listener.send(framed, name: event.name, &effects) }
    }

    func send(plan event: SessionEvent, isAnswered: Bool, id: Int, _ effects: inout SessionEffects) {
        let framed = event.framed(id: id)
        for listener in all where listener.receivesPlan(isAnswered: isAnswered) {
            listener.send(framed, name: event.name, &effects)
        }
    }

    mutating func send(
        _ picture: FinishedThumbnail, id: Int, _ core: inout SessionCore, _ effects: inout SessionEffects
    ) {
        guard !all.isEmpty else { return }
        let whole = SessionEvent.thumbnail(picture, item: picture.item).framed(id: id)
        for listener in all { send(picture, whole, id: id, to: listener, &core, &effects) }
    }

    /// Sends a picture to one listener: the full picture, or the small one (if it exists) to a listener that is behind.
    private mutating func send(
        _ picture: FinishedThumbnail, _ whole: Event, id: Int, to listener: Listener, _ core: inout SessionCore,
        _ effects: inout SessionEffects
    ) {
        let isUnwritten = effects.outbox.bytes(for: listener.stream) >= Self.behind
        let keepsUp = !listener.isBehind && !isUnwritten
        if isUnwritten { remind(&effects) }
        core.model.ledger.delivered(picture.item, whole: keepsUp, to: listener.number)
        if keepsUp {
            listener.send(whole, name: "thumbnail", &effects)
        } else if !picture.thumbnail.small.isEmpty {
            listener.send(.smallThumbnail(picture, item: picture.item), id: id, &effects)
        }
    }

    /// Schedules a check of pending pictures. Needed if pictures are pending because earlier ones are not written yet: unlike a
    /// listener that catches up, this may end without a notification.
    private mutating func remind(_ effects: inout SessionEffects) {
        guard !isReminded else { return }
        isReminded = true
        effects.steps.append(.remind(.pendingPictures, milliseconds: Self.pendingCheckDelay))
    }

    /// Whether any events wait for a reader.
    var haveQueued: Bool { all.contains { $0.stream.pressure.count > 0 } }

    /// Drops queued pictures that a plan neither shows nor wants, from streams with queued events.
    func discardStale(_ plan: Plan, _ effects: inout SessionEffects) {
        effects.discards = SessionEffects.Discards(
            streams: all.filter { $0.stream.pressure.count > 0 }.map { ($0.stream, $0.number) },
            visible: plan.visible, wanted: plan.wanted)
    }

    // MARK: Resending

    /// Begins to send the pictures that a listener lacks, unless this is already in progress.
    mutating func resend(to stream: EventStream, _ effects: inout SessionEffects) {
        guard let index = index(of: stream), !all[index].isResending else { return }
        all[index].isResending = true
        effects.steps.append(.resend(stream))
    }

    /// Sends the pending full pictures of visible items to listeners that keep up.
    mutating func sendPending(_ core: inout SessionCore, _ effects: inout SessionEffects) {
        for index in all.indices
        where core.model.ledger.hasPendingPictures(to: all[index].number) && !all[index].isResending {
            // No capacity for pictures that must be rendered again.
            if all[index].isStalled, core.unfinished >= Self.maximumRemade { continue }
            all[index].isStalled = false
            if !due(to: all[index], core).isEmpty { resend(to: all[index].stream, &effects) }
        }
    }

    private func due(to listener: Listener, _ core: SessionCore) -> [Int] {
        guard !listener.isStalled, !listener.isBehind else { return [] }
        return core.visiblePending(to: listener.number, maximum: Self.batchLength)
    }

    /// Returns the items to send to a stream next. Empty if the stream lacks none.
    mutating func nextBatch(of stream: EventStream, size: ThumbnailSize, _ core: inout SessionCore) -> Batch {
        guard let index = index(of: stream) else { return Batch() }
        let (items, arePending) = core.model.ledger.beginResending(
            to: all[index].number, maximum: Self.batchLength, pending: due(to: all[index], core))
        all[index].isResending = !items.isEmpty
        return Batch(items: items, size: size, arePending: arePending)
    }

    /// Sends an item of a batch if its picture was found.
    ///
    /// - Returns: whether the picture is lost, because no store holds it any longer.
    mutating func deliver(
        _ found: FinishedThumbnail?, of item: Int, arePending: Bool, to stream: EventStream, _ core: inout SessionCore,
        _ effects: inout SessionEffects
    ) -> Bool {
        guard let listener = listener(of: stream) else { return false }
        if let failure = core.failure(of: item) {
            listener.send(.failed(failure, item: item), id: core.nextEventID(), &effects)
        } else if arePending, listener.isBehind {
            // The listener already has the small picture and is behind again.
            core.model.ledger.markPending([item], to: listener.number)
        } else if let found, let id = core.resent(item) {
            let whole = SessionEvent.thumbnail(found, item: item).framed(id: id)
            send(found, whole, id: id, to: listener, &core, &effects)
        } else if found == nil {
            return core.model.ledger.isSettled(item)
        }
        return false
    }

    /// - Parameter lost: items whose pictures must be rendered again.
    /// - Returns: the items to fetch now.
    mutating func endDelivery(lost: [Int], arePending: Bool, to stream: EventStream, _ core: inout SessionCore) -> [Int]
    {
        guard let index = index(of: stream) else { return [] }
        let number = all[index].number
        core.model.ledger.endResending(to: number)
        // A listener that was behind may be behind again when the pictures arrive.
        let room = arePending ? max(0, Self.maximumRemade - core.unfinished) : lost.count
        if lost.count > room {
            core.model.ledger.markPending(lost.dropFirst(room), to: number)
            all[index].isStalled = true
        }
        return Array(lost.prefix(room))
    }
}
