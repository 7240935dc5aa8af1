import BoundedCache
import Synchronization
import Threads
import Thumbnails
import Viewport

package enum LayoutFailure: Error {
    /// Too many layouts wait to be built.
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
    /// The inputs of a layout, except picture shapes that were learned later.
    private struct Key: Hashable {
        /// Serial of the content (`GalleryContent.serial`).
        var content: Int
        var options: LayoutOptions
        /// Width in CSS pixels.
        var width: Double
    }

    private struct Built {
        var layout: any Layout
        /// Number of shapes that were known when the build began. The layout satisfies requests that knew no more.
        var shapes: Int
    }

    private typealias Outcome = Result<Built, LayoutFailure>

    /// The layouts that were used last. Each costs its number of items, of which a justified layout needs 3 to 18 bytes.
    private let cached: Mutex<BoundedCache<Key, Built>>
    private let builds = SingleFlight<Key, Outcome>()
    /// Maximum number of cached layouts.
    private static let maximumLayouts = 64
    /// Memory budget of the large layouts, including dropped ones that sessions still use.
    private let memory: ByteBudget
    // Low priority, because scrolling viewers go before viewers who wait for a layout. A thread of this niceness gets a
    // thirtieth of a busy processor and all of an idle one.
    private let threads: BlockingThreads
    /// Number of sections of a grid up to which building is faster than switching to another thread and back.
    private static let immediate = 20_000
    /// Number of items above which freeing a layout takes too long for a thread that handles requests.
    private static let large = 200_000

    /// - Parameters:
    ///   - items: maximum total number of items of the cached layouts.
    ///   - queue: maximum number of layouts that wait to be built.
    ///   - memory: maximum bytes of the large layouts that are cached or in use. A layout of ten million items uses up to 45 MB.
    package init(items: Int = 60_000_000, queue: Int = 1024, memory: Int = 2 << 30) {
        cached = Mutex(BoundedCache(limit: items))
        threads = BlockingThreads("layout", count: 2, limit: queue, niceness: 15)
        self.memory = ByteBudget(limit: memory)
    }

    /// Memory that large layouts occupy, in bytes.
    package var heldBytes: Int { memory.held }

    package var waiterCount: Int { builds.waiterCount }

    /// Returns the layout if it is cached or quick to build, otherwise `nil`. Never waits.
    func ready(_ content: GalleryContent, _ options: LayoutOptions, width: Double) -> (any Layout)? {
        let key = Key(content: content.serial, options: options, width: width)
        let shapes = content.shapes(for: options)
        if let built = cached.withLock({ $0.use(key) }), built.shapes >= shapes { return built.layout }
        guard !options.needsAspectRatios, content.sections.count <= Self.immediate else { return nil }
        let built = Built(layout: content.makeLayout(options, width: width), shapes: shapes)
        for dropped in keep(built, for: key, items: content.sections.count) { release(dropped.layout) }
        return built.layout
    }

    func layout(
        _ content: GalleryContent, _ options: LayoutOptions, width: Double
    ) async throws(LayoutFailure) -> any Layout {
        if let layout = ready(content, options, width: width) { return layout }
        let key = Key(content: content.serial, options: options, width: width)
        let shapes = content.shapes(for: options)
        while true {
            let outcome: Outcome
            do throws(CancellationError) {
                outcome = try await builds.value(for: key) { [self] in await build(key, content) }
            } catch {
                throw .cancelled
            }
            let built = try outcome.get()
            // A build that began earlier may not use all shapes that are known here.
            if built.shapes >= shapes { return built.layout }
        }
    }

    /// - Returns: `nil` if the task was cancelled before the build began.
    private func build(_ key: Key, _ content: GalleryContent) async -> Outcome? {
        do throws(BlockingThreads.Refusal) {
            return try await threads.run { [self] in make(key, content) }
        } catch {
            switch error {
            case .cancelled: return nil
            case .shutDown: return .failure(.shutDown)
            case .busy, .hangs, .noThread: return .failure(.busy)
            }
        }
    }

    /// Builds a layout on one of the dedicated threads.
    private func make(_ key: Key, _ content: GalleryContent) -> Outcome {
        // Counts the shapes before reading them, because shapes learned during the build may be missing from the layout.
        let shapes = content.shapes(for: key.options)
        guard let layout = held(content.makeLayout(key.options, width: key.width)) else { return .failure(.noRoom) }
        let built = Built(layout: layout, shapes: shapes)
        // The dropped layouts are freed here, on a thread for such work.
        _ = keep(built, for: key, items: content.itemCount)
        return .success(built)
    }

    /// Adds a layout to the cached ones.
    ///
    /// - Returns: the dropped layouts. Freeing a large one takes milliseconds, too long under the lock.
    private func keep(_ built: Built, for key: Key, items: Int) -> [Built] {
        cached.withLock { cached in
            let cost = max(items, cached.limit / Self.maximumLayouts)
            var dropped = cached.remove(key).map { [$0] } ?? []
            while cached.cost + cost > cached.limit, let oldest = cached.removeOldest() { dropped.append(oldest.value) }
            cached.insert(built, for: key, cost: cost)
            return dropped
        }
    }

    /// Returns a layout with its share of the memory budget, or `nil` if the budget has no room even after all unused layouts
    /// are dropped.
    private func held(_ layout: any Layout) -> (any Layout)? {
        guard layout.itemCount > Self.large else { return layout }
        let share = memory.share()
        while !share.hold(layout.byteCount) {
            guard cached.withLock({ $0.removeOldest() }) != nil else { return nil }
        }
        return LargeLayout(layout, in: share)
    }

    // MARK: Releasing

    /// Releases a layout. A large layout is freed on a background thread, because that may take long.
    func release(_ layout: any Layout) {
        guard layout.itemCount > Self.large, !(layout.unwrapped is GridLayout) else { return }
        threads.start { withExtendedLifetime(layout) {} }
    }

    /// Drops the layouts of a content that no longer exists.
    func forget(content serial: Int) {
        let dropped = cached.withLock { cached in
            cached.keys.filter { $0.content == serial }.compactMap { cached.remove($0) }
        }
        for built in dropped { release(built.layout) }
    }

    /// Fails all requests that wait for a layout whose build has not begun, and all later ones.
    package func shutdown() { threads.shutdown() }
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
