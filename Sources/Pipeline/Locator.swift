/// Where an item's picture is.
public enum Locator: Sendable, Hashable {
    /// A file of this machine, by absolute path.
    case file(path: String)
    /// An `http` or `https` address, absolute.
    case url(String)
}
