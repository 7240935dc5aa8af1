/// TIFF structures, tag by tag (TIFF 6.0), in the order in which a file that ends early loses least: directories first.
struct TIFFFile {
    indirect enum Value {
        case shorts([Int])
        case longs([Int])
        case rationals([(Int, Int)])
        case text(String)
        /// Of a type of one byte each.
        case bytes([UInt8], type: Int = 7)
        /// Pieces of data, of which the value has the offsets.
        case data([[UInt8]])
        /// Directories, of which the value has the offsets.
        case directories([[Int: Value]])
    }

    /// The first bytes, without the first directory's offset.
    var magic: [UInt8] = Array("II*\0".utf8)
    /// The bytes between the offset and the first directory.
    var preamble: [UInt8] = []
    var directories: [[Int: Value]]

    var bytes: [UInt8] {
        let start = 8 + preamble.count
        var result = magic + little(start, 4) + preamble
        for (index, directory) in directories.enumerated() {
            let isLast = index == directories.count - 1
            let (head, tail) = write(directory, at: result.count, isLast: isLast)
            result += head + tail
        }
        return result
    }

    private var isBigEndian: Bool { magic.first == 0x4D }

    private func little(_ value: Int, _ count: Int) -> [UInt8] {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        return isBigEndian ? bytes.reversed() : bytes
    }

    /// A directory, and what follows it.
    private func write(_ directory: [Int: Value], at start: Int, isLast: Bool) -> (head: [UInt8], tail: [UInt8]) {
        let tags = directory.keys.sorted()
        let end = start + 2 + 12 * tags.count + 4
        // Values that do not fit into their entries, then data.
        var tail: [UInt8] = [], data: [UInt8] = []
        let dataStart = end + tags.reduce(0) { $0 + (directory[$1]?.lengthOutside ?? 0) }
        func padded(_ bytes: [UInt8]) -> [UInt8] { bytes + (bytes.count % 2 == 1 ? [0] : []) }
        /// Adds to what follows; returns where it lies.
        func add(_ bytes: [UInt8]) -> Int {
            defer { tail += padded(bytes) }
            return end + tail.count
        }
        func addData(_ bytes: [UInt8]) -> Int {
            defer { data += padded(bytes) }
            return dataStart + data.count
        }
        var head = little(tags.count, 2)
        for tag in tags {
            guard let value = directory[tag] else { continue }
            let type: Int, count: Int, bytes: [UInt8]
            switch value {
            case .shorts(let numbers): (type, count, bytes) = (3, numbers.count, numbers.flatMap { little($0, 2) })
            case .longs(let numbers): (type, count, bytes) = (4, numbers.count, numbers.flatMap { little($0, 4) })
            case .rationals(let pairs):
                (type, count, bytes) = (5, pairs.count, pairs.flatMap { little($0.0, 4) + little($0.1, 4) })
            case .text(let text): (type, count, bytes) = (2, text.utf8.count + 1, Array(text.utf8) + [0])
            case .bytes(let given, let kind): (type, count, bytes) = (kind, given.count, given)
            case .data(let pieces):
                let places = pieces.map(addData)
                (type, count, bytes) = (4, places.count, places.flatMap { little($0, 4) })
            case .directories(let below):
                let places = below.map { directory in
                    let place = dataStart + data.count
                    let (head, more) = write(directory, at: place, isLast: true)
                    return addData(head + more)
                }
                (type, count, bytes) = (4, places.count, places.flatMap { little($0, 4) })
            }
            let inline =
                bytes.count <= 4 ? bytes + [UInt8](repeating: 0, count: 4 - bytes.count) : little(add(bytes), 4)
            head += little(tag, 2) + little(type, 2) + little(count, 4) + inline
        }
        return (head + little(isLast ? 0 : dataStart + data.count, 4), tail + data)
    }

    /// A picture's tags, without compression.
    ///
    /// - Parameter channels: 1 for luma, 3 or 4 for colours; the fourth is alpha that is not multiplied in.
    static func picture(
        _ picture: TestPicture, channels: Int = 3, bits: Int = 8, rows: Int = 16, bigEndian: Bool = false
    ) -> [Int: Value] {
        func sample(_ value: UInt8) -> [UInt8] {
            // 257 times a byte is the same in 16 bits, whatever the order of its bytes.
            bits == 16 ? [value, value] : [value]
        }
        let strips = stride(from: 0, to: picture.height, by: rows).map { first in
            (first..<min(picture.height, first + rows)).flatMap { y in
                (0..<picture.width).flatMap { x in
                    let pixel = picture.pixel(x, y)
                    return pixel.prefix(channels).flatMap(sample)
                }
            }
        }
        var tags: [Int: Value] = [
            0x100: .longs([picture.width]), 0x101: .longs([picture.height]),
            0x102: .shorts([Int](repeating: bits, count: channels)), 0x103: .shorts([1]),
            0x106: .shorts([channels == 1 ? 1 : 2]), 0x111: .data(strips), 0x115: .shorts([channels]),
            0x116: .longs([rows]), 0x117: .longs(strips.map(\.count)), 0x11C: .shorts([1]),
        ]
        if channels == 4 { tags[0x152] = .shorts([2]) }
        return tags
    }
}

extension TIFFFile.Value {
    /// Bytes of the value that lie behind its directory, an even number.
    fileprivate var lengthOutside: Int {
        let count =
            switch self {
            case .shorts(let numbers): numbers.count * 2
            case .longs(let numbers): numbers.count * 4
            case .rationals(let pairs): pairs.count * 8
            case .text(let text): text.utf8.count + 1
            case .bytes(let bytes, _): bytes.count
            case .data(let pieces): pieces.count * 4
            case .directories(let below): below.count * 4
            }
        return count <= 4 ? 0 : count + count % 2
    }
}
