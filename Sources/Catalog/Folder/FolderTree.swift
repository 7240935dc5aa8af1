import Glibc
import Pictures

/// Lets a long walk report its progress and be stopped.
package struct WalkProgress {
    /// Whether what was found is to be shown now.
    var isDue: () -> Bool
    var show: (FolderTree) -> Void
    /// `false` ends the walk.
    var continues: () -> Bool

    package init(isDue: @escaping () -> Bool, show: @escaping (FolderTree) -> Void, continues: @escaping () -> Bool) {
        self.isDue = isDue
        self.show = show
        self.continues = continues
    }
}

/// The folders of a catalogue and what each holds; read top down, changed one folder at a time.
///
/// Belongs to the one thread that lists and watches.
package struct FolderTree {
    package final class Node {
        let path: String
        let depth: Int
        weak var parent: Node?
        fileprivate(set) var page: FolderPage
        fileprivate(set) var children: [Node] = []
        fileprivate(set) var id: DirectoryID?
        /// When the directory had last changed as it was read, in nanoseconds since 1970.
        fileprivate var changed: Int64?
        fileprivate var notShown = FilesNotShown()
        fileprivate var leftOut = FilesLeftOut()
        var watch: Int32?
        /// Whether the directory this was read from is gone, whatever has its name now.
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

    /// Reads a folder and everything below it, in the order of the catalogue.
    ///
    /// - Parameters:
    ///   - enter: called before a folder is read, so that no change after that goes unnoticed.
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
            // One that is listed in another place.
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

    /// Reads one folder. One that takes long shows the pictures found so far, which is their order only among themselves.
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

    /// Reads these folders again: first what went is dropped, then what came is walked, since one may be the other.
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

    /// The pages that hold pictures, in order.
    package var pages: [FolderPage] {
        var pages: [FolderPage] = []
        var stack = [top]
        while let node = stack.popLast() {
            if node.page.names.count > 0 { pages.append(node.page) }
            stack.append(contentsOf: node.children.reversed())
        }
        return pages
    }

    /// Files and folders that are left out, and those of kinds that are not shown.
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

    /// Whether a folder has changed since it was read, before a time in nanoseconds since 1970. One that cannot be reached has not:
    /// unreachable is not deleted.
    func hasChanged(_ node: Node, before time: Int64) -> Bool {
        guard let known = node.changed, let last = DirectoryContents.changed(absolute(node)) else { return false }
        return last != known && last < time
    }

    /// The folders whose path leads to another directory now: something was mounted or unmounted there.
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

    /// Says of a folder why it cannot be read; of one that has gone there is nothing to say.
    private func leaveOut(_ node: Node, _ failure: FolderRoot.Failure) {
        node.leftOut = FilesLeftOut()
        // It may be readable later.
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
