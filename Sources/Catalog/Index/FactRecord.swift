import Media
import Numbers

/// State of a picture's file when its facts were read. The facts are valid while the state is the same.
struct FileStamp: Sendable, Equatable {
    var bytes: Int64
    /// Nanoseconds since 1970.
    var modified: Int64
    /// Time of the last change of the inode, in nanoseconds since 1970. Detects an edit that restored size and modification time.
    var changed: Int64
    /// Detects a file that replaced another on a file system that does not store `changed`.
    var inode: Int64
    /// Hash of the files beside the picture that describe it. 0 if there are none.
    var sidecars: Int64 = 0

    /// Hash of all members. It has 47 bits, which need six bytes in a database. It is never a special stamp of ``FactRecord``, such as the
    /// stamp of ``FactRecord/unread``.
    var hash: UInt64 {
        var hash: UInt64 = 0
        for value in [bytes, modified, changed, inode, sidecars] {
            // These are the steps of SplitMix64.
            hash = (hash ^ UInt64(bitPattern: value)) &+ 0x9E37_79B9_7F4A_7C15
            hash = (hash ^ hash >> 30) &* 0xBF58_476D_1CE4_E5B9
            hash = (hash ^ hash >> 27) &* 0x94D0_49BB_1331_11EB
            hash ^= hash >> 31
        }
        return max(hash >> 17, 2)
    }
}

/// The facts of one picture of a folder in memory: 48 bytes.
package struct FactRecord: Sendable, Equatable {
    package static let unread = FactRecord(stamp: 0)
    package static let unreadable = FactRecord(stamp: 1)

    /// The ``FileStamp/hash`` of the file that was read.
    package var stamp: UInt64
    /// Size of the file, or -1 if unknown.
    var bytes: Int64 = -1
    /// Modification time of the file, in seconds since 1970.
    var added = FactColumns.undated
    /// Wall clock milliseconds since 1970, or ``FactColumns/undated`` if unknown. One number for seconds and fraction needs no more bytes
    /// than seconds.
    private var moment = FactColumns.undated
    /// Pixels of the upright picture. 0 if unknown.
    var width: UInt32 = 0
    var height: UInt32 = 0
    /// Number of the camera and lens in ``Equipment``.
    var equipment: UInt16 = 0
    package var motion: PictureFacts.Motion?
    /// Stars. 0 if not rated.
    var rating: UInt8 = 0
    /// Duration of a video in seconds. 0 if unknown.
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

    /// Wall clock seconds since 1970. Never the file's modification time, because a copy has the time of the copying.
    package var taken: Int64 {
        get { moment == FactColumns.undated ? moment : (moment - Int64(millisecond)) / 1_000 }
        set { setTaken(newValue, millisecond: 0) }
    }

    /// Milliseconds after ``taken``, 0 ... 999.
    package var millisecond: UInt16 {
        if moment == FactColumns.undated { return 0 }
        let rest = moment % 1_000
        return UInt16(clamping: rest < 0 ? rest + 1_000 : rest)
    }

    /// Maximum number of seconds, before or after 1970: more than 30 million years.
    private static let maximumSeconds: Int64 = 1 << 50

    fileprivate mutating func setTaken(_ seconds: Int64, millisecond: Int) {
        let isKnown = -Self.maximumSeconds...Self.maximumSeconds ~= seconds
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
    /// Modification time in seconds since 1970.
    var added: Int64 { Int64(clamping: (Double(modified) / 1e9).rounded(.down)) }
}

/// Facts of all items, with one array for each fact. A million pictures can be sorted in a fraction of a second.
///
/// Each array is as long as the catalogue, or empty if the fact is unknown for all items.
public struct FactColumns: Sendable, Equatable {
    /// Wall clock seconds since 1970 (``DateTaken/wallSeconds``), or ``undated`` if unknown.
    public var taken: [Int64] = []
    /// Milliseconds after ``taken``, 0 ... 999. Used to sort pictures of the same second.
    public var millisecond: [UInt16] = []
    /// Size of the original in bytes, or -1 if unknown.
    public var bytes: [Int64] = []
    /// Modification time of the file, in seconds since 1970, or ``undated`` if unknown.
    public var added: [Int64] = []
    /// Index into ``cameras``.
    public var camera: [UInt16] = []
    /// Names with make and model. The first is empty and means unknown.
    public var cameras: [String] = []
    /// Index into ``lenses``.
    public var lens: [UInt16] = []
    /// Names of lenses. The first is empty and means unknown.
    public var lenses: [String] = []

    /// Value for an unknown date. Sorted after every date in either order.
    public static let undated = Int64.min

    /// Stars, 0 ... 5. 0 if not rated.
    public var rating: [UInt8] = []

    public init() {}
}
