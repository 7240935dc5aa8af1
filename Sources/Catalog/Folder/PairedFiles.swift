import PhotoFacts

/// Files of a folder that are one picture: what a camera wrote as RAW and as a JPEG, or the like, in one exposure, and a Live Photo
/// and its video. The RAW file and the video are not shown beside the other.
///
/// They lie in the same folder and have the same name up to the extension, in whatever case of ASCII letters. A RAW file was taken
/// within three seconds of the other: cameras count anew after 9999, so the name alone says nothing. Of a video the picture's facts
/// say that it belongs to it.
package struct PairedFiles: Sendable {
    /// Seconds between the dates of two files that are one picture.
    private static let mostSeconds: Int64 = 3
    /// Files of one name, up to the extension, that are looked at on each side.
    private static let mostNeighbours = 64

    /// The positions of the files that are shown, ascending.
    package let shown: [UInt32]
    /// The positions of the files that are not shown, by that of the one that is, and the other way round.
    private let pairs: [Int: [Int]]
    private let shownFor: [Int: Int]

    /// - Parameters:
    ///   - names: in natural order, in which those of one picture are neighbours.
    ///   - records: of each.
    /// - Returns: `nil` where all files are shown.
    package init?(_ names: TextColumn, _ records: [FactRecord]) {
        guard records.count == names.count else { return nil }
        var pairs: [Int: [Int]] = [:]
        var shownFor: [Int: Int] = [:]
        names.bytes.withUnsafeBufferPointer { bytes in
            func name(_ position: Int) -> UnsafeBufferPointer<UInt8> {
                UnsafeBufferPointer(rebasing: bytes[names.range(position)])
            }
            func type(_ position: Int) -> PictureName.Extension? { PictureName.Extension(of: name(position)) }
            func isFirst(_ position: Int) -> Bool { ![.raw, .video].contains(type(position)?.kind) }
            func stem(_ position: Int) -> UnsafeBufferPointer<UInt8>.SubSequence {
                let name = name(position)
                return name[..<(name.lastIndex(of: UInt8(ascii: ".")) ?? name.endIndex)]
            }
            for position in 0..<names.count where !isFirst(position) {
                let taken = records[position].taken
                let motion = type(position).flatMap { PictureFacts.Motion(rawValue: $0.text) }
                func isSamePicture(_ other: Int) -> Bool {
                    guard isFirst(other) else { return false }
                    if type(position)?.kind == .video { return motion != nil && records[other].motion == motion }
                    let time = records[other].taken
                    return taken != FactColumns.undated && time != FactColumns.undated
                        && abs(time - taken) <= Self.mostSeconds
                }
                func neighbours(_ step: Int) -> some Sequence<Int> {
                    let own = stem(position)
                    return (1...Self.mostNeighbours).lazy.map { position + step * $0 }
                        .prefix { 0..<names.count ~= $0 && NaturalOrder.areAlike(stem($0), own) }
                }
                guard
                    let other = neighbours(1).first(where: isSamePicture) ?? neighbours(-1).first(where: isSamePicture)
                else { continue }
                pairs[other, default: []].append(position)
                shownFor[position] = other
            }
        }
        if shownFor.isEmpty { return nil }
        self.pairs = pairs
        self.shownFor = shownFor
        shown = (0..<UInt32(names.count)).filter { shownFor[Int($0)] == nil }
    }

    /// The files that are one picture with this one.
    func paired(with position: Int) -> [Int] { pairs[position] ?? [] }

    /// The place among those shown of a file, or of the one that is shown for it.
    func place(of position: Int) -> Int? {
        let position = shownFor[position] ?? position
        var (low, high) = (0, shown.count)
        while low < high {
            let middle = (low + high) / 2
            if shown[middle] < position { low = middle + 1 } else { high = middle }
        }
        return low < shown.count && shown[low] == position ? low : nil
    }
}

/// Decides whether a video belongs to a picture that has the same name up to the extension.
enum LivePhoto {
    /// Maximum difference between the dates of the two files, in seconds.
    private static let mostSeconds: Int64 = 3

    /// Returns whether the two files have the same content identifier. If a file has no identifier, returns whether the two files
    /// were taken within three seconds of each other.
    ///
    /// The name proves nothing, because cameras restart their numbers after 9999. Nor does the modification time.
    ///
    /// - Parameters:
    ///   - facts: the picture's facts.
    ///   - identifier: the picture's content identifier.
    static func areOne(_ facts: PictureFacts, identifier: String?, _ video: QuickTimeHeader) -> Bool {
        if let identifier, let other = video.contentIdentifier { return identifier == other }
        guard facts.takenSource != .file, let taken = facts.taken, let recorded = video.taken else { return false }
        var difference = taken.wallSeconds - recorded.wallSeconds
        // If one offset is unknown, both clocks count as the same: cameras write the local time even in fields for UTC.
        if let offset = taken.offset, let other = recorded.offset { difference -= Int64((offset - other) * 60) }
        return abs(difference) <= mostSeconds
    }
}
