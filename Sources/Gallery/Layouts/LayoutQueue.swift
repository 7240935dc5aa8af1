import Viewport

/// What a layout follows from, but for the shapes of pictures that were found out since.
struct LayoutKey: Hashable, Sendable {
    /// `GalleryContent.serial`.
    var content: Int
    var options: LayoutOptions
    /// CSS pixels.
    var width: Double
}

/// Which layouts are kept, which are to be built, and who waits for them: a value, without threads.
///
/// Of each key there is one layout, and one build at a time. Shapes are counted: a layout made when so many were known is good
/// enough for requests that knew of no more. Generic over the layout, so that tests need none.
struct LayoutQueue<Built: Sendable>: Sendable {
    typealias Waiter = UInt64

    struct Limits: Sendable {
        /// Layouts kept that nobody may be using.
        var layouts = 64
        /// Items of those kept altogether: a justified layout takes 3 to 18 bytes an item.
        var items = 60_000_000
        /// Who may wait at once.
        var waiters = 1024
    }

    enum Answer {
        case ready(Built)
        /// A build is to be begun; the waiter is told of its end.
        case build
        /// The waiter is told of the end of a build that somebody asked for before.
        case wait
        /// Too many wait already.
        case refused
    }

    /// What the end of a build leads to.
    struct Finished {
        /// Those who have what they waited for.
        var served: [Waiter] = []
        /// Whether somebody waits for newer shapes, and the build is to be begun anew.
        var isBegunAgain = false
        /// Layouts that are kept no longer. To free a large one takes milliseconds.
        var dropped: [Built] = []
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

    init(limits: Limits = Limits()) { self.limits = limits }

    var keptCount: Int { kept.count }
    var waiterCount: Int { keys.count }

    /// The layout, where it is kept and was made when at least so many shapes were known.
    mutating func layout(_ key: LayoutKey, shapes: Int) -> Built? {
        guard let found = kept[key], found.shapes >= shapes else { return nil }
        clock += 1
        kept[key]?.used = clock
        return found.layout
    }

    /// Asks for a layout. Who waits is told by ``finish(_:_:shapes:items:)``, or asks no more by ``leave(_:)``.
    mutating func wait(_ waiter: Waiter, for key: LayoutKey, shapes: Int) -> Answer {
        if let layout = layout(key, shapes: shapes) { return .ready(layout) }
        guard keys.count < limits.waiters else { return .refused }
        keys[waiter] = key
        let isNew = builds[key] == nil
        builds[key, default: Build()].waiters.append((waiter, shapes))
        return isNew ? .build : .wait
    }

    /// - Returns: whether it was waiting.
    @discardableResult
    mutating func leave(_ waiter: Waiter) -> Bool {
        guard let key = keys.removeValue(forKey: waiter) else { return false }
        builds[key]?.waiters.removeAll { $0.id == waiter }
        return true
    }

    /// The turn of a build has come.
    ///
    /// - Returns: whether anyone still waits for it; where not, it is forgotten.
    mutating func begin(_ key: LayoutKey) -> Bool {
        guard let build = builds[key] else { return false }
        if build.waiters.isEmpty { builds[key] = nil }
        return !build.waiters.isEmpty
    }

    /// A layout was built, when so many shapes were known.
    mutating func finish(_ key: LayoutKey, _ layout: Built, shapes: Int, items count: Int) -> Finished {
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

    /// A layout cannot be had.
    ///
    /// - Returns: who waited for it.
    mutating func fail(_ key: LayoutKey) -> [Waiter] {
        let waiters = builds.removeValue(forKey: key)?.waiters.map { $0.id } ?? []
        for waiter in waiters { keys[waiter] = nil }
        return waiters
    }

    /// Keeps the layout no longer that was not asked for for longest.
    mutating func dropOldest() -> Built? {
        guard let oldest = kept.min(by: { $0.value.used < $1.value.used })?.key else { return nil }
        return drop(oldest)
    }

    /// A content is gone: nobody will ask for its layouts any more.
    ///
    /// - Returns: those that were kept.
    mutating func forget(content: Int) -> [Built] {
        kept.keys.filter { $0.content == content }.compactMap { drop($0) }
    }

    /// Nothing is built any more.
    ///
    /// - Returns: who waits in vain.
    mutating func close() -> [Waiter] {
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
