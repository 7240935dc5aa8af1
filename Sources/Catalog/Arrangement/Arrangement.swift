public import PhotoFacts

/// An order, groups and a filter: what makes a gallery of its own of another one's items.
public struct Arrangement: Sendable, Hashable {
    public enum Sort: String, Sendable, CaseIterable {
        /// When a picture was taken, by the clock on the wall where it was.
        case taken
        /// In natural order, whatever the case.
        case name
        /// The catalogue's own order; that of the addresses in a list.
        case path
        /// Bytes of the original.
        case size
        /// When a picture came here.
        case added

        /// The default of ``Arrangement/order``.
        public var usualOrder: Order { self == .name || self == .path ? .ascending : .descending }
    }

    public enum Order: String, Sendable, CaseIterable { case ascending, descending }

    /// How items are grouped into sections.
    public enum Group: String, Sendable, CaseIterable { case none, folder, day, month, year }

    public var sort: Sort
    /// Pictures for which the fact is unknown come last in either order.
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
    /// The arrangement in which a person finds their way best, where it is another than the catalogue's own: a folder most of
    /// whose pictures have a date is shown by date, the newest first.
    public var defaultArrangement: Arrangement? {
        guard kind == .folder, !(items is ArrangedItems), 2 * datedCount > itemCount else { return nil }
        return Arrangement(sort: .taken, group: .month)
    }
}

/// Which items an arrangement shows: those that all its parts let through.
public struct ItemFilter: Sendable, Hashable {
    /// Words that each match the picture's name, its title, its folder's path, its camera, its lens or its date, in either case,
    /// accents left out. A date is a year, a month, a day or the beginning of one: `2021`, `july`, `12 july`, `2021-07`.
    public var text: String?
    /// The first and the last moment it may have been taken.
    public var takenFrom: WallPeriod?
    public var takenTo: WallPeriod?
    /// The title of a section: a folder's path. Those inside it count.
    public var folder: String?
    /// A part of make and model, in either case.
    public var camera: String?
    /// A part of the lens's name, in either case.
    public var lens: String?
    /// By the endings of the files' names; empty for all.
    public var kinds: Set<PictureKind> = []
    /// Only pictures of five stars.
    public var hasFiveStars = false

    public init() {}

    public var isEmpty: Bool { self == ItemFilter() }
}
