/// A box of a QuickTime or MP4 file (ISO/IEC 14496-12, 4.2). Only its head is read, and every length is checked.
struct QuickTimeBox {
    /// Four characters, or a number.
    var type: Int
    var start: Int
    /// Position of the contents. Shorter than the box says if the file is cut off.
    var data: Range<Int>

    private static let maximumBoxes = 64

    static func all(_ file: FilePieces, _ range: Range<Int>) -> [QuickTimeBox] {
        var boxes: [QuickTimeBox] = []
        var place = range.lowerBound
        while boxes.count < maximumBoxes, range.upperBound - place >= 8 {
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
                QuickTimeBox(type: type, start: place, data: place + head..<place + min(length, rest)))
            place += min(length, rest)
        }
        return boxes
    }

    /// Converts the four characters of a box type to its number.
    static func code(_ name: StaticString) -> Int {
        name.withUTF8Buffer { $0.reduce(0) { $0 << 8 | Int($1) } }
    }

    /// Reads a number of eight bytes. Returns `nil` if an `Int` cannot hold the number.
    static func long(_ reader: inout ByteReader) -> Int? {
        guard let high = reader.number(4, bigEndian: true), let low = reader.number(4, bigEndian: true), high < 1 << 31
        else { return nil }
        return high << 32 | low
    }
}
