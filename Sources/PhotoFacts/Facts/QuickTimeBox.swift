/// A box of a QuickTime or MP4 file (ISO/IEC 14496-12, 4.2). Reads its head alone, and checks every length.
struct QuickTimeBox {
    /// Four characters, or a number.
    var type: Int
    var start: Int
    /// As much of it as there is.
    var data: Range<Int>

    /// Boxes of one level that are read.
    private static let mostBoxes = 64

    /// Returns the boxes that lie one after the other in this part of the file.
    static func all(_ file: FilePieces, _ range: Range<Int>) -> [QuickTimeBox] {
        var boxes: [QuickTimeBox] = []
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
                QuickTimeBox(type: type, start: place, data: place + head..<place + min(length, rest)))
            place += min(length, rest)
        }
        return boxes
    }

    /// The type of a box by its characters.
    static func code(_ name: StaticString) -> Int {
        name.withUTF8Buffer { $0.reduce(0) { $0 << 8 | Int($1) } }
    }

    /// Eight bytes; `nil` for a number that no `Int` holds.
    static func long(_ reader: inout ByteReader) -> Int? {
        guard let high = reader.number(4, bigEndian: true), let low = reader.number(4, bigEndian: true), high < 1 << 31
        else { return nil }
        return high << 32 | low
    }
}
