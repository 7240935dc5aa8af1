import Viewport

/// The inputs of a layout, except picture shapes that were learned later.
package struct LayoutKey: Hashable, Sendable {
    /// Serial of the content (`GalleryContent.serial`).
    var content: Int
    var options: LayoutOptions
    /// Width in CSS pixels.
    var width: Double

    package init(content: Int, options: LayoutOptions, width: Double) {
        self.content = content
        self.options = options
        self.width = width
    }
}

/// The cached layouts and those to build, each with its waiters. A value without threads.
///
/// Each key has one layout and one build at a time. The number of known shapes serves as a version: a layout built with a
/// number of shapes satisfies requests that knew no more shapes. Generic over the layout, so that tests need no real layouts.
package struct LayoutQueue<Built: Sendable>: Sendable {
    package typealias Waiter = UInt64

    package struct Limits: Sendable {
        /// Maximum number of cached layouts, in use or not.
        var layouts = 64
        /// Maximum total number of items of the cached layouts. A justified layout uses 3 to 18 bytes per item.
        var items = 60_000_000
        var waiters = 1024

        package init(layouts: Int = 64, items: Int = 60_000_000, waiters: Int = 1024) {
            self.layouts = layouts
            self.items = items
            self.waiters = waiters
        }
    }

    package enum WaitResult {
        case ready(Built)
        /// The caller must begin a build. The waiter receives its result.
        case build
        /// A build is in progress. The waiter receives its result.
        case wait
        /// Too many requests are already waiting.
        case refused
    }

    package struct Finished {
        package var served: [Waiter] = []
        /// Whether a waiter needs newer shapes, so that the caller builds again.
        package var isBegunAgain = false
        /// Dropped layouts. Freeing a large one takes milliseconds.
        package var dropped: [Built] = []
    }

    private struct Kept {
        var layout: Built
        var shapes: Int
        var items: Int
        var used: Int
    }

    private struct Build {
        var waiters: [(id: Waiter, shapes: Int)] = []
    }

    private let limits: Limits
    private var kept: [LayoutKey: Kept] = [:]
    private var builds: [LayoutKey: Build] = [:]
    private var keys: [Waiter: LayoutKey] = [:]
    private var items = 0
    private var clock = 0

    package init(limits: Limits = Limits()) { self.limits = limits }

    package var keptCount: Int { kept.count }
    package var waiterCount: Int { keys.count }

    /// Returns the layout if it is cached and was built with at least `shapes` known shapes.
    package mutating func layout(_ key: LayoutKey, shapes: Int) -> Built? {
        guard let found = kept[key], found.shapes >= shapes else { return nil }
        clock += 1
        kept[key]?.used = clock
        return found.layout
    }

    /// Requests a layout. ``finish(_:_:shapes:items:)`` returns the waiters to wake. ``leave(_:)`` removes a waiter.
    package mutating func wait(_ waiter: Waiter, for key: LayoutKey, shapes: Int) -> WaitResult {
        if let layout = layout(key, shapes: shapes) { return .ready(layout) }
        guard keys.count < limits.waiters else { return .refused }
        keys[waiter] = key
        let isNew = builds[key] == nil
        builds[key, default: Build()].waiters.append((waiter, shapes))
        return isNew ? .build : .wait
    }

    /// - Returns: whether the waiter was waiting.
    @discardableResult
    package mutating func leave(_ waiter: Waiter) -> Bool {
        guard let key = keys.removeValue(forKey: waiter) else { return false }
        builds[key]?.waiters.removeAll { $0.id == waiter }
        return true
    }

    /// Begins a build on its thread.
    ///
    /// - Returns: whether the build still has waiters. A build without waiters is dropped.
    package mutating func begin(_ key: LayoutKey) -> Bool {
        guard let build = builds[key] else { return false }
        if build.waiters.isEmpty { builds[key] = nil }
        return !build.waiters.isEmpty
    }

    /// Adds a layout that was built with `shapes` known shapes.
    package mutating func finish(_ key: LayoutKey, _ layout: Built, shapes: Int, items count: Int) -> Finished {
        var finished = Finished()
        keep(layout, for: key, shapes: shapes, items: count, &finished.dropped)
        guard let build = builds.removeValue(forKey: key) else { return finished }
        var left = Build()
        for waiter in build.waiters {
            if waiter.shapes <= shapes {
                keys[waiter.id] = nil
                finished.served.append(waiter.id)
            } else {
                left.waiters.append(waiter)
            }
        }
        if !left.waiters.isEmpty {
            builds[key] = left
            finished.isBegunAgain = true
        }
        return finished
    }

    /// - Returns: the waiters of the build.
    mutating func fail(_ key: LayoutKey) -> [Waiter] {
        let waiters = builds.removeValue(forKey: key)?.waiters.map { $0.id } ?? []
        for waiter in waiters { keys[waiter] = nil }
        return waiters
    }

    /// Drops the least recently used layout.
    mutating func dropOldest() -> Built? {
        guard let oldest = kept.min(by: { $0.value.used < $1.value.used })?.key else { return nil }
        return drop(oldest)
    }

    /// Drops the layouts of a content that no longer exists.
    package mutating func forget(content: Int) -> [Built] {
        kept.keys.filter { $0.content == content }.compactMap { drop($0) }
    }

    /// - Returns: the waiters to fail.
    package mutating func close() -> [Waiter] {
        defer { (builds, keys) = ([:], [:]) }
        return Array(keys.keys)
    }

    private mutating func keep(
        _ layout: Built, for key: LayoutKey, shapes: Int, items count: Int, _ dropped: inout [Built]
    ) {
        if let old = drop(key) { dropped.append(old) }
        clock += 1
        kept[key] = Kept(layout: layout, shapes: shapes, items: count, used: clock)
        items += count
        while kept.count > 1, kept.count > limits.layouts || items > limits.items,
            let oldest = dropOldest()
        {
            dropped.append(oldest)
        }
    }

    private mutating func drop(_ key: LayoutKey) -> Built? {
        guard let old = kept.removeValue(forKey: key) else { return nil }
        items -= old.items
        return old.layout
    }
}
