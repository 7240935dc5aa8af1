import TestSupport

/// TIFF structures, tag by tag (TIFF 6.0). Directories come first, so that a truncated file loses least.
struct TIFFFile {
    indirect enum Value {
        case shorts([Int])
        case longs([Int])
        case rationals([(Int, Int)])
        case floats([Float])
        case text(String)
        /// Values of a type of one byte each.
        case bytes([UInt8], type: Int = 7)
        /// Pieces of data. The value holds their offsets.
        case data([[UInt8]])
        /// Directories. The value holds their offsets.
        case directories([[Int: Value]])
    }

    /// The first bytes, without the first directory's offset.
    var magic: [UInt8] = Array("II*\0".utf8)
    /// Whether counts and offsets have 64 bits.
    var isBig = false
    /// The bytes between the offset and the first directory.
    var preamble: [UInt8] = []
    var directories: [[Int: Value]]

    var bytes: [UInt8] {
        let start = (isBig ? 16 : 8) + preamble.count
        var result = magic + (isBig ? little(8, 2) + [0, 0] : []) + word(start) + preamble
        for (index, directory) in directories.enumerated() {
            let isLast = index == directories.count - 1
            let (head, tail) = write(directory, at: result.count, isLast: isLast)
            result += head + tail
        }
        return result
    }

    private var isBigEndian: Bool { magic.first == 0x4D }
    private var wordSize: Int { isBig ? 8 : 4 }

    /// A count or an offset.
    private func word(_ value: Int) -> [UInt8] { little(value, wordSize) }

    private func little(_ value: Int, _ count: Int) -> [UInt8] {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        return isBigEndian ? bytes.reversed() : bytes
    }

    /// A directory, and the bytes behind it.
    private func write(_ directory: [Int: Value], at start: Int, isLast: Bool) -> (head: [UInt8], tail: [UInt8]) {
        let tags = directory.keys.sorted()
        let countSize = isBig ? 8 : 2
        let end = start + countSize + (4 + 2 * wordSize) * tags.count + wordSize
        // Values too long for their entries, then data.
        var tail: [UInt8] = [], data: [UInt8] = []
        let dataStart = end + tags.reduce(0) { $0 + (directory[$1]?.lengthOutside(wordSize) ?? 0) }
        func padded(_ bytes: [UInt8]) -> [UInt8] { bytes + (bytes.count % 2 == 1 ? [0] : []) }
        /// Appends to the tail. Returns the offset.
        func add(_ bytes: [UInt8]) -> Int {
            defer { tail += padded(bytes) }
            return end + tail.count
        }
        func addData(_ bytes: [UInt8]) -> Int {
            defer { data += padded(bytes) }
            return dataStart + data.count
        }
        var head = little(tags.count, countSize)
        let offsetType = isBig ? 16 : 4
        for tag in tags {
            guard let value = directory[tag] else { continue }
            let type: Int, count: Int, bytes: [UInt8]
            switch value {
            case .shorts(let numbers): (type, count, bytes) = (3, numbers.count, numbers.flatMap { little($0, 2) })
            case .longs(let numbers): (type, count, bytes) = (4, numbers.count, numbers.flatMap { little($0, 4) })
            case .rationals(let pairs):
                (type, count, bytes) = (5, pairs.count, pairs.flatMap { little($0.0, 4) + little($0.1, 4) })
            case .floats(let numbers):
                (type, count, bytes) = (11, numbers.count, numbers.flatMap { little(Int($0.bitPattern), 4) })
            case .text(let text): (type, count, bytes) = (2, text.utf8.count + 1, Array(text.utf8) + [0])
            case .bytes(let given, let kind): (type, count, bytes) = (kind, given.count, given)
            case .data(let pieces):
                let places = pieces.map(addData)
                (type, count, bytes) = (offsetType, places.count, places.flatMap(word))
            case .directories(let below):
                let places = below.map { directory in
                    let place = dataStart + data.count
                    let (head, more) = write(directory, at: place, isLast: true)
                    return addData(head + more)
                }
                (type, count, bytes) = (offsetType, places.count, places.flatMap(word))
            }
            let inline =
                bytes.count <= wordSize
                ? bytes + [UInt8](repeating: 0, count: wordSize - bytes.count) : word(add(bytes))
            head += little(tag, 2) + little(type, 2) + word(count) + inline
        }
        return (head + word(isLast ? 0 : dataStart + data.count), tail + data)
    }

    /// A picture's tags, uncompressed.
    ///
    /// - Parameters:
    ///   - rows: number of rows of each strip.
    ///   - isPlanar: whether each channel has strips of its own.
    ///   - pixel: the samples of a pixel, as the file's bits. The highest bit comes first if a sample is not whole bytes.
    static func picture(
        _ picture: TestPicture, photometric: Int = 2, bits: Int = 8, format: Int = 1, rows: Int = 16,
        isPlanar: Bool = false, _ pixel: (_ color: [UInt8]) -> [UInt64] = { $0.prefix(3).map { UInt64($0) } }
    ) -> [Int: Value] {
        let channels = pixel(picture.pixel(0, 0)).count
        func row(_ y: Int, _ stored: Range<Int>) -> [UInt8] {
            var row: [UInt8] = [], rest: UInt64 = 0, count = 0
            for sample in (0..<picture.width).flatMap({ pixel(picture.pixel($0, y))[stored] }) {
                if bits % 8 == 0 {
                    row += (0..<bits / 8).map { UInt8(truncatingIfNeeded: sample >> (8 * UInt64($0))) }
                    continue
                }
                (rest, count) = (rest << UInt64(bits) | sample, count + bits)
                while count >= 8 {
                    row.append(UInt8(truncatingIfNeeded: rest >> UInt64(count - 8)))
                    count -= 8
                }
            }
            return count > 0 ? row + [UInt8(truncatingIfNeeded: rest << UInt64(8 - count))] : row
        }
        let planes: [Range<Int>] = isPlanar ? (0..<channels).map { $0..<$0 + 1 } : [0..<channels]
        let strips = planes.flatMap { stored -> [[UInt8]] in
            stride(from: 0, to: picture.height, by: rows).map { first in
                (first..<min(picture.height, first + rows)).flatMap { row($0, stored) }
            }
        }
        return [
            0x100: .longs([picture.width]), 0x101: .longs([picture.height]),
            0x102: .shorts([Int](repeating: bits, count: channels)), 0x103: .shorts([1]),
            0x106: .shorts([photometric]), 0x111: .data(strips), 0x115: .shorts([channels]),
            0x116: .longs([rows]), 0x117: .longs(strips.map(\.count)),
            0x11C: .shorts([isPlanar ? 2 : 1]), 0x153: .shorts([Int](repeating: format, count: channels)),
        ]
    }
}

extension TIFFFile.Value {
    /// Number of the value's bytes behind its directory, always even.
    fileprivate func lengthOutside(_ wordSize: Int) -> Int {
        let count =
            switch self {
            case .shorts(let numbers): numbers.count * 2
            case .longs(let numbers): numbers.count * 4
            case .rationals(let pairs): pairs.count * 8
            case .floats(let numbers): numbers.count * 4
            case .text(let text): text.utf8.count + 1
            case .bytes(let bytes, _): bytes.count
            case .data(let pieces): pieces.count * wordSize
            case .directories(let below): below.count * wordSize
            }
        return count <= wordSize ? 0 : count + count % 2
    }
}
