import Numbers
import PhotoFacts

/// State of a picture's file at the time its facts were read. The facts are valid while the state is the same.
struct FileStamp: Sendable, Equatable {
    var bytes: Int64
    /// Nanoseconds since 1970.
    var modified: Int64
    /// Time of the last change of the inode, in nanoseconds since 1970. It tells an edit that restored size and time.
    var changed: Int64
    /// Tells a file that replaced another on a file system that does not keep `changed`.
    var inode: Int64
    /// Stands for what lies beside it and tells of it; 0 where nothing does.
    var sidecars: Int64 = 0

    /// Stands for all of it: a number of 47 bits, which take six bytes in a database. Never one of ``FactRecord``'s own.
    var hash: UInt64 {
        var hash: UInt64 = 0
        for value in [bytes, modified, changed, inode, sidecars] {
            // The steps of SplitMix64.
            hash = (hash ^ UInt64(bitPattern: value)) &+ 0x9E37_79B9_7F4A_7C15
            hash = (hash ^ hash >> 30) &* 0xBF58_476D_1CE4_E5B9
            hash = (hash ^ hash >> 27) &* 0x94D0_49BB_1331_11EB
            hash ^= hash >> 31
        }
        return max(hash >> 17, 2)
    }
}

/// The facts kept in memory for each picture of a folder: 48 bytes.
package struct FactRecord: Sendable, Equatable {
    /// Nothing is known yet.
    package static let unread = FactRecord(stamp: 0)
    /// The file cannot be read.
    package static let unreadable = FactRecord(stamp: 1)

    /// The ``FileStamp/hash`` of what was read.
    package var stamp: UInt64
    /// -1 where it is not known.
    var bytes: Int64 = -1
    /// Seconds since 1970.
    var added = FactColumns.undated
    /// Milliseconds on the wall since 1970; ``FactColumns/undated`` if they are not known. Seconds and their fraction in one take no more
    /// bytes than seconds.
    private var moment = FactColumns.undated
    /// Pixels of the upright picture; 0 where they are not known.
    var width: UInt32 = 0
    var height: UInt32 = 0
    /// Of ``Equipment``.
    var equipment: UInt16 = 0
    package var motion: PictureFacts.Motion?
    /// Stars; 0 where there are none.
    var rating: UInt8 = 0
    /// Seconds that a video plays; 0 where it is not known.
    var duration: Float = 0

    package init(
        stamp: UInt64, bytes: Int64 = -1, added: Int64 = FactColumns.undated, taken: Int64 = FactColumns.undated,
        width: UInt32 = 0, height: UInt32 = 0, equipment: UInt16 = 0, motion: PictureFacts.Motion? = nil,
        rating: UInt8 = 0
    ) {
        self.stamp = stamp
        self.bytes = bytes
        self.added = added
        self.taken = taken
        self.width = width
        self.height = height
        self.equipment = equipment
        self.motion = motion
        self.rating = rating
    }

    package var isKnown: Bool { stamp != 0 }

    /// Seconds on the wall since 1970. A file's own time is no date that pictures are sorted by: copies have that of their
    /// copying.
    package var taken: Int64 {
        get { moment == FactColumns.undated ? moment : (moment - Int64(millisecond)) / 1_000 }
        set { setTaken(newValue, millisecond: 0) }
    }

    /// Thousandths behind ``taken``, 0 ... 999.
    package var millisecond: UInt16 {
        if moment == FactColumns.undated { return 0 }
        let rest = moment % 1_000
        return UInt16(clamping: rest < 0 ? rest + 1_000 : rest)
    }

    /// Seconds that are believed, either way: some thirty million years.
    private static let mostSeconds: Int64 = 1 << 50

    fileprivate mutating func setTaken(_ seconds: Int64, millisecond: Int) {
        let isKnown = -Self.mostSeconds...Self.mostSeconds ~= seconds
        moment = isKnown ? seconds * 1_000 + Int64(UInt16(clamping: millisecond)) : FactColumns.undated
    }
}

extension FactRecord {
    /// - Parameter stamp: the ``FileStamp/hash`` of the file.
    init(_ facts: PictureFacts, stamp: UInt64, equipment: UInt16) {
        self.init(stamp: stamp)
        bytes = facts.bytes.map(Int64.init) ?? -1
        added = facts.added ?? FactColumns.undated
        if facts.takenSource != .file, let taken = facts.taken {
            setTaken(taken.wallSeconds, millisecond: taken.millisecond)
        }
        width = UInt32(clamping: facts.width ?? 0)
        height = UInt32(clamping: facts.height ?? 0)
        self.equipment = equipment
        motion = facts.motion
        rating = UInt8(clamping: facts.rating ?? 0)
        duration = Float(facts.duration ?? 0)
    }
}

extension FileStamp {
    /// Seconds since 1970.
    var added: Int64 { Int64(clamping: (Double(modified) / 1e9).rounded(.down)) }
}

/// Facts of all items, one array a fact: a million pictures are sorted in a fraction of a second.
///
/// All arrays are as long as the catalogue, or empty where the fact is known of none.
public struct FactColumns: Sendable, Equatable {
    /// Seconds on the wall since 1970 (``DateTaken/wallSeconds``); ``undated`` where it is not known.
    public var taken: [Int64] = []
    /// Thousandths behind ``taken``, 0 ... 999: pictures of one second are sorted by them.
    public var millisecond: [UInt16] = []
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
