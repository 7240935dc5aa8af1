/// Facts from the header of a QuickTime or MP4 file (ISO/IEC 14496-12, 8.2.2; Apple, QuickTime File Format): when, where and with which
/// camera a video was recorded, its duration and size, and the identifier of its Live Photo.
///
/// Reads the heads of some boxes, wherever in the file the header is, and none of the film's data. Every length is checked.
package struct QuickTimeHeader: Sendable, Equatable {
    /// The local time in `com.apple.quicktime.creationdate` or `©day`, otherwise the time in `mvhd`, which is UTC.
    package private(set) var taken: DateTaken?
    package private(set) var isUTC = false
    /// Make and model only.
    package private(set) var camera = PictureFacts.Camera()
    package private(set) var location: PictureFacts.Location?
    /// In seconds, more than 0. `nil` if unknown.
    package private(set) var duration: Double?
    /// Value of `com.apple.quicktime.content.identifier`, which is the same in both files of a Live Photo.
    package private(set) var contentIdentifier: String?
    /// Size and orientation of the first video track that has a size.
    package private(set) var picture: Picture?
    /// Position of the whole `moov` box.
    package private(set) var place: Range<Int>

    package struct Picture: Sendable, Equatable {
        /// In pixels as stored, before ``orientation`` is applied. Counted in square pixels, even if the film's pixels are not square.
        package var width: Int
        var height: Int
        var orientation: Orientation
    }

    /// Longest duration that is accepted, in seconds.
    private static let longestFilm = 1e7
    /// Seconds from 1904, the epoch of the file format, to 1970.
    private static let secondsTo1970 = 2_082_844_800

    /// - Returns: `nil` if the file has no `moov` box.
    package init?(_ file: FilePieces) {
        guard let movie = Boxes(file).first(where: { $0.type == "moov" }) else { return nil }
        place = movie.start..<movie.data.upperBound
        var created: DateTaken?
        var metadata: [Range<Int>] = [], userData: [Range<Int>] = [], ofTracks: [Range<Int>] = []
        for box in Boxes(file, movie.data) {
            switch box.type {
            case "mvhd":
                let bytes = file.bytes(at: box.data.lowerBound, min(box.data.count, 32))
                created = created ?? Self.created(bytes)
                duration = duration ?? Self.duration(bytes)
            case "meta": metadata.append(box.data)
            case "udta": userData.append(box.data)
            case "trak":
                let parts = Array(Boxes(file, box.data))
                picture = picture ?? Self.picture(file, parts)
                ofTracks += parts.filter { $0.type == "udta" }.map(\.data)
            default: break
            }
        }
        // Metadata of the movie takes precedence over metadata of its tracks.
        let found = QuickTimeMetadata(file, metadata: metadata, userData: userData + ofTracks)
        (camera, location, contentIdentifier) = (found.camera, found.location, found.contentIdentifier)
        let local = found.day.flatMap { $0.hasTime && !$0.isUTC ? $0 : nil }
        if let stated = found.created ?? local ?? (created == nil ? found.day : nil) {
            (taken, isUTC) = (stated.date, stated.isUTC)
        } else if let created {
            (taken, isUTC) = (created, true)
        }
    }

    /// Reads a track's header (8.3.2). Returns `nil` if the track is not video (8.4.3).
    private static func picture(_ file: FilePieces, _ parts: [Boxes.Box]) -> Picture? {
        guard let head = parts.first(where: { $0.type == "tkhd" }),
            let media = parts.first(where: { $0.type == "mdia" }),
            let handler = Boxes(file, media.data).first(where: { $0.type == "hdlr" }),
            file.bytes(at: handler.data.lowerBound + 8, 4) == Array("vide".utf8)
        else { return nil }
        var reader = ByteReader(file.bytes(at: head.data.lowerBound, min(head.data.count, 96)))
        // Times in the header have eight bytes in version 1, otherwise four.
        guard let version = reader.byte(), reader.skip(version == 1 ? 51 : 39) else { return nil }
        var matrix: [Int] = []
        while matrix.count < 9 {
            guard let value = reader.number(4, bigEndian: true) else { return nil }
            matrix.append(value)
        }
        guard let width = reader.number(4, bigEndian: true), let height = reader.number(4, bigEndian: true),
            width >> 16 > 0, height >> 16 > 0
        else { return nil }
        return Picture(width: width >> 16, height: height >> 16, orientation: orientation(matrix))
    }

    /// Returns the rotation of a transformation matrix. A quarter turn has zeros on the diagonal. Mirrors and all other matrices count as
    /// no rotation.
    private static func orientation(_ matrix: [Int]) -> Orientation {
        let one = 1 << 16, minusOne = 0xFFFF_0000
        switch (matrix[0], matrix[1], matrix[3], matrix[4]) {
        case (0, one, minusOne, 0): return .right
        case (minusOne, 0, 0, minusOne): return .down
        case (0, minusOne, one, 0): return .left
        default: return .up
        }
    }

    /// Reads the creation date in a movie's header. Returns `nil` if there is none, or for a date before 1970, which only broken clocks
    /// write.
    private static func created(_ bytes: [UInt8]) -> DateTaken? {
        var reader = ByteReader(bytes)
        guard let version = reader.byte(), reader.skip(3),
            let seconds = version == 1 ? reader.number(8, bigEndian: true) : reader.number(4, bigEndian: true),
            seconds > secondsTo1970
        else { return nil }
        return DateTaken(wallSeconds: Int64(seconds - secondsTo1970), millisecond: 0, offset: 0)
    }

    /// Reads the duration in a movie's header. Returns `nil` if it is 0, above ``longestFilm``, or has all bits set, which means unknown.
    private static func duration(_ bytes: [UInt8]) -> Double? {
        var reader = ByteReader(bytes)
        guard let version = reader.byte(), reader.skip(version == 1 ? 19 : 11),
            let unit = reader.number(4, bigEndian: true), unit > 0,
            let length = version == 1 ? reader.number(8, bigEndian: true) : reader.number(4, bigEndian: true),
            length > 0,
            version == 1 || length < 0xFFFF_FFFF
        else { return nil }
        let seconds = Double(length) / Double(unit)
        return seconds <= longestFilm ? seconds : nil
    }
}
