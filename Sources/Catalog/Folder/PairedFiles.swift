import Media

/// Finds files of a folder that are the same picture. Such files are the RAW file and the JPEG (or similar) of one exposure, or a Live
/// Photo and its video. The RAW file or the video is hidden.
///
/// The files are in the same folder and have the same name up to the extension, ignoring the case of ASCII letters. A RAW file must be
/// taken within three seconds of the other file. Cameras restart their numbers after 9999, so the name is not enough. For a video, the
/// picture's facts say whether the video belongs to it.
package struct PairedFiles: Sendable {
    /// Maximum number of seconds between the dates of two files of the same picture.
    private static let maximumSeconds: Int64 = 3
    /// Maximum number of files with the same name, up to the extension, that are checked on each side.
    private static let maximumNeighbours = 64

    /// The positions of the shown files, in ascending order.
    package let shown: [UInt32]
    /// The positions of the hidden files, by the position of the shown file.
    private let pairs: [Int: [Int]]
    /// The position of the shown file, by the position of the hidden file.
    private let shownFor: [Int: Int]

    /// - Parameter names: in natural order, so that files of the same picture are neighbours.
    /// - Returns: `nil` if all files are shown.
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
                        && abs(time - taken) <= Self.maximumSeconds
                }
                func neighbours(_ step: Int) -> some Sequence<Int> {
                    let own = stem(position)
                    return (1...Self.maximumNeighbours).lazy.map { position + step * $0 }
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

    /// Returns the positions of the hidden files that belong to a shown file.
    func paired(with position: Int) -> [Int] { pairs[position] ?? [] }

    /// Returns the place of a file among the shown files. For a hidden file, returns the place of its shown file.
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

/// Decides whether a video belongs to a picture with the same name up to the extension.
enum LivePhoto {
    /// Maximum difference between the dates of the two files, in seconds.
    private static let maximumSeconds: Int64 = 3

    /// Returns whether the two files have the same content identifier. If a file has no identifier, returns whether the two files were
    /// taken within three seconds of each other.
    ///
    /// Names are not proof, because cameras restart their numbers after 9999. Modification times are not proof either.
    static func areOne(_ facts: PictureFacts, identifier: String?, _ video: QuickTimeHeader) -> Bool {
        if let identifier, let other = video.contentIdentifier { return identifier == other }
        guard facts.takenSource != .file, let taken = facts.taken, let recorded = video.taken else { return false }
        var difference = taken.wallSeconds - recorded.wallSeconds
        // If an offset is unknown, assume that both clocks show local time: cameras write the local time even in fields for UTC.
        if let offset = taken.offset, let other = recorded.offset { difference -= Int64((offset - other) * 60) }
        return abs(difference) <= maximumSeconds
    }
}
