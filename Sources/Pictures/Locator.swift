/// Where an item's picture is.
public enum Locator: Sendable, Hashable {
    /// A file of this machine, by absolute path, and the folder it is served from.
    case file(path: String, root: FolderRoot)
    /// An `http` or `https` address, absolute.
    case url(String)
}
