import DequeModule
import HeapModule
import Viewport

/// Plays a trace in virtual time: frames, samples in flight, transfers, and pictures on their path back. Nothing
/// depends on the machine, on hashing or on the clock. The same trace and chooser give the same result.
package struct Simulator<C: Chooser> {
    private let playable: PlayableTrace
    private let origin: Origin
    private(set) var chooser: C
    package private(set) var tally: Tally

    private var link: Link
    private var frame = 0
    private var lastTick = -Double.infinity
    private var lastSent = -Double.infinity
    private var samples = Deque<(time: Double, sample: ScrollSample)>()
    private var shows = Heap<Moment>()
    private var rendered = Heap<Moment>()
    /// Items that a worker is rendering, and when each is done.
    private var rendering: [Int: Double] = [:]
    private var connections = Connections()
    /// Items in flight that also wait for a new connection.
    private var opening: Set<Int> = []
    private var lastPosted: ScrollSample?
    /// The latest hint that has not been posted.
    private var hint: Hint?
    private var lastMove = 0.0
    private var starts = Heap<Start>()
    /// Items of which only a part is in flight.
    private var parts: [Int: Part] = [:]
    private var previews = Heap<Moment>()
    /// Items in flight that wait for their first byte, and when each was requested.
    private var waiting: [Int: Double] = [:]
    private var slots: OriginSlots

    private enum Part { case head, rest }

    private struct Start: Comparable {
        var time: Double
        var item: Int
        var asked: Double
        static func < (a: Start, b: Start) -> Bool { (a.time, a.item) < (b.time, b.item) }
    }

    private struct Moment: Comparable {
        var time: Double
        var item: Int
        static func < (a: Moment, b: Moment) -> Bool { (a.time, a.item) < (b.time, b.item) }
    }

    /// Minimum time between ticks, in milliseconds, so that time moves on even if a chooser requests a tick again and again.
    private static var tickInterval: Double { 1 }

    private enum Event { case firstByte, lastByte, rendered, preview, show, frame, sample, tick }

    /// - Parameters:
    ///   - held: items whose pictures the page has already.
    ///   - record: an empty record to fill, or `nil`. Its times are those of the trace's samples.
    package init(
        playable: PlayableTrace, origin: Origin, chooser: C, held: [Int] = [], record: ScrollRecord? = nil
    ) {
        self.playable = playable
        self.origin = origin
        self.chooser = chooser
        link = Link(bandwidth: origin.bytesPerMillisecond, from: min(0, origin.opening))
        slots = OriginSlots(count: origin.concurrency)
        tally = Tally(playable: playable, held: held)
        self.chooser.record = record
        self.chooser.record?.restart(at: 0)
        if let opening = origin.serving?.opening, opening < 0, let first = playable.frames.first {
            post(first.sample, at: opening)
        }
    }

    package mutating func run() {
        while let (event, time) = next(), time <= playable.end {
            link.advance(to: time)
            switch event {
            case .firstByte: firstByte(time)
            case .lastByte: lastByte(time)
            case .rendered: finishRendering(time)
            case .preview: if let preview = previews.popMin() { tally.showPreview(preview.item, at: time) }
            case .show: if let show = shows.popMin() { self.show(show.item, time) }
            case .frame: showFrame(time)
            case .sample: receive(time)
            case .tick:
                lastTick = time
                obey(chooser.tick(now: time, received: received), time)
            }
        }
        link.advance(to: playable.end)
        for item in link.items { tally.fetched(item, bytes: link.received(item), whole: false) }
        tally.finish(at: playable.end)
        let (start, end) = (playable.trace.samples.first?.time ?? 0, playable.end)
        chooser.record?.elapse(to: end)
        chooser.record?.shift(by: start)
    }

    package var record: ScrollRecord? { chooser.record }

    private mutating func show(_ item: Int, _ time: Double) {
        tally.show(item, at: time)
        let bytes = Int(clamping: origin.picture(item).bytes.rounded())
        chooser.record?.arrived(item, bytes: bytes, at: time)
        expose(time)
    }

    private mutating func expose(_ time: Double) {
        guard frame > 0 else { return }
        let (visible, blank) = (playable.frames[frame - 1].visible.count, tally.blankCount)
        chooser.record?.expose(visible: visible, blank: blank, at: time)
    }

    /// Returns the next event. If several are due at the same time, the first case of `Event` wins.
    private mutating func next() -> (Event, Double)? {
        var best: (Event, Double)?
        func consider(_ event: Event, _ time: Double?) {
            guard let time, time < best?.1 ?? .infinity else { return }
            best = (event, time)
        }
        while let start = starts.min, waiting[start.item] != start.asked { starts.removeMin() }
        consider(.firstByte, starts.min?.time)
        consider(.lastByte, link.nextEnd())
        while let done = rendered.min, rendering[done.item] != done.time { rendered.removeMin() }
        consider(.rendered, rendered.min?.time)
        consider(.preview, previews.min?.time)
        consider(.show, shows.min?.time)
        consider(.frame, frame < playable.frames.count ? playable.frames[frame].time : nil)
        consider(.sample, samples.first?.time)
        consider(.tick, chooser.nextTick.map { max($0, link.time, lastTick + Self.tickInterval) })
        return best
    }

    private mutating func showFrame(_ time: Double) {
        var sample = playable.frames[frame].sample
        if playable.frames[frame].hasMoved { lastMove = time }
        hint = sample.hint ?? hint
        sample.hint = hint
        // The page posts that it is idle when nothing has moved for a while, whatever moved it before.
        if origin.serving != nil, time - lastMove >= Serving.restDelay, sample.phase != .touch, sample.phase != .drag {
            sample.phase = .idle
        }
        // After a jump the page has no cells there yet, so pictures that it already has are decoded and painted again.
        let isElsewhere =
            frame > 0 && origin.serving != nil
            && abs(sample.scrollTop - playable.frames[frame - 1].sample.scrollTop) > playable.trace.viewport.height
        let mounting = tally.show(frame: frame, at: time, isElsewhere: isElsewhere)
        let original = playable.trace.samples[frame]
        chooser.record?.add(original)
        if let first = playable.frames[frame].visible.first, let last = playable.frames[frame].visible.last {
            chooser.record?.show(first..<last + 1, at: time)
        }
        for item in mounting { shows.insert(Moment(time: time + (origin.serving?.paintTime ?? 0), item: item)) }
        if time >= origin.serving?.opening ?? 0, time >= lastSent + origin.postInterval, isNews(sample) {
            post(sample, at: time)
        }
        frame += 1
        expose(time)
    }

    private mutating func post(_ sample: ScrollSample, at time: Double) {
        lastSent = time
        lastPosted = sample
        hint = nil
        samples.append((time + origin.postDelay, sample))
    }

    /// Whether a sample is worth a post. A real page posts only changes.
    private func isNews(_ sample: ScrollSample) -> Bool {
        guard origin.serving != nil, let lastPosted else { return true }
        return lastPosted.scrollTop != sample.scrollTop || lastPosted.phase != sample.phase || sample.hint != nil
    }

    private mutating func receive(_ time: Double) {
        guard let sample = samples.popFirst()?.sample else { return }
        obey(chooser.receive(sample, now: time, received: received), time)
    }

    private var received: (Int) -> Double {
        let (link, origin, parts) = (link, origin, parts)
        return { item in
            let before = parts[item] == .rest ? origin.previewBytes ?? 0 : 0
            return (before + link.received(item)) / origin.picture(item).bytes
        }
    }

    private mutating func firstByte(_ time: Double) {
        guard let start = starts.popMin() else { return }
        waiting[start.item] = nil
        link.begin(start.item, bytes: bytes(of: start.item))
        chooser.began(
            start.item, afterWaiting: time - start.asked,
            isNew: origin.serving == nil ? nil : opening.remove(start.item) != nil, now: time)
    }

    private mutating func lastByte(_ time: Double) {
        guard let item = link.end() else { return }
        let bytes = bytes(of: item), isHead = parts.removeValue(forKey: item) == .head
        tally.fetched(item, bytes: bytes, whole: !isHead, preview: isHead)
        connections.end(item, isWhole: true)
        leave(item, time)
        let shown = Moment(time: time + origin.showDelay, item: item)
        // Rendering a preview takes only a millisecond.
        if isHead { previews.insert(shown) } else if origin.serving == nil { shows.insert(shown) }
        obey(chooser.finished(item, bytes: bytes, now: time), time)
    }

    /// Returns the bytes of the part of an item that is in flight.
    private func bytes(of item: Int) -> Double {
        let all = origin.picture(item).bytes, head = origin.previewBytes ?? 0
        switch parts[item] {
        case .head: return head
        case .rest: return all - head
        case nil: return all
        }
    }

    private mutating func finishRendering(_ time: Double) {
        guard let item = rendered.popMin()?.item else { return }
        rendering[item] = nil
        shows.insert(Moment(time: time + origin.showDelay, item: item))
        obey(chooser.rendered(item, now: time), time)
    }

    private mutating func serve(_ item: Int, _ time: Double) {
        guard let asked = waiting[item] else { return }
        let connecting = opening.contains(item) ? (origin.serving?.connecting ?? 0) * origin.latency : 0
        starts.insert(Start(time: time + origin.picture(item).delay + connecting, item: item, asked: asked))
    }

    /// Ends a request at the origin, which starts the next.
    private mutating func leave(_ item: Int, _ time: Double) {
        if let next = slots.leave(item) { serve(next, time) }
    }

    private mutating func start(_ item: Int, _ part: Part?, _ time: Double) {
        tally.requests += 1
        chooser.record?.requested(item, at: time)
        parts[item] = part
        waiting[item] = time
        if origin.serving != nil, connections.take(for: item) { opening.insert(item) }
        if slots.take(item) { serve(item, time) }
    }

    private mutating func obey(_ commands: [Command], _ time: Double) {
        for command in commands {
            switch command {
            case .start(let item): start(item, nil, time)
            case .startHead(let item): start(item, .head, time)
            case .startRest(let item): start(item, .rest, time)
            case .render(let item):
                let done = time + (origin.serving?.renderTime ?? 0)
                rendering[item] = done
                rendered.insert(Moment(time: done, item: item))
            case .abort(let item) where rendering[item] != nil: rendering[item] = nil
            case .abort(let item):
                connections.end(item, isWhole: false)
                opening.remove(item)
                tally.cancelled += 1
                let began = waiting.removeValue(forKey: item) == nil
                let bytes = began ? link.abort(item) : 0
                parts[item] = nil
                leave(item, time)
                tally.fetched(item, bytes: bytes, whole: false)
                chooser.aborted(item, bytes: bytes, began: began, now: time)
            }
        }
    }
}
