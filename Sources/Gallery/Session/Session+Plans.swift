import TaskPool
import Trace
import Viewport

/// A viewport as a client posts it.
struct PostedViewport: Sendable {
    /// Without its viewport.
    var update: SessionCore.Update
    var size: SizeChange
}

/// The answer to a posted viewport.
enum PostedAnswer: Sendable {
    /// The plan in force after it.
    case plan([UInt8])
    /// The update has to wait for a layout.
    case waits(SessionCore.Update)
}

/// Where a client wants the viewport.
struct ScrollRequest: Sendable {
    enum Target: Sendable {
        case item(Int)
        case scrollTop(Double)
    }

    var target: Target
    var animated: Bool
}

// Updates in, plans out.
extension Session {
    func answer(_ posted: PostedViewport, _ state: inout SessionState) throws(Problem) -> PostedAnswer {
        var update = posted.update
        let current = state.viewport
        update.viewport = posted.size.applied(to: current)
        if let viewport = update.viewport, viewport != current {
            try Screenful.check(
                state.wishedOptions, in: viewport, field: viewport.height != current.height ? "/height" : "/width")
        }
        return needsLayout(for: update, &state) ? .waits(update) : .plan(plan(after: update, &state))
    }

    package func plan(after update: SessionCore.Update, _ state: inout SessionState) -> [UInt8] {
        if !state.isClosed, update.seq > state.core.seq { take(update, &state) }
        return state.core.plan.document(seq: state.core.seq)
    }

    private func take(_ update: SessionCore.Update, _ state: inout SessionState) {
        state.clockOffset = update.time - now
        state.recorder.append(update.sample)
        forgive(update.missing, state)
        let transfers = thumbnails.transfers(
            of: content, at: state.size, host: host(of: state.core.plan.visible.lowerBound))
        state.core.setNetwork(transfers.network)
        for (item, progress) in transfers.inFlight { state.core.note(progress, of: item) }
        if state.core.update(update) != nil { planned(&state) }
    }

    func scroll(_ request: ScrollRequest, _ state: inout SessionState) {
        let (scrollTop, item): (Double, Int?) =
            switch request.target {
            case .item(let item): (state.core.model.layout.frame(of: item).y, item)
            case .scrollTop(let scrollTop): (scrollTop, nil)
            }
        _ = state.core.advance(to: scrollTop, phase: .jump, time: now + state.clockOffset)
        broadcast(
            .scroll(scrollTop: state.core.plan.scrollTop, item: item, animated: request.animated), &state)
        planned(&state)
    }

    /// Hands a new plan to the pool, to the streams and to the clock.
    func planned(_ state: inout SessionState) {
        let cancelled = state.core.plan.cancel
        if !cancelled.isEmpty {
            state.cancelledBytes += thumbnails.transfers.bytesInFlight(of: cancelled.map { key($0, state) })
        }
        handOver(&state)
        discardStale(&state)
        publishPlan(&state)
        payOwed(&state)
        armTimer(&state)
    }

    /// Tells the pool what is wanted, where that changed.
    func handOver(_ state: inout SessionState) {
        guard let poolID = state.poolID, !state.isClosed, let wanted = state.core.takeWants() else { return }
        let wants = zip(wanted, hosts(of: wanted)).map { want, host in
            PoolWant(
                key: key(want.item, state), host: host, visible: want.visible,
                isPreviewEnough: want.isPreviewEnough, generation: want.generation)
        }
        thumbnails.pool.want(wants, session: poolID)
        if !state.prefersFacts, content.catalog.factsKnown < content.itemCount {
            state.prefersFacts = true
            thumbnails.queries.common.start { [weak self] in self?.preferFacts() }
        }
        showKnownPreviews(of: wanted, &state)
    }

    private func host(of item: Int) -> Int { lane?.host ?? content.host(of: item, number: thumbnails.host) }

    private func hosts(of wanted: [Want]) -> [Int] {
        if let host = lane?.host { return Array(repeating: host, count: wanted.count) }
        return content.hosts(of: wanted.lazy.map(\.item), number: thumbnails.host)
    }

    func key(_ item: Int, _ state: SessionState) -> ThumbnailKey {
        content.thumbnailKey(item, size: state.size)
    }

    /// Allows another try for those of these items that failed.
    private func forgive(_ items: [Int], _ state: SessionState) {
        for item in items where state.core.failure(of: item) != nil { thumbnails.forgetFailure(of: key(item, state)) }
    }

    /// Fetches again thumbnails that were made and are in no store any more, without waiting for a scroll.
    func fetchAgain(_ items: [Int], _ state: inout SessionState) {
        forgive(items, state)
        state.core.forget(items)
        _ = state.core.advance(to: state.core.plan.scrollTop, phase: nil, time: now + state.clockOffset)
        planned(&state)
    }

    func finished(_ key: ThumbnailKey, _ outcome: ThumbnailService.Outcome, _ state: inout SessionState) {
        guard !state.isClosed, key.size == state.size, let item = content.item(ofOriginal: key.item) else { return }
        switch outcome {
        case .success(let finished):
            // On a lane of its own what was downloaded is known; elsewhere what is sent stands for it.
            let bytes = thumbnails.transfers.weight(of: key) ?? finished.thumbnail.bytes.count
            let id = state.core.finished(item, bytes: bytes, time: now + state.clockOffset)
            send(finished.numbered(item), item: item, id: id, &state)
            payOwed(&state)
            noteShape(of: item, &state)
        case .failure(let failure):
            let id = state.core.failed(item, failure)
            send(.failed(failure, item: item), id: id, &state)
        }
    }

    /// Wakes up when the model asked to be heard again although nobody scrolls. One timer at the most; one that is due
    /// too early looks again when it fires.
    private func armTimer(_ state: inout SessionState) {
        guard let tick = state.core.model.nextTick else { return }
        let due = tick - state.clockOffset
        guard state.timer == nil || due < state.timerDue else { return }
        if let timer = state.timer { thumbnails.timers.cancel(timer) }
        state.timerDue = due
        state.timer = thumbnails.timers.call(after: .milliseconds(max(due - now, 0))) { [weak self] in self?.tick() }
    }

    func tick(_ state: inout SessionState) {
        state.timer = nil
        guard !state.isClosed, let tick = state.core.model.nextTick else { return }
        let pageTime = now + state.clockOffset
        if tick <= pageTime {
            _ = state.core.advance(to: state.core.plan.scrollTop, phase: nil, time: pageTime)
            planned(&state)
        } else {
            armTimer(&state)
        }
    }

    func trace(_ state: SessionState) -> Trace {
        let model = state.core.model
        return state.recorder.trace(
            name: id, itemCount: model.layout.itemCount, viewport: model.viewport, layout: state.options)
    }
}
