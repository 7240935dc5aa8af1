import MicroHTTP
import Pictures
import Thumbnails
import Viewport

/// An event stream of a session, and the events it receives.
struct Listener: Sendable {
    let stream: EventStream
    /// Names of events; `nil` for all. `bye` is heard by everyone.
    var only: Set<String>?
    /// Its number in the ledger.
    let number: Int
    /// Whether pictures that it lacks are being looked for.
    var isResending = false
    /// Whether what it is owed has to be made again, and waits for room.
    var isStalled = false

    /// `progress` is for those who ask for it by name.
    func hears(_ name: String) -> Bool { only?.contains(name) ?? (name != "progress") }

    /// Whether so much waits for the reader that it gets small pictures.
    var isBehind: Bool { stream.pressure.bytes >= Listeners.behind }

    func send(_ event: SessionEvent, id: Int, _ effects: inout SessionEffects) {
        send(event.framed(id: id), name: event.name, &effects)
    }

    func send(_ framed: Event, name: String, _ effects: inout SessionEffects) {
        if hears(name) { effects.outbox.put(framed, to: stream) }
    }
}

/// Decides which of a session's streams hears what. A page behind a slow line gets small pictures of what it sees first, and
/// the whole ones as the line allows: what it sees next must not wait behind what it saw before. What a stream lacks is in
/// the core's ledger; what it is sent becomes effects.
///
/// Pictures are sent again to a stream that reconnects (`Last-Event-ID`) or has caught up. Each has to be looked for and
/// encoded: that is done a batch at a time, without the session's lock.
struct Listeners: Sendable {
    /// Bytes waiting for a reader from which on it is behind.
    static let behind = 128 << 10
    /// Pictures looked for at once. Other streams have their turn in between.
    private static let batchLength = 16
    /// Pictures that are made again at once for readers that catch up.
    private static let mostRemade = 8
    /// Until what listeners are owed is looked at again, in milliseconds.
    private static let owedPause = 100.0

    private(set) var all: [Listener] = []
    /// Whether what listeners are owed is looked at again in a moment.
    var isReminded = false

    /// Pictures that a listener lacks.
    struct Batch: Sendable {
        var items: [Int] = []
        var size = ThumbnailSize(width: 0, height: 0)
        /// Whether the listener was behind when they were due.
        var areOwed = false
    }

    func hears(_ name: String) -> Bool { all.contains { $0.hears(name) } }

    /// Where a stream is; `nil` once it has ended.
    private func index(of stream: EventStream) -> Int? { all.firstIndex { $0.stream === stream } }

    func listener(of stream: EventStream) -> Listener? { index(of: stream).map { all[$0] } }

    mutating func add(_ stream: EventStream, only: Set<String>?, _ core: inout SessionCore) -> Listener {
        let listener = Listener(stream: stream, only: only, number: core.addListener())
        all.append(listener)
        return listener
    }

    /// - Returns: items to be fetched again: a page that comes back lacks their whole pictures, so they count as never sent.
    mutating func remove(_ stream: EventStream, _ core: inout SessionCore) -> [Int] {
        guard let index = index(of: stream) else { return [] }
        return core.removeListener(all.remove(at: index).number)
    }

    mutating func close(bye: Event, _ effects: inout SessionEffects) {
        for listener in all { effects.outbox.close(listener.stream, bye: bye) }
        all = []
    }

    // MARK: Sending

    /// Sends an event to every stream that hears it.
    func send(_ event: SessionEvent, id: Int, _ effects: inout SessionEffects) {
        guard !all.isEmpty else { return }
        let framed = event.framed(id: id)
        for listener in all { listener.send(framed, name: event.name, &effects) }
    }

    /// Sends a picture to every listener.
    mutating func send(
        _ picture: FinishedThumbnail, id: Int, _ core: inout SessionCore, _ effects: inout SessionEffects
    ) {
        guard !all.isEmpty else { return }
        let whole = SessionEvent.thumbnail(picture, item: picture.item).framed(id: id)
        for listener in all { send(picture, whole, id: id, to: listener, &core, &effects) }
    }

