/// The work of the listing thread: walk once, then follow the changes until it is stopped.
struct FolderLister {
    private let board: FolderBoard
    private let options: FolderOptions
    private let stop: FolderWatch.Stop
    private let warn: @Sendable (String) -> Void
    private let watched = WatchedFolders()
    private var tree: FolderTree

    init(
        board: FolderBoard, root: String, options: FolderOptions, stop: FolderWatch.Stop,
        warn: @escaping @Sendable (String) -> Void
    ) {
        var options = options
        options.settleTime = min(max(options.settleTime, 0), 60_000)
        options.publishInterval = min(max(options.publishInterval, 0), 60_000)
        self.board = board
        self.options = options
        self.stop = stop
        self.warn = warn
        tree = FolderTree(root: root, options: options)
    }

    mutating func run() {
        if options.watches { watched.begin(root: tree.root, warn: warn) }
        walkAll()
        while options.watches, watched.isAlive {
            guard let changes = collect() else { return }
            apply(changes)
        }
    }

    private mutating func walkAll() {
        let progress = Progress(interval: .milliseconds(options.publishInterval))
        tree.walk(tree.top, enter: watched.enter) { [board, stop] tree in
            progress.tick { board.show(pages: tree.pages, skipped: tree.skippedCount, isComplete: false) }
            return !stop.isSignalled
        }
        if !stop.isSignalled { board.show(pages: tree.pages, skipped: tree.skippedCount, isComplete: true) }
    }

    /// Waits for a change, and then until there are none for a while (but not for ever: a folder may never rest).
    private func collect() -> [FolderWatch.Change]? {
        guard var changes = watched.wait(-1, stop) else { return nil }
        let clock = ContinuousClock()
        let deadline = clock.now + .milliseconds(options.settleTime * 5)
        while clock.now < deadline {
            guard let more = watched.wait(Int32(clamping: options.settleTime), stop) else { return nil }
            if more.isEmpty { break }
            changes += more
        }
        return changes
    }

    private mutating func apply(_ changes: [FolderWatch.Change]) {
        if changes.contains(where: \.isOverflow) {
            // Too much happened to be told in notices.
            watched.forgetAll()
            tree = FolderTree(root: tree.root, options: options)
            return walkAll()
        }
        var nodes: [ObjectIdentifier: FolderTree.Node] = [:]
        for change in changes {
            guard let node = watched.node(change.watch) else { continue }
            if change.isContent { nodes[ObjectIdentifier(node)] = node }
            if change.isGone {
                node.isGone = true
                let parent = node.parent ?? node
                nodes[ObjectIdentifier(parent)] = parent
            }
        }
        guard !nodes.isEmpty else { return }
        let progress = Progress(interval: .milliseconds(options.publishInterval))
        tree.refresh(Array(nodes.values), leave: watched.leave, enter: watched.enter) { [board, stop] tree in
            progress.tick { board.show(pages: tree.pages, skipped: tree.skippedCount, isComplete: false) }
            return !stop.isSignalled
        }
        board.show(pages: tree.pages, skipped: tree.skippedCount, isComplete: true)
    }
}

/// Which folder has which watch.
private final class WatchedFolders {
    private var watch: FolderWatch?
    private var nodes: [Int32: FolderTree.Node] = [:]
    private var root = ""
    private var warn: @Sendable (String) -> Void = { _ in }
    private var hasWarned = false

    func begin(root: String, warn: @escaping @Sendable (String) -> Void) {
        self.root = root
        self.warn = warn
        watch = FolderWatch { [unowned self] number in nodes[number].map { FolderPath.join(root, $0.path) } }
        if watch == nil { complain() }
    }

    var isAlive: Bool { watch != nil }

    func wait(_ milliseconds: Int32, _ stop: FolderWatch.Stop) -> [FolderWatch.Change]? {
        watch?.wait(milliseconds, stop)
    }

    func node(_ number: Int32) -> FolderTree.Node? { nodes[number] }

    func enter(_ node: FolderTree.Node) {
        guard let watch else { return }
        guard let number = watch.add(FolderPath.join(root, node.path)) else { return complain() }
        node.watch = number
        nodes[number] = node
    }

    func leave(_ node: FolderTree.Node) {
        guard let number = node.watch, nodes[number] === node else { return }
        nodes[number] = nil
        watch?.remove(number)
    }

    func forgetAll() {
        for number in nodes.keys { watch?.remove(number) }
        nodes = [:]
    }

    private func complain() {
        if hasWarned { return }
        hasWarned = true
        warn(
            "Some changes in \(root) will not be noticed: the system has no watches left "
                + "(raise fs.inotify.max_user_watches).")
    }
}

/// Lets work under way show itself now and then, however fast its steps are.
private final class Progress {
    private let interval: Duration
    private var next: ContinuousClock.Instant?

    init(interval: Duration) { self.interval = interval }

    func tick(_ show: () -> Void) {
        let now = ContinuousClock.now
        if let next, now < next { return }
        show()
        // Showing costs time in proportion to what there is; it may take a tenth of the whole at most.
        let cost = ContinuousClock.now - now
        next = ContinuousClock.now + max(interval, cost * 9)
    }
}
