/// Facts of all items, one array a fact: a million pictures are sorted in a fraction of a second.
///
/// All arrays are as long as the catalogue, or empty where the fact is known of none.
public struct FactColumns: Sendable, Equatable {
    /// Seconds on the wall since 1970 (``DateTaken/wallSeconds``); ``undated`` where it is not known.
    public var taken: [Int64] = []
    /// Bytes of the original; -1 where they are not known.
    public var bytes: [Int64] = []
    /// When it came here, seconds since 1970; ``undated`` where it is not known.
    public var added: [Int64] = []
    /// Index into ``cameras``.
    public var camera: [UInt16] = []
    /// Make and model in one; the first is empty: not known.
    public var cameras: [String] = []
    /// Index into ``lenses``.
    public var lens: [UInt16] = []
    /// The first is empty: not known.
    public var lenses: [String] = []

    /// Sorts behind every date in either order.
    public static let undated = Int64.min

    /// Stars, 0 ... 5; 0 where there are none.
    public var rating: [UInt8] = []

    public init() {}
}
