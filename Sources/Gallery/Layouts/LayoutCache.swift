import Synchronization
import Threads
import Thumbnails
import Viewport

/// Why there is no layout.
package enum LayoutFailure: Error {
    /// Too many wait for one.
    case busy
    /// Those that are in use take all the memory there may be for layouts.
    case noRoom
    /// The request was cancelled.
    case cancelled
    case shutDown
}

/// Layouts, each built once and shared by all sessions of the same content, options and width.
///
/// Two threads of their own build them: at ten million items one takes a sixth of a second. Requests for a layout that is
/// being built share it. Uniform grids are built at once: they cost less than a wait.
package final class LayoutCache: Sendable {
    private typealias Outcome = Result<any Layout, LayoutFailure>

    /// Hands an outcome to one waiter, who takes it out. The threads that built the layout and woke the waiter hold none of
    /// it then, so that it makes room as soon as the waiter lets it go.
    private final class Delivery: Sendable {
        private let outcome = Mutex<Outcome?>(nil)

        func put(_ new: Outcome) { outcome.withLock { $0 = new } }
        func take() -> Outcome { outcome.withLock { $0.take() } ?? .failure(.shutDown) }
    }

    private struct Waiter: Sendable {
        let delivery: Delivery
        let continuation: CheckedContinuation<Void, Never>

        func wake() { continuation.resume() }

        func end(_ failure: LayoutFailure) {
            delivery.put(.failure(failure))
            wake()
        }
    }

    private struct State {
        var queue: LayoutQueue<any Layout>
        var waiters: [UInt64: Waiter] = [:]
        var lastWaiter: UInt64 = 0
        var isClosed = false
    }

    private let state: Mutex<State>
    /// Memory of the large layouts, including dropped ones that sessions still use.
    private let memory: ByteBudget
    // Viewers who scroll go before those who wait for a layout: beside them a thread gets a thirtieth of a processor that
    // they need, and all of one that they do not.
    private let threads = BlockingThreads("layout", count: 2, limit: 0, niceness: 15)
    /// Items of a layout, or sections of a grid, up to which it takes less than to hand it to another thread and back.
    private static let immediate = 20_000
    /// Items from which on to free a layout takes so long that no thread that answers should.
    private static let large = 200_000

    /// - Parameter memory: bytes of the large layouts that are kept or in use: at ten million items one takes up to 45 MB.
    package init(limits: LayoutQueue<any Layout>.Limits = .init(), memory: Int = 2 << 30) {
        state = Mutex(State(queue: LayoutQueue(limits: limits)))
        self.memory = ByteBudget(limit: memory)
    }

    /// Bytes that large layouts take.
    package var heldBytes: Int { memory.held }

    package var waiterCount: Int { state.withLock { $0.queue.waiterCount } }

    /// The layout, where it is there; never waits.
    func ready(_ content: GalleryContent, _ options: LayoutOptions, width: Double) -> (any Layout)? {
        let key = LayoutKey(content: content.serial, options: options, width: width)
        let shapes = content.shapes(for: options)
        if let layout = state.withLock({ $0.queue.layout(key, shapes: shapes) }) { return layout }
        guard !options.needsAspectRatios, content.sections.count <= Self.immediate else { return nil }
        let layout = content.makeLayout(options, width: width)
        let finished = state.withLock { $0.queue.finish(key, layout, shapes: shapes, items: content.sections.count) }
        release(finished.dropped)
        return layout
    }

    /// The layout, once it is there.
    func layout(
        _ content: GalleryContent, _ options: LayoutOptions, width: Double
    ) async throws(LayoutFailure) -> any Layout {
        if let layout = ready(content, options, width: width) { return layout }
        let key = LayoutKey(content: content.serial, options: options, width: width)
        let waiter = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        let delivery = Delivery()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                add(waiter, Waiter(delivery: delivery, continuation: continuation), key, content)
                // The handler may have run before there was anything to cancel.
                if Task.isCancelled { leave(waiter) }
            }
        } onCancel: {
            leave(waiter)
        }
        return try delivery.take().get()
    }

    private func add(_ number: UInt64, _ waiter: Waiter, _ key: LayoutKey, _ content: GalleryContent) {
        let shapes = content.shapes(for: key.options)
        let (outcome, builds): (Outcome?, Bool) = state.withLock { state in
            if state.isClosed { return (.failure(.shutDown), false) }
            switch state.queue.wait(number, for: key, shapes: shapes) {
            case .ready(let layout): return (.success(layout), false)
            case .refused: return (.failure(.busy), false)
            case .build:
                state.waiters[number] = waiter
                return (nil, true)
            case .wait:
                state.waiters[number] = waiter
                return (nil, false)
            }
        }
        if let outcome {
            waiter.delivery.put(outcome)
            waiter.wake()
        }
        if builds { threads.start { [self] in build(key, content) } }
    }

    private func leave(_ waiter: UInt64) {
        let left = state.withLock { state in
            state.queue.leave(waiter)
            return state.waiters.removeValue(forKey: waiter)
        }
        left?.end(.cancelled)
    }

    /// On a thread of its own.
    private func build(_ key: LayoutKey, _ content: GalleryContent) {
        guard state.withLock({ $0.queue.begin(key) }) else { return }
        let (served, isBegunAgain) = serve(key, content)
        threads.tell { for waiter in served { waiter.wake() } }
        if isBegunAgain { threads.start { [self] in build(key, content) } }
    }

    /// Builds a layout and delivers it.
    ///
    /// - Returns: the waiters to wake, and whether to build again.
    private func serve(_ key: LayoutKey, _ content: GalleryContent) -> (served: [Waiter], isBegunAgain: Bool) {
        // Counted before they are read: what is learned meanwhile may be left out.
        let shapes = content.shapes(for: key.options)
        guard let layout = held(content.makeLayout(key.options, width: key.width)) else {
            let refused = state.withLock { state in
                state.queue.fail(key).compactMap { state.waiters.removeValue(forKey: $0) }
            }
            for waiter in refused { waiter.delivery.put(.failure(.noRoom)) }
            return (refused, false)
        }
        let (finished, served) = state.withLock { state in
            let finished = state.queue.finish(key, layout, shapes: shapes, items: content.itemCount)
            return (finished, finished.served.compactMap { state.waiters.removeValue(forKey: $0) })
        }
        for waiter in served { waiter.delivery.put(.success(layout)) }
        return (served, finished.isBegunAgain)
    }

    /// A layout with the memory it takes; `nil` where there is none though all that are not in use were let go.
    private func held(_ layout: any Layout) -> (any Layout)? {
        guard layout.itemCount > Self.large else { return layout }
        let share = memory.share()
        while !share.hold(layout.byteCount) {
            guard state.withLock({ $0.queue.dropOldest() }) != nil else { return nil }
        }
        return LargeLayout(layout, in: share)
    }

    // MARK: Letting go

    /// Releases a layout on a thread where freeing it may take long.
    func release(_ layout: any Layout) {
        guard layout.itemCount > Self.large, !(layout.unwrapped is GridLayout) else { return }
        threads.start { withExtendedLifetime(layout) {} }
    }

    private func release(_ layouts: [any Layout]) { for layout in layouts { release(layout) } }

    /// Drops the layouts of a content that is gone.
    func forget(content serial: Int) { release(state.withLock { $0.queue.forget(content: serial) }) }

    /// Builds nothing more, and fails all that wait.
    package func shutdown() {
        let waiting = state.withLock { state in
            state.isClosed = true
            return state.queue.close().compactMap { state.waiters.removeValue(forKey: $0) }
        }
        for waiter in waiting { waiter.end(.shutDown) }
        threads.shutdown()
    }
}

/// A layout of many items, with its share of the memory budget, returned with the last reference.
struct LargeLayout: Layout {
    let base: any Layout
    private let memory: ByteBudget.Share

    init(_ base: any Layout, in memory: ByteBudget.Share) {
        self.base = base
        self.memory = memory
    }

    var itemCount: Int { base.itemCount }
    var width: Double { base.width }
    var contentHeight: Double { base.contentHeight }
    var sectionCount: Int { base.sectionCount }
    var byteCount: Int { base.byteCount }
    var sharesRows: Bool { base.sharesRows }
    func frame(of item: Int) -> Frame { base.frame(of: item) }
    func frames(of items: Range<Int>) -> [Frame] { base.frames(of: items) }
    func items(in y: Range<Double>) -> Range<Int> { base.items(in: y) }
    func placedItems(in y: Range<Double>) -> (items: Range<Int>, frames: [Frame]) { base.placedItems(in: y) }
    func header(of section: Int) -> Frame? { base.header(of: section) }
}

extension Layout {
    /// The layout itself, to ask what kind it is of.
    package var unwrapped: any Layout { (self as? LargeLayout)?.base ?? self }
}
