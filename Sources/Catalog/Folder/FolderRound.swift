/// Visits all folders of a tree in turn, some at a time, and starts over after the last.
struct FolderRound {
    private var rest: [FolderTree.Node] = []
    private var batch = 0

    /// The folders to look at now.
    ///
    /// - Parameter looks: in how many looks all of them are seen, 1 or more.
    mutating func next(of tree: FolderTree, looks: Int) -> [FolderTree.Node] {
        if rest.isEmpty {
            rest = tree.nodes
            batch = (rest.count + looks - 1) / looks
        }
        defer { rest.removeLast(min(batch, rest.count)) }
        // Folders dropped meanwhile are no longer part of the tree.
        return rest.suffix(batch).filter { $0 === tree.top || $0.parent != nil }
    }
}
