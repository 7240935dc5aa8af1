import Media
import MicroHTTP
import Numbers
import Synchronization
import TaskPool
import Threads
import Thumbnails
import Viewport

/// The services around a session. Reads the data that a decision needs before the session's lock is taken, and carries out the
/// decision's effects after the lock is released.
final class SessionServices: Sendable {
    let followers = Followers()
    private let content: GalleryContent
    private let lane: SessionLane?
    private let thumbnails: ThumbnailService
    /// Time when the session began: the zero of its clock.
    private let began = ContinuousClock.now
    private let place = Place()
    /// Bytes received by transfers that were in flight when this session cancelled them.
    private let cancelledBytes = Atomic(0)
    /// Whether a request to read the facts of the visible items first is scheduled.
    private let prefersFacts = Atomic(false)
    /// The model's timer. 0 for none. Only the thread that carries out effects changes it.
    private let timer = Atomic<TimerThread.ID>(0)

    /// The first visible item and the thumbnail size, readable without the session's lock.
    private struct Place: ~Copyable, Sendable {
        private let firstVisible = Atomic(0)
        private let width = Atomic(0)
        private let height = Atomic(0)

        func move(to state: SessionState) {
            firstVisible.store(state.core.plan.visible.lowerBound, ordering: .relaxed)
            width.store(state.size.width, ordering: .relaxed)
            height.store(state.size.height, ordering: .relaxed)
        }

        var item: Int { firstVisible.load(ordering: .relaxed) }
        var size: ThumbnailSize {
            ThumbnailSize(width: width.load(ordering: .relaxed), height: height.load(ordering: .relaxed))
        }
    }

    init(_ content: GalleryContent, _ lane: SessionLane?, _ thumbnails: ThumbnailService) {
        self.content = content
        self.lane = lane
        self.thumbnails = thumbnails
    }

    // MARK: Before the lock

    /// Time since the session began, in milliseconds.
    var now: Double { (ContinuousClock.now - began) / .milliseconds(1) }

    /// The cost of fetching and the transfers in flight at the session's thumbnail size.
    var transfers: (overview: TransferMeter.Overview, size: ThumbnailSize) {
        let size = place.size
        return (thumbnails.transfers(of: content, at: size, host: host), size)
    }

    /// The pool's number for the host of the first visible item.
    private var host: Int { lane?.host ?? content.host(of: place.item, number: thumbnails.host) }

    private var pause: HostPause? {
        let (host, pool) = (host, thumbnails.pool)
        guard pool.fetchLimit(host: host) == 0, let rest = pool.pause(host: host) else { return nil }
        return HostPause(
            reason: pool.failure(host: host) ?? "the host requested a pause",
            retryAfter: Int(clamping: (rest / 1e3).rounded(.up)))
    }

    /// Lets one fetch probe the host of the first visible item.
    func probe() { thumbnails.pool.probe(host: host) }

    var snapshot: ServiceSnapshot {
        ServiceSnapshot(
            followers: followers.count,
            inFlight: Set(
                thumbnails.transfers.progress(of: content.base.serial, at: place.size)
                    .compactMap { content.item(ofOriginal: $0.item) }),
            cancelledBytes: cancelledBytes.load(ordering: .relaxed),
            settledBytes: thumbnails.transfers.settledBytes(of: content.serial), pause: pause)
    }

    /// Records the session's first visible item and thumbnail size. Called under the session's lock.
    func moved(to state: SessionState) { place.move(to: state) }

    // MARK: After the lock

    /// Carries out effects without the session's lock. Only one thread at a time is in this method.
    func carryOut(_ effects: SessionEffects, of session: Session) {
        for forgiven in effects.forgiven { for key in keys(of: forgiven) { thumbnails.forgetFailure(of: key) } }
        for cancelled in effects.cancelled {
            cancelledBytes.add(thumbnails.transfers.bytesInFlight(of: keys(of: cancelled)), ordering: .relaxed)
        }
        if let pool = effects.endsWants { thumbnails.pool.end(session: pool) }
        if let wants = effects.wants { submit(wants, of: session) }
        if let discards = effects.discards { carryOut(discards, of: session) }
        effects.outbox.write()
        if let time = effects.wakeTime {
            // Lets the model decide again at the requested time, without a scroll.
            let wait = Duration(clampingMilliseconds: max(time - now, 0))
            setTimer(thumbnails.timers.call(after: wait) { [weak session] in session?.tick() })
        }
        for step in effects.steps { carryOut(step, of: session) }
        if let wants = effects.wants, !wants.lackPreview.isEmpty {
            // The pool does not read a preview again for later sessions, so remembered previews are sent here.
            for preview in thumbnails.previews(of: wants.lackPreview, in: content, at: wants.size) {
                session.update { $0.previewed(preview, at: wants.size) }
            }
        }
    }

