import Synchronization
import Threads
import Thumbnails
import Viewport

package enum LayoutFailure: Error {
    /// Too many requests wait for layouts.
    case busy
    /// The layouts in use occupy all memory that is allowed for layouts.
    case noRoom
    case cancelled
    case shutDown
}

/// Layouts, each built once and shared by all sessions with the same content, options and width.
///
/// Two dedicated threads build layouts: a layout of ten million items takes a sixth of a second. Requests for a layout that is
/// being built share the build. Uniform grids are built immediately, because building one is faster than waiting.
package final class LayoutCache: Sendable {
    private typealias Outcome = Result<any Layout, LayoutFailure>

    /// Passes an outcome to one waiter, which takes it out. The threads that built the layout and woke the waiter then hold no
    /// reference to the layout, so that its memory is free as soon as the waiter releases it.
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
    /// Memory budget of the large layouts, including dropped ones that sessions still use.
    private let memory: ByteBudget
    // Low priority, because scrolling viewers go before viewers who wait for a layout. A thread of this niceness gets a
    // thirtieth of a busy processor and all of an idle one.
    private let threads = BlockingThreads("layout", count: 2, limit: 0, niceness: 15)
    /// Number of sections of a grid up to which building is faster than switching to another thread and back.
    private static let immediate = 20_000
    /// Number of items above which freeing a layout takes too long for a thread that handles requests.
    private static let large = 200_000

    /// - Parameter memory: maximum bytes of the large layouts that are cached or in use. A layout of ten million items uses up
    ///   to 45 MB.
    package init(limits: LayoutQueue<any Layout>.Limits = .init(), memory: Int = 2 << 30) {
        state = Mutex(State(queue: LayoutQueue(limits: limits)))
        self.memory = ByteBudget(limit: memory)
    }

    /// Memory that large layouts occupy, in bytes.
    package var heldBytes: Int { memory.held }

    package var waiterCount: Int { state.withLock { $0.queue.waiterCount } }

    /// Returns the layout if it is cached or quick to build, otherwise `nil`. Never waits.
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
                // The cancellation handler may have run before the waiter was added.
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

    /// Builds a layout on one of the dedicated threads.
    private func build(_ key: LayoutKey, _ content: GalleryContent) {
        guard state.withLock({ $0.queue.begin(key) }) else { return }
        let (served, isBegunAgain) = serve(key, content)
        threads.resume { for waiter in served { waiter.wake() } }
        if isBegunAgain { threads.start { [self] in build(key, content) } }
    }

    /// Builds a layout and delivers it.
    ///
    /// - Returns: the waiters to wake, and whether to build again.
    private func serve(_ key: LayoutKey, _ content: GalleryContent) -> (served: [Waiter], isBegunAgain: Bool) {
        // Counts the shapes before reading them, because shapes learned during the build may be missing from the layout.
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

    /// Returns a layout with its share of the memory budget, or `nil` if the budget has no room even after all unused layouts
    /// are dropped.
    private func held(_ layout: any Layout) -> (any Layout)? {
        guard layout.itemCount > Self.large else { return layout }
        let share = memory.share()
        while !share.hold(layout.byteCount) {
            guard state.withLock({ $0.queue.dropOldest() }) != nil else { return nil }
        }
        return LargeLayout(layout, in: share)
    }

    // MARK: Releasing

    /// Releases a layout. A large layout is freed on a background thread, because that may take long.
    func release(_ layout: any Layout) {
        guard layout.itemCount > Self.large, !(layout.unwrapped is GridLayout) else { return }
        threads.start { withExtendedLifetime(layout) {} }
    }

    private func release(_ layouts: [any Layout]) { for layout in layouts { release(layout) } }

    /// Drops the layouts of a content that no longer exists.
    func forget(content serial: Int) { release(state.withLock { $0.queue.forget(content: serial) }) }

    /// Stops building layouts and fails all waiting requests.
    package func shutdown() {
        let waiting = state.withLock { state in
            state.isClosed = true
            return state.queue.close().compactMap { state.waiters.removeValue(forKey: $0) }
        }
        for waiter in waiting { waiter.end(.shutDown) }
        threads.shutdown()
    }
}

/// A layout of many items with its share of the memory budget. The share is returned with the last reference.
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
    /// The layout without its ``LargeLayout`` wrapper, to check its kind.
    package var unwrapped: any Layout { (self as? LargeLayout)?.base ?? self }
}