    /// Sends a picture to one listener: the whole one, or, where it is behind, the small one if there is one.
    private mutating func send(
        _ picture: FinishedThumbnail, _ whole: Event, id: Int, to listener: Listener, _ core: inout SessionCore,
        _ effects: inout SessionEffects
    ) {
        let isUnwritten = effects.outbox.bytes(for: listener.stream) >= Self.behind
        let keepsUp = !listener.isBehind && !isUnwritten
        if isUnwritten { remind(&effects) }
        core.delivered(picture.item, whole: keepsUp, to: listener.number)
        if keepsUp {
            listener.send(whole, name: "thumbnail", &effects)
        } else if !picture.thumbnail.small.isEmpty {
            listener.send(.smallThumbnail(picture, item: picture.item), id: id, &effects)
        }
    }

    /// A listener is owed pictures because others were not written yet, not because it is behind: nobody may be told when
    /// that is over.
    private mutating func remind(_ effects: inout SessionEffects) {
        guard !isReminded else { return }
        isReminded = true
        effects.steps.append(.remind(.owedPictures, milliseconds: Self.owedPause))
    }

    /// Whether anything waits for a reader.
    var haveQueued: Bool { all.contains { $0.stream.pressure.count > 0 } }

    /// Has those that are behind drop queued pictures that a plan neither shows nor wants.
    func discardStale(_ plan: Plan, _ effects: inout SessionEffects) {
        effects.discards = SessionEffects.Discards(
            streams: all.filter { $0.stream.pressure.count > 0 }.map { ($0.stream, $0.number) },
            visible: plan.visible, wanted: plan.wanted)
    }

    // MARK: Sending again

    /// Begins to send what a listener lacks, if that is not under way.
    mutating func resend(to stream: EventStream, _ effects: inout SessionEffects) {
        guard let index = index(of: stream), !all[index].isResending else { return }
        all[index].isResending = true
        effects.steps.append(.resend(stream))
    }

    /// Sends listeners that keep up the whole pictures that they are owed of what is seen.
    mutating func sendOwed(_ core: inout SessionCore, _ effects: inout SessionEffects) {
        for index in all.indices where core.owesPictures(to: all[index].number) && !all[index].isResending {
            // There is no room for what has to be made again.
            if all[index].isStalled, core.unfinished >= Self.mostRemade { continue }
            all[index].isStalled = false
            if !due(to: all[index], core).isEmpty { resend(to: all[index].stream, &effects) }
        }
    }

    private func due(to listener: Listener, _ core: SessionCore) -> [Int] {
        guard !listener.isStalled, !listener.isBehind else { return [] }
        return core.visibleOwed(to: listener.number, most: Self.batchLength)
    }

    /// The items to send to a stream next; empty when it has all.
    mutating func nextBatch(of stream: EventStream, size: ThumbnailSize, _ core: inout SessionCore) -> Batch {
        guard let index = index(of: stream) else { return Batch() }
        let (items, areOwed) = core.beginResending(
            to: all[index].number, most: Self.batchLength, owed: due(to: all[index], core))
        all[index].isResending = !items.isEmpty
        return Batch(items: items, size: size, areOwed: areOwed)
    }

    /// Sends an item of a batch, where its picture was found.
    ///
    /// - Returns: whether the picture is in no store any more.
    mutating func deliver(
        _ found: FinishedThumbnail?, of item: Int, areOwed: Bool, to stream: EventStream, _ core: inout SessionCore,
        _ effects: inout SessionEffects
    ) -> Bool {
        guard let listener = listener(of: stream) else { return false }
        if let failure = core.failure(of: item) {
            listener.send(.failed(failure, item: item), id: core.nextEventID(), &effects)
        } else if areOwed, listener.isBehind {
            // It has the small one already, and is behind again.
            core.owe([item], to: listener.number)
        } else if let found, let id = core.resent(item) {
            let whole = SessionEvent.thumbnail(found, item: item).framed(id: id)
            send(found, whole, id: id, to: listener, &core, &effects)
        } else if found == nil {
            return core.isSettled(item)
        }
        return false
    }

    /// Ends a batch.
    ///
    /// - Parameter lost: items whose pictures have to be made again.
    /// - Returns: those to be fetched now.
    mutating func endDelivery(lost: [Int], areOwed: Bool, to stream: EventStream, _ core: inout SessionCore) -> [Int] {
        guard let index = index(of: stream) else { return [] }
        let number = all[index].number
        core.endResending(to: number)
        // One that was behind may be so again when they come.
        let room = areOwed ? max(0, Self.mostRemade - core.unfinished) : lost.count
        if lost.count > room {
            core.owe(lost.dropFirst(room), to: number)
            all[index].isStalled = true
        }
        return Array(lost.prefix(room))
    }
}
