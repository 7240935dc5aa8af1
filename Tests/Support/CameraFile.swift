/// A JPEG as a camera writes it, with EXIF before the picture and a preview in the EXIF.
package struct CameraFile: Sendable {
    package var bigEndian = false
    /// Orientation number of EXIF. `nil` leaves it out.
    package var orientation: Int? = 1
    package var make = "Lookahead"
    package var model = "Painted 12"
    /// Date and time, such as `2019:07:12 14:03:22`. `nil` leaves it out.
    package var taken: String? = "2019:07:12 14:03:22"
    /// Digits of the fraction of a second. `nil` leaves them out.
    package var fraction: String?
    /// Offset from UTC, such as `+02:00`. `nil` leaves it out.
    package var offset: String?
    /// Identifier shared with the video of a Live Photo, in Apple's maker note. Fewer than 64 characters. `nil` leaves it out.
    package var contentIdentifier: String?
    /// A small JPEG. `nil` for none.
    package var preview: [UInt8]?

    package init() {}

    /// Returns a JPEG with this EXIF before its other segments.
    package func bytes(around jpeg: [UInt8]) -> [UInt8] {
        let exif = exif
        let length = exif.count + 2
        return Array(jpeg.prefix(2)) + [0xFF, 0xE1, UInt8(length >> 8 & 255), UInt8(length & 255)] + exif
            + jpeg.dropFirst(2)
    }

    /// Contents of the EXIF segment (CIPA DC-008, 4.6): at most 65,533 bytes.
    package var exif: [UInt8] {
        var main = [Entry(0x010F, text: make), Entry(0x0110, text: model)]
        if let orientation { main.append(Entry(0x0112, short: orientation)) }
        main.append(Entry(0x8769, long: 0))
        var times: [Entry] = []
        if let taken { times.append(Entry(0x9003, text: taken)) }
        if let offset { times.append(Entry(0x9011, text: offset)) }
        if let contentIdentifier { times.append(Entry(0x927C, data: Self.note(contentIdentifier))) }
        if let fraction { times.append(Entry(0x9291, text: fraction)) }
        let mainEnd = 8 + length(of: main), timesEnd = mainEnd + length(of: times)
        main[main.count - 1] = Entry(0x8769, long: mainEnd)
        var tiff: [UInt8] = (bigEndian ? [0x4D, 0x4D] : [0x49, 0x49]) + number(42, 2) + number(8, 4)
        tiff += directory(main, at: 8, next: preview == nil ? 0 : timesEnd)
        tiff += directory(times, at: mainEnd, next: 0)
        if let preview {
            var second = [Entry(0x0103, short: 6), Entry(0x0201, long: 0), Entry(0x0202, long: preview.count)]
            second[1] = Entry(0x0201, long: timesEnd + length(of: second))
            tiff += directory(second, at: timesEnd, next: 0) + preview
        }
        return Array("Exif\0\0".utf8) + tiff
    }

    /// Returns Apple's maker note: a directory of one entry, followed by its text.
    private static func note(_ identifier: String) -> [UInt8] {
        let text = Array(identifier.utf8) + [0]
        return Array("Apple iOS\0\0\u{1}MM".utf8)
            + [0, 1, 0, 0x11, 0, 2, 0, 0, 0, UInt8(text.count), 0, 0, 0, 32, 0, 0, 0, 0] + text
    }

    private struct Entry {
        var tag: Int
        var type: Int
        var count: Int
        var value: Int?
        var text: [UInt8] = []

        init(_ tag: Int, short: Int) { (self.tag, type, count, value) = (tag, 3, 1, short) }

        init(_ tag: Int, long: Int) { (self.tag, type, count, value) = (tag, 4, 1, long) }

        init(_ tag: Int, text: String) {
            self.text = Array(text.utf8) + [0]
            (self.tag, type, count, value) = (tag, 2, self.text.count, nil)
        }

        init(_ tag: Int, data: [UInt8]) { (self.tag, type, count, value, text) = (tag, 7, data.count, nil, data) }

        var isInline: Bool { text.count <= 4 }
    }

    private func length(of entries: [Entry]) -> Int {
        entries.reduce(6 + 12 * entries.count) { $0 + ($1.isInline ? 0 : $1.text.count) }
    }

    private func directory(_ entries: [Entry], at offset: Int, next: Int) -> [UInt8] {
        var bytes = number(entries.count, 2)
        var texts: [UInt8] = []
        let textsBegin = offset + 6 + 12 * entries.count
        for entry in entries {
            bytes += number(entry.tag, 2) + number(entry.type, 2) + number(entry.count, 4)
            if let value = entry.value {
                // A 16-bit number is in the first two bytes of the field.
                bytes += entry.type == 3 ? number(value, 2) + [0, 0] : number(value, 4)
            } else if entry.isInline {
                bytes += entry.text + [UInt8](repeating: 0, count: 4 - entry.text.count)
            } else {
                bytes += number(textsBegin + texts.count, 4)
                texts += entry.text
            }
        }
        return bytes + number(next, 4) + texts
    }

    private func number(_ value: Int, _ count: Int) -> [UInt8] {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        return bigEndian ? bytes.reversed() : bytes
    }
}
