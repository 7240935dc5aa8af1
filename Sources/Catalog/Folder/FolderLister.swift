import Glibc
import Media
import Threads

/// The work of the listing thread: reads all folders once, then applies changes until stopped.
struct FolderLister {
    private let publisher: CatalogPublisher
    private let index: FolderIndex?
    private let options: FolderOptions
    private let stop: Wakeup
    private let warn: @Sendable (String) -> Void
    private let watched = WatchedFolders()
    private var tree: FolderTree
    private var round = FolderRescan()
    /// The last message about files that are not shown.
    private var lastSentence: String?
    /// Whether the folder existed at the last check.
    private var isThere = true

    init(
        publisher: CatalogPublisher, root: FolderRoot, index: FolderIndex?, options: FolderOptions,
        stop: Wakeup, warn: @escaping @Sendable (String) -> Void
    ) {
        let options = options.clamped
        self.publisher = publisher
        self.index = index
        self.options = options
        self.stop = stop
        self.warn = warn
        tree = FolderTree(root: root, options: options, index: index)
    }

    mutating func run() {
        if options.watches { watched.begin(root: tree.root.path, warn: warn) }
        walkAll()
        while options.watches, watched.isAlive {
            guard let changes = watched.collect(options, stop) else { return }
            if !changes.isEmpty { apply(changes) }
            look()
            checkFolders()
        }
    }

    /// Checks a few folders for changes that the system did not report.
    private mutating func checkFolders() {
        let checks = max(1, options.roundTime / options.checkInterval)
        let time = options.settledBefore
        let changed = round.next(of: tree, checks: checks).filter { tree.hasChanged($0, before: time) }
        // A folder that could not be read is read again through its parent.
        refresh(changed.map { $0.isGone ? $0.parent ?? $0 : $0 })
    }

    /// Checks whether the folder is still the directory that was read. The watch does not report a folder that was mounted or recreated.
    ///
    /// - Returns: whether the folder is missing, has returned or was replaced. In that case the catalogue has been published again.
    @discardableResult
    private mutating func look() -> Bool {
        let root = tree.root.path
        let id = DirectoryID(path: root)
        if id == nil, isThere {
            warn("The folder \(root) is missing or cannot be read. Its pictures return when it does.")
        } else if id != nil, !isThere {
            warn("The folder \(root) is back and is being read again.")
        } else if id != nil, tree.top.isGone || tree.top.id != id {
            warn("The folder \(root) has been replaced (recreated, mounted or unmounted) and is being read again.")
        } else {
            return false
        }
        isThere = id != nil
        watched.forgetAll()
        tree = FolderTree(root: tree.root, options: options, index: index)
        if isThere { walkAll() } else { showAll() }
        return true
    }

    private mutating func walkAll() {
        tree.walk(tree.top, enter: watched.enter, progress: progress())
        guard !stop.isSignalled else { return }
        showAll()
        let catalog = publisher.catalog
        let sentences = [
            tree.pages.isEmpty ? Self.nothingToShow : nil, catalog.notShown.sentence, catalog.leftOut.sentence,
        ]
        let sentence = sentences.compactMap { $0 }.joined(separator: "; ")
        if !sentence.isEmpty, sentence != lastSentence { warn("\(tree.root.path): \(sentence).") }
        lastSentence = sentence
    }

    /// Message for a folder without pictures. Names the kinds of files that were searched for.
    static var nothingToShow: String {
        let kinds = PictureKind.allCases.filter(\.isListed).map(\.rawValue)
        return
            "nothing to show: no \(kinds.dropLast().joined(separator: ", ")) or \(kinds.last ?? "") file in it or below it"
    }

    private func progress() -> WalkProgress {
        var pace = Pace(interval: options.publishInterval)
        return WalkProgress(
            isDue: { pace.isDue },
            show: { [publisher, index] tree in
                pace.run { Self.show(tree, isComplete: false, on: publisher, index) }
            },
            continues: { [stop] in !stop.isSignalled })
    }

    /// Starts reading the facts of the pictures, and publishes the folder. The folder appears with its facts if they arrive soon.
    private func showAll() {
        index?.begin(tree.pages, waiting: min(max(options.publishInterval, 0), 60_000))
        Self.show(tree, isComplete: true, on: publisher, index)
    }

    private static func show(
        _ tree: FolderTree, isComplete: Bool, on publisher: CatalogPublisher, _ index: FolderIndex?
    ) {
        let (leftOut, notShown) = tree.missing
        publisher.publish { last in
            FolderListing(
                root: tree.root, revision: last.revision + 1, isComplete: isComplete, leftOut: leftOut.list,
                notShown: notShown, pages: tree.pages, index: index
            ).catalog
        }
    }

    private mutating func apply(_ changes: [FolderWatch.Change]) {
        if changes.contains(where: \.isOverflow) {
            // Some notices were lost, so read everything again.
            watched.forgetAll()
            tree = FolderTree(root: tree.root, options: options, index: index)
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
        if changes.contains(where: \.isMount) {
            for node in tree.replaced {
                node.isGone = true
                let parent = node.parent ?? node
                nodes[ObjectIdentifier(parent)] = parent
            }
        }
        refresh(Array(nodes.values))
    }

    private mutating func refresh(_ nodes: [FolderTree.Node]) {
        guard !nodes.isEmpty else { return }
        tree.refresh(nodes, leave: watched.leave, enter: watched.enter, progress: progress())
        guard !stop.isSignalled else { return }
        // Report that the folder itself is gone before publishing.
        if !look() { showAll() }
    }
}

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

    func collect(_ options: FolderOptions, _ stop: Wakeup) -> [FolderWatch.Change]? {
        watch?.collect(options, stop)
    }

    func node(_ number: Int32) -> FolderTree.Node? { nodes[number] }

    func enter(_ node: FolderTree.Node) {
        do throws(FolderWatch.NoneLeft) {
            guard let number = try watch?.add(FolderPath.join(root, node.path)) else { return }
            node.watch = number
            nodes[number] = node
        } catch {
            complain()
        }
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
            "Some changes in \(root) will be noticed late: the system has no watches left "
                + "(raise fs.inotify.max_user_watches).")
    }
}

/// Visits all folders of a tree in turn, a few at a time, and starts again after the last one.
struct FolderRescan {
    private var rest: [FolderTree.Node] = []
    private var batch = 0

    /// Returns the folders to check now.
    ///
    /// - Parameter checks: number of calls after which all folders have been checked, at least 1.
    mutating func next(of tree: FolderTree, checks: Int) -> [FolderTree.Node] {
        if rest.isEmpty {
            rest = tree.nodes
            batch = (rest.count + checks - 1) / checks
        }
        defer { rest.removeLast(min(batch, rest.count)) }
        // Skip folders that were dropped from the tree since the round began.
        return rest.suffix(batch).filter { $0 === tree.top || $0.parent != nil }
    }
}
