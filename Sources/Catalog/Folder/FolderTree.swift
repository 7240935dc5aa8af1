import Glibc
import Media

/// Reports the progress of a long walk, and can stop the walk.
package struct WalkProgress {
    /// Returns whether the folders found so far should be shown now.
    var isDue: () -> Bool
    var show: (FolderTree) -> Void
    var continues: () -> Bool

    package init(isDue: @escaping () -> Bool, show: @escaping (FolderTree) -> Void, continues: @escaping () -> Bool) {
        self.isDue = isDue
        self.show = show
        self.continues = continues
    }
}

/// The folders of a catalogue with their contents. Read top down, then changed one folder at a time.
///
/// Used only by the thread that lists and watches.
package struct FolderTree {
    package final class Node {
        let path: String
        let depth: Int
        weak var parent: Node?
        fileprivate(set) var page: FolderPage
        fileprivate(set) var children: [Node] = []
        fileprivate(set) var id: DirectoryID?
        /// Time of the directory's last change before it was read, in nanoseconds since 1970.
        fileprivate var changed: Int64?
        fileprivate var notShown = FilesNotShown()
        fileprivate var leftOut = FilesLeftOut()
        var watch: Int32?
        /// Whether the directory that was read is gone, even if another one has its name now.
        var isGone = false

        fileprivate init(path: String, depth: Int, parent: Node?) {
            self.path = path
            self.depth = depth
            self.parent = parent
            page = FolderPage(path: path, names: TextColumn())
        }

        fileprivate var name: Substring {
            path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path[...]
        }
    }

    let root: FolderRoot
    package let top = Node(path: "", depth: 0, parent: nil)
    private let options: FolderOptions
    private let index: FolderIndex?
    private let resolvedRoot: String
    private var known: Set<DirectoryID> = []
    private var itemCount = 0
    private var folderCount = 1

    package init(root: FolderRoot, options: FolderOptions, index: FolderIndex? = nil) {
        self.root = root
        self.options = options
        self.index = index
        resolvedRoot = DirectoryContents.resolved(root.path) ?? root.path
    }

    /// Reads a folder and all folders below it, in the order of the catalogue.
    ///
    /// - Parameter enter: called before a folder is read, so that every later change is noticed.
    package mutating func walk(_ node: Node, enter: (Node) -> Void, progress: WalkProgress) {
        var stack = [node]
        while let next = stack.popLast() {
            guard progress.continues() else { return }
            enter(next)
            let contents: DirectoryContents
            do throws(FolderRoot.Failure) {
                guard let found = try read(next, progress) else { return }
                contents = found
            } catch {
                next.isGone = true
                leaveOut(next, error)
                continue
            }
            // This directory is already listed in another place.
            guard known.insert(contents.id).inserted else {
                next.isGone = true
                continue
            }
            next.id = contents.id
            fill(next, contents)
            next.children = children(contents.folders, of: next)
            stack.append(contentsOf: next.children.reversed())
            if progress.isDue() { progress.show(self) }
        }
    }

    /// Reads one folder. While a long read is running, shows the pictures found so far, sorted only among themselves.
    private func read(
        _ node: Node, _ progress: WalkProgress
    ) throws(FolderRoot.Failure) -> DirectoryContents? {
        let before = node.page
        defer { node.page = before }
        return try DirectoryContents.read(
            node.path, in: root, resolvedRoot: resolvedRoot, excludes: options.excludes
        ) { names in
            if progress.isDue(), names.count <= options.maxItems - itemCount {
                node.page = FolderPage(path: node.path, names: DirectoryContents.inOrder(names))
                progress.show(self)
            }
            return progress.continues()
        }
    }

    /// Reads these folders again. Drops missing folders before it walks new folders, because a new folder may be a renamed one.
    mutating func refresh(
        _ nodes: [Node], leave: (Node) -> Void, enter: (Node) -> Void, progress: WalkProgress
    ) {
        var found: [(Node, DirectoryContents)] = []
        for node in nodes where node === top || node.parent != nil {
            let contents: DirectoryContents
            do throws(FolderRoot.Failure) {
                guard
                    let read = try DirectoryContents.read(
                        node.path, in: root, resolvedRoot: resolvedRoot, excludes: options.excludes)
                else { continue }
                contents = read
            } catch {
                empty(node, leave)
                leaveOut(node, error)
                if node === top { top.isGone = true }
                continue
            }
            let names = Set(contents.folders)
            let (kept, gone) = node.children.partitioned { names.contains(String($0.name)) && !$0.isGone }
            for child in gone { drop(child, leave) }
            node.children = kept
            found.append((node, contents))
        }
        for (node, contents) in found where node === top || node.parent != nil {
            fill(node, contents)
            var children = Dictionary(
                node.children.map { (String($0.name), $0) }, uniquingKeysWith: { first, _ in first })
            let new = self.children(contents.folders.filter { children[$0] == nil }, of: node)
            for child in new { children[String(child.name)] = child }
            node.children = contents.folders.compactMap { children[$0] }
            for child in new { walk(child, enter: enter, progress: progress) }
        }
    }

    package var pages: [FolderPage] {
        var pages: [FolderPage] = []
        var stack = [top]
        while let node = stack.popLast() {
            if node.page.names.count > 0 { pages.append(node.page) }
            stack.append(contentsOf: node.children.reversed())
        }
        return pages
    }

    package var missing: (leftOut: FilesLeftOut, notShown: FilesNotShown) {
        var missing = (leftOut: FilesLeftOut(), notShown: FilesNotShown())
        var stack = [top]
        while let node = stack.popLast() {
            missing.leftOut.add(node.leftOut)
            missing.notShown.add(node.notShown)
            stack.append(contentsOf: node.children.reversed())
        }
        return missing
    }

    /// All folders, the last one first.
    var nodes: [Node] {
        var found: [Node] = []
        var stack = [top]
        while let node = stack.popLast() {
            found.append(node)
            stack.append(contentsOf: node.children)
        }
        return found
    }

    /// Returns whether a folder has changed since it was read, before a time in nanoseconds since 1970. A folder that cannot be reached
    /// counts as unchanged, because unreachable does not mean deleted.
    func hasChanged(_ node: Node, before time: Int64) -> Bool {
        guard let known = node.changed, let last = DirectoryContents.changed(absolute(node)) else { return false }
        return last != known && last < time
    }

    /// Folders whose path leads to another directory now, because something was mounted or unmounted there.
    var replaced: [Node] {
        var found: [Node] = []
        var stack = [top]
        while let node = stack.popLast() {
            if let id = node.id, DirectoryID(path: absolute(node)) != id {
                found.append(node)
            } else {
                stack.append(contentsOf: node.children)
            }
        }
        return found
    }

    func absolute(_ node: Node) -> String { FolderPath.join(root.path, node.path) }

    private mutating func fill(_ node: Node, _ contents: DirectoryContents) {
        itemCount -= node.page.names.count
        var names = contents.pictures
        node.changed = contents.changed
        node.leftOut = contents.leftOut
        node.notShown = contents.notShown
        let room = max(options.maxItems - itemCount, 0)
        if names.count > room {
            for index in room..<names.count { node.leftOut.add(.tooMany, names[index], in: node.path) }
            var some = TextColumn()
            for index in 0..<room { _ = some.append(names[index]) }
            names = some
        }
        itemCount += names.count
        node.page = FolderPage(path: node.path, names: names, sidecars: contents.sidecars, videos: contents.videos)
        index?.enter(node.page, isWhole: names.count == contents.pictures.count)
    }

    private mutating func children(_ names: [String], of node: Node) -> [Node] {
        let room = node.depth < options.maxDepth ? max(options.maxFolders - folderCount, 0) : 0
        let reason = node.depth < options.maxDepth ? LeftOutReason.tooMany : .tooDeep
        for name in names.dropFirst(room) { node.leftOut.add(reason, name.utf8, in: node.path) }
        folderCount += min(names.count, room)
        return names.prefix(room).map {
            Node(path: FolderPath.join(node.path, $0), depth: node.depth + 1, parent: node)
        }
    }

    private mutating func empty(_ node: Node, _ leave: (Node) -> Void) {
        for child in node.children { drop(child, leave) }
        node.children = []
        itemCount -= node.page.names.count
        node.page = FolderPage(path: node.path, names: TextColumn())
        node.notShown = FilesNotShown()
    }

    /// Records why a folder cannot be read. Records nothing if the folder is gone.
    private func leaveOut(_ node: Node, _ failure: FolderRoot.Failure) {
        node.leftOut = FilesLeftOut()
        // The folder may become readable later.
        node.changed = DirectoryContents.changed(absolute(node))
        switch failure {
        case .leadsOutside: node.leftOut.add(.leadsOut, node.path.utf8, in: "")
        case .system(ENOENT), .system(ENOTDIR): break
        case .system: node.leftOut.add(.unreadable, node.path.utf8, in: "")
        }
    }

    private mutating func drop(_ node: Node, _ leave: (Node) -> Void) {
        var stack = [node]
        while let next = stack.popLast() {
            leave(next)
            if let id = next.id { known.remove(id) }
            itemCount -= next.page.names.count
            folderCount -= 1
            stack.append(contentsOf: next.children)
            next.children = []
            next.parent = nil
        }
    }
}

extension Array {
    fileprivate func partitioned(_ belongs: (Element) -> Bool) -> (kept: [Element], gone: [Element]) {
        var (kept, gone): ([Element], [Element]) = ([], [])
        for element in self { if belongs(element) { kept.append(element) } else { gone.append(element) } }
        return (kept, gone)
    }
}