    private func carryOut(_ step: SessionEffects.Step, of session: Session) {
        switch step {
        case .notifyFollowers(let event): followers.publish(event)
        case .setAudiencePrefetching(let prefetching): followers.setPrefetching(prefetching)
        case .remind(let reminder, let wait):
            thumbnails.timers.call(after: Duration(clampingMilliseconds: wait)) { [weak session] in
                session?.update { $0.remind(reminder) }
            }
        case .resend(let stream):
            thumbnails.queries.common.startAtNormalPriority { [self, weak session] in
                if let session { resendBatch(to: stream, of: session) }
            }
        case .release(let layout): content.release(layout)
        case .checkShape(let item, let frame):
            if content.isMisshapen(item, in: frame) { session.update { $0.isMisshapen() } }
        case .close(let pool, let bye, _):
            setTimer(0)
            if let pool { thumbnails.close(pool) }
            lane?.close(thumbnails)
            followers.close(bye: bye)
        }
    }

    private func submit(_ wants: SessionEffects.Wants, of session: Session) {
        let hosts =
            if let host = lane?.host {
                Array(repeating: host, count: wants.list.count)
            } else {
                content.hosts(of: wants.list.lazy.map(\.item), number: thumbnails.host)
            }
        let list = zip(wants.list, hosts).map { want, host in
            PoolWant(
                key: content.thumbnailKey(want.item, size: wants.size), host: host, visible: want.visible,
                isPreviewEnough: want.isPreviewEnough, generation: want.generation)
        }
        thumbnails.pool.want(list, session: wants.pool)
        guard !prefersFacts.load(ordering: .acquiring), content.catalog.factsKnown < content.itemCount else { return }
        prefersFacts.store(true, ordering: .releasing)
        thumbnails.queries.common.start { [self, weak session] in
            if let session { preferFacts(in: session) }
        }
    }

    private func carryOut(_ discards: SessionEffects.Discards, of session: Session) {
        let wanted = Set(discards.wanted.lazy.map(\.item))
        for (stream, listener) in discards.streams {
            var discarded: [Int] = []
            stream.discard { key in
                guard case .thumbnail(let item) = SessionEvent.Key(key), !discards.visible.contains(item),
                    !wanted.contains(item)
                else { return false }
                discarded.append(item)
                return true
            }
            if !discarded.isEmpty { session.update { $0.discarded(discarded, of: listener) } }
        }
    }

    private func setTimer(_ new: TimerThread.ID) {
        let old = timer.exchange(new, ordering: .acquiringAndReleasing)
        if old != 0 { thumbnails.timers.cancel(old) }
    }

    private func keys(of items: SessionEffects.Items) -> [ThumbnailKey] {
        items.items.map { content.thumbnailKey($0, size: items.size) }
    }

    /// Requests that the facts of the visible items are read before others.
    private func preferFacts(in session: Session) {
        prefersFacts.store(false, ordering: .releasing)
        content.catalog.preferFacts(of: session.screen.visible)
    }

    /// Sends batches of pictures that a listener lacks until it lacks none. A low-priority thread looks up the pictures and
    /// takes no lock of the session, because a thread that waits for a processor would hold up updates.
    private func resendBatch(to stream: EventStream, of session: Session) {
        let batch = session.update { $0.nextBatch(of: stream) }
        guard !batch.items.isEmpty else { return }
        thumbnails.queries.threads(for: content.root).start { [self, weak session] in
            let found = batch.items.map { item in
                thumbnails.inMemory(content.thumbnailKey(item, size: batch.size)).map {
                    FinishedThumbnail(item, $0, id: content.catalog.id(item))
                }
            }
            thumbnails.queries.common.startAtNormalPriority { [self, weak session] in
                guard let session else { return }
                deliver(found, of: batch, to: stream, session)
                resendBatch(to: stream, of: session)
            }
        }
    }

    /// Delivers one picture after the other, because each write decides whether the listener is behind for the next picture.
    private func deliver(
        _ found: [FinishedThumbnail?], of batch: Listeners.Batch, to stream: EventStream, _ session: Session
    ) {
        var lost: [Int] = []
        for (item, picture) in zip(batch.items, found) {
            let isLost = session.update { $0.deliver(picture, of: item, in: batch, to: stream) }
            if isLost { lost.append(item) }
        }
        session.update { $0.endDelivery(lost: lost, of: batch, to: stream) }
    }
}
