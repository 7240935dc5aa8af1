public import Media

/// An order, a grouping and a filter that create a gallery from the items of another gallery.
public struct Arrangement: Sendable, Hashable {
    public enum Sort: String, Sendable, CaseIterable {
        /// Wall clock time at which a picture was taken, at the place where it was taken.
        case taken
        /// Natural order, ignoring case.
        case name
        /// The catalogue's own order. A list is sorted by address.
        case path
        /// Size of the original in bytes.
        case size
        /// Time at which a picture was added, which is the modification time of its file.
        case added

        /// Default of ``Arrangement/order`` for this key.
        public var usualOrder: Order { self == .name || self == .path ? .ascending : .descending }
    }

    public enum Order: String, Sendable, CaseIterable { case ascending, descending }

    public enum Group: String, Sendable, CaseIterable { case none, folder, day, month, year }

    public var sort: Sort
    /// Pictures without the fact are last in either order.
    public var order: Order
    public var group: Group
    public var filter: ItemFilter

    /// - Parameter order: default: newest and largest first, names and paths ascending.
    public init(
        sort: Sort = .path, order: Order? = nil, group: Group = .none, filter: ItemFilter = ItemFilter()
    ) {
        self.sort = sort
        self.order = order ?? sort.usualOrder
        self.group = group
        self.filter = filter
    }
}

extension Catalog {
    /// The best arrangement for browsing, or `nil` if the catalogue's own order is best. A folder is arranged by date, newest first, if
    /// more than half of its pictures have a date.
    public var defaultArrangement: Arrangement? {
        guard kind == .folder, !(items is ArrangedItems), 2 * datedCount > itemCount else { return nil }
        return Arrangement(sort: .taken, group: .month)
    }
}

/// Conditions for the items an arrangement shows. An item must meet all of them.
public struct ItemFilter: Sendable, Hashable {
    /// Words that must all match. A word matches in the picture's name, title, folder path, camera, lens or date. Case and accents are
    /// ignored. A date is a year, a month, a day or the beginning of one: `2021`, `july`, `12 july`, `2021-07`.
    public var text: String?
    /// First and last moment at which the picture may have been taken.
    public var takenFrom: WallPeriod?
    public var takenTo: WallPeriod?
    /// Title of a section, which is a folder's path. Folders inside it are included.
    public var folder: String?
    /// Part of the make and model, ignoring case.
    public var camera: String?
    /// Part of the lens name, ignoring case.
    public var lens: String?
    /// Kinds of pictures, judged by file extension. Empty for all kinds.
    public var kinds: Set<PictureKind> = []
    public var hasFiveStars = false

    public init() {}

    public var isEmpty: Bool { self == ItemFilter() }
}
