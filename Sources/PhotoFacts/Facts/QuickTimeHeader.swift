/// When a video was recorded, how long it plays, how large it is, and of which Live Photo it is a part, as the header of a QuickTime or MP4 file tells (ISO/IEC
/// 14496-12, 8.2.2; Apple, QuickTime File Format).
///
/// Reads the heads of some boxes, wherever in the file the header lies, and nothing of the film. Every length is checked.
package struct QuickTimeHeader: Sendable, Equatable {
    /// `com.apple.quicktime.creationdate`, which says the offset, else the time in `mvhd`, which is UTC.
    package private(set) var taken: DateTaken?
    /// Whether ``taken`` is the time in `mvhd`.
    package private(set) var isUTC = false
    /// Seconds, more than 0; `nil` where it is not told.
    package private(set) var duration: Double?
    /// `com.apple.quicktime.content.identifier`: the same in both files of a Live Photo.
    package private(set) var contentIdentifier: String?
    /// Of the first track of pictures that has a size.
    package private(set) var picture: Picture?
    /// Where the header lies: all of the box `moov`.
    package private(set) var place: Range<Int>

    package struct Picture: Sendable, Equatable {
        /// Pixels as stored, before ``orientation``; square ones, whatever the film's are.
        package var width: Int
        var height: Int
        var orientation: Orientation
    }

    /// Boxes of one level that are looked at.
    private static let mostBoxes = 64
    /// Keys of metadata that are looked at.
    private static let mostKeys = 256
    /// Bytes of all keys that are read.
    private static let longestKeys = 1 << 14
    /// Bytes of a value that are read.
    private static let longestValue = 128
    /// Seconds that a film is believed to play.
    private static let longestFilm = 1e7
    /// Seconds from 1904, where the film's time begins, to 1970.
    private static let secondsTo1970 = 2_082_844_800

    /// - Returns: `nil` where the file has no such header.
    package init?(_ file: FilePieces) {
        guard let movie = Self.boxes(file, 0..<file.count).first(where: { $0.type == Self.code("moov") }) else {
            return nil
        }
        place = movie.start..<movie.data.upperBound
        for box in Self.boxes(file, movie.data) {
            switch box.type {
            case Self.code("mvhd"):
                let bytes = file.bytes(at: box.data.lowerBound, min(box.data.count, 32))
                if taken == nil, let created = Self.created(bytes) { (taken, isUTC) = (created, true) }
                if duration == nil { duration = Self.duration(bytes) }
            case Self.code("meta"): readMetadata(file, box.data)
            case Self.code("trak"): if picture == nil { picture = Self.picture(file, track: box.data) }
            default: break
            }
        }
    }

    /// Takes what the keys tell that are known here.
    private mutating func readMetadata(_ file: FilePieces, _ data: Range<Int>) {
        // In MP4 a version comes first, in QuickTime it does not.
        let hasVersion = file.bytes(at: data.lowerBound + 4, 4) != Array("hdlr".utf8)
        let boxes = Self.boxes(file, min(data.lowerBound + (hasVersion ? 4 : 0), data.upperBound)..<data.upperBound)
        guard let keys = boxes.first(where: { $0.type == Self.code("keys") }),
            let list = boxes.first(where: { $0.type == Self.code("ilst") })
        else { return }
        let names = Self.keys(file.bytes(at: keys.data.lowerBound, min(keys.data.count, Self.longestKeys)))
        for item in Self.boxes(file, list.data) {
            guard names.indices.contains(item.type - 1),
                let value = Self.boxes(file, item.data).first(where: { $0.type == Self.code("data") }),
                value.data.count > 8
            else { continue }
            let bytes = file.bytes(at: value.data.lowerBound + 8, min(value.data.count - 8, Self.longestValue))
            let text = String(decoding: bytes, as: UTF8.self).cleaned
            switch names[item.type - 1] {
            case "com.apple.quicktime.creationdate": if let date = Self.date(text) { (taken, isUTC) = (date, false) }
            case "com.apple.quicktime.content.identifier": if !text.isEmpty { contentIdentifier = text }
            default: break
            }
        }
    }

    /// Reads a track's header (8.3.2), where the track is one of pictures (8.4.3).
    private static func picture(_ file: FilePieces, track: Range<Int>) -> Picture? {
        let parts = boxes(file, track)
        guard let head = parts.first(where: { $0.type == code("tkhd") }),
            let media = parts.first(where: { $0.type == code("mdia") }),
            let handler = boxes(file, media.data).first(where: { $0.type == code("hdlr") }),
            file.bytes(at: handler.data.lowerBound + 8, 4) == Array("vide".utf8)
        else { return nil }
        var reader = ByteReader(file.bytes(at: head.data.lowerBound, min(head.data.count, 96)))
        // Times take four bytes or eight.
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

    /// A quarter turn has nothing on the diagonal. Other matrices, and mirrors, are taken for none.
    private static func orientation(_ matrix: [Int]) -> Orientation {
        let one = 1 << 16, minusOne = 0xFFFF_0000
        switch (matrix[0], matrix[1], matrix[3], matrix[4]) {
        case (0, one, minusOne, 0): return .right
        case (minusOne, 0, 0, minusOne): return .down
        case (0, minusOne, one, 0): return .left
        default: return .up
        }
    }

    private struct Box {
        /// Four characters, or a number.
        var type: Int
        var start: Int
        /// As much of it as there is.
        var data: Range<Int>
    }

    private static func boxes(_ file: FilePieces, _ range: Range<Int>) -> [Box] {
        var boxes: [Box] = []
        var place = range.lowerBound
        while boxes.count < mostBoxes, range.upperBound - place >= 8 {
            let rest = range.upperBound - place
            var reader = ByteReader(file.bytes(at: place, 16))
            guard var length = reader.number(4, bigEndian: true), let type = reader.number(4, bigEndian: true) else {
                break
            }
            var head = 8
            if length == 1 {
                guard let long = Self.long(&reader) else { break }
                (length, head) = (long, 16)
            } else if length == 0 {
                length = rest
            }
            guard length >= head, head <= rest else { break }
            boxes.append(
                Box(type: type, start: place, data: place + head..<place + min(length, rest)))
            place += min(length, rest)
        }
        return boxes
    }

    private static func code(_ name: StaticString) -> Int {
        name.withUTF8Buffer { $0.reduce(0) { $0 << 8 | Int($1) } }
    }

    /// Of a movie's header; `nil` for none, and for what lies before 1970, which only broken clocks write.
    private static func created(_ bytes: [UInt8]) -> DateTaken? {
        var reader = ByteReader(bytes)
        guard let version = reader.byte(), reader.skip(3),
            let seconds = version == 1 ? long(&reader) : reader.number(4, bigEndian: true), seconds > secondsTo1970
        else { return nil }
        return DateTaken(wallSeconds: Int64(seconds - secondsTo1970), millisecond: 0, offset: 0)
    }

    /// Of a movie's header; `nil` for one of no length, or of more than ``longestFilm``: all bits set mean that it is not known.
    private static func duration(_ bytes: [UInt8]) -> Double? {
        var reader = ByteReader(bytes)
        guard let version = reader.byte(), reader.skip(version == 1 ? 19 : 11),
            let unit = reader.number(4, bigEndian: true), unit > 0,
            let length = version == 1 ? long(&reader) : reader.number(4, bigEndian: true), length > 0,
            version == 1 || length < 0xFFFF_FFFF
        else { return nil }
        let seconds = Double(length) / Double(unit)
        return seconds <= longestFilm ? seconds : nil
    }

    /// Eight bytes; `nil` for what no Int holds.
    private static func long(_ reader: inout ByteReader) -> Int? {
        guard let high = reader.number(4, bigEndian: true), let low = reader.number(4, bigEndian: true), high < 1 << 31
        else { return nil }
        return high << 32 | low
    }

    /// The names of the metadata, which values call by their number, from 1.
    private static func keys(_ bytes: [UInt8]) -> [String] {
        var reader = ByteReader(bytes)
        var names: [String] = []
        guard reader.skip(4), let count = reader.number(4, bigEndian: true) else { return [] }
        while names.count < min(count, mostKeys) {
            guard let length = reader.number(4, bigEndian: true), length >= 8, reader.skip(4),
                let name = reader.range(length - 8)
            else { break }
            names.append(String(decoding: bytes[name], as: UTF8.self))
        }
        return names
    }

    /// Reads `2019-07-12T14:03:22+0200`, as Apple writes the offset, and ISO 8601's own forms.
    private static func date(_ text: String) -> DateTaken? {
        let digits = text.suffix(4)
        guard text.count > 19, digits.allSatisfy({ $0.isASCII && $0.isNumber }),
            let sign = text.dropLast(4).last, sign == "+" || sign == "-"
        else { return DateTaken(iso: text) }
        return DateTaken(iso: "\(text.dropLast(2)):\(text.suffix(2))")
    }
}
