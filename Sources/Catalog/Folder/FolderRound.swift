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
        // What was dropped meanwhile is no part of the tree any more.
        return rest.suffix(batch).filter { $0 === tree.top || $0.parent != nil }
    }
}
