/// A TIFF structure as in EXIF (TIFF 6.0, section 2; CIPA DC-008, 4.6): directories of tagged values. BigTIFF is supported.
///
/// Offsets may lead anywhere, even in circles. Only named offsets are followed, from the first directory to a few others.
struct TIFFStructure {
    enum Tag: Int {
        // Tags of the GPS directory.
        case latitudeReference = 1, latitude, longitudeReference, longitude, altitudeReference, altitude, gpsTime
        case gpsDate = 0x1D
        case imageDescription = 0x010E
        case make = 0x010F
        case model = 0x0110
        case orientation = 0x0112
        case dateTime = 0x0132
        case xmp = 0x02BC
        case previewOffset = 0x0201
        case previewLength = 0x0202
        case rating = 0x4746
        case exposureTime = 0x829A
        case fNumber = 0x829D
        case iptc = 0x83BB
        case exif = 0x8769
        case gps = 0x8825
        case sensitivity = 0x8827
        case recommendedExposureIndex = 0x8832
        case dateTimeOriginal = 0x9003
        case dateTimeDigitized = 0x9004
        case offsetTimeOriginal = 0x9011
        case offsetTimeDigitized = 0x9012
        case focalLength = 0x920A
        case makerNote = 0x927C
        case subSecTimeOriginal = 0x9291
        case subSecTimeDigitized = 0x9292
        case lensModel = 0xA434
    }

    struct Value {
        var type: Int
        var count: Int
        /// Offset of the value, or of the offset that points to a longer value.
        var place: Int
    }

    struct Directory {
        fileprivate(set) var values: [Tag: Value] = [:]
        /// Offset of the next directory. 0 if there is none.
        fileprivate(set) var next = 0

        subscript(tag: Tag) -> Value? { values[tag] }
    }

    /// Maximum number of entries to examine in a directory. The fullest directories that cameras write have about a hundred.
    static let maximumEntries = 512
    /// Maximum number of bytes to read of a text.
    static let longestText = 64

    private enum Source {
        case memory([UInt8], Range<Int>)
        case file(FilePieces)
    }

    private let source: Source
    private let bigEndian: Bool
    /// Bytes of a count and of an offset: 8 in BigTIFF, otherwise 4.
    private let wordSize: Int
    /// Offset of the first directory.
    let first: Int

    /// - Returns: `nil` if the range does not contain a TIFF structure.
    init?(_ bytes: [UInt8], _ range: Range<Int>) {
        self.init(.memory(bytes, range.clamped(to: bytes.indices)), isRAW: false)
    }

    /// - Parameter isRAW: whether a number other than 42 is accepted in the head, as in some cameras' RAW files.
    /// - Returns: `nil` if the file is not a TIFF structure.
    init?(_ file: FilePieces, isRAW: Bool = false) { self.init(.file(file), isRAW: isRAW) }

    private init?(_ source: Source, isRAW: Bool) {
        guard let head = Self.bytes(of: source, at: 0, 8) else { return nil }
        switch (head[head.startIndex], head[head.startIndex + 1]) {
        case (0x49, 0x49): bigEndian = false
        case (0x4D, 0x4D): bigEndian = true
        default: return nil
        }
        let version = Self.number(head.dropFirst(2).prefix(2), bigEndian)
        self.source = source
        if version == 43 {
            guard let offset = Self.bytes(of: source, at: 8, 8) else { return nil }
            wordSize = 8
            first = Self.number(offset, bigEndian)
        } else {
            guard isRAW || version == 42 else { return nil }
            wordSize = 4
            first = Self.number(head.dropFirst(4), bigEndian)
        }
    }

    /// Returns the range of the bytes in memory at an offset. `nil` if some of the bytes are missing.
    func range(at offset: Int, count: Int) -> Range<Int>? {
        guard case .memory(_, let range) = source, offset > 0, count >= 0, offset <= range.count,
            count <= range.count - offset
        else { return nil }
        return range.lowerBound + offset..<range.lowerBound + offset + count
    }

    /// Returns the directory at an offset, or an empty one if there is none. If a tag occurs twice, the first one counts.
    func directory(at offset: Int) -> Directory {
        var directory = Directory()
        let countSize = wordSize == 8 ? 8 : 2, entrySize = 4 + 2 * wordSize
        guard offset > 0, let head = bytes(at: offset, countSize) else { return directory }
        let entries = Self.number(head, bigEndian)
        let looked = min(entries, Self.maximumEntries), start = offset + countSize
        let table = Self.bytes(of: source, at: start, looked * entrySize, partly: true) ?? []
        var place = table.startIndex
        for index in 0..<looked where place + entrySize <= table.endIndex {
            let tag = Self.number(table[place..<place + 2], bigEndian)
            if let tag = Tag(rawValue: tag), directory.values[tag] == nil {
                directory.values[tag] = Value(
                    type: Self.number(table[place + 2..<place + 4], bigEndian),
                    count: Self.number(table[place + 4..<place + 4 + wordSize], bigEndian),
                    place: start + index * entrySize + 4 + wordSize)
            }
            place += entrySize
        }
        if entries <= Self.maximumEntries, let next = bytes(at: start + entries * entrySize, wordSize) {
            directory.next = Self.number(next, bigEndian)
        }
        return directory
    }

    /// Returns the first number of a SHORT, a LONG or a type that some programs write instead.
    func number(_ value: Value?) -> Int? {
        guard let value, value.count > 0, [3, 4, 9, 13, 16, 18].contains(value.type) else { return nil }
        let size = value.type == 3 ? 2 : value.type >= 16 ? 8 : 4
        return self.value(value, size: size, at: 0).map { Self.number($0, bigEndian) }
    }

    func byte(_ value: Value?) -> Int? {
        guard let value, value.type == 1 else { return nil }
        return self.value(value, size: 1, at: 0).map { Self.number($0, bigEndian) }
    }

    /// Returns the value of a RATIONAL, or `nil` if its denominator is zero.
    func rational(_ value: Value?, _ index: Int = 0) -> Double? {
        guard let value, value.type == 5 || value.type == 10, let bytes = self.value(value, size: 8, at: index) else {
            return nil
        }
        func number(_ part: ArraySlice<UInt8>) -> Double {
            let number = Self.number(part, bigEndian)
            return Double(value.type == 10 ? Int(Int32(truncatingIfNeeded: number)) : number)
        }
        let below = number(bytes.suffix(4))
        return below == 0 ? nil : number(bytes.prefix(4)) / below
    }

    /// Returns a text of at most `most` bytes without surrounding space, or `nil` if the text is empty. The type is ASCII, UTF-8, or
    /// UNDEFINED, which some programs write.
    func text(_ value: Value?, maximum: Int = longestText) -> String? {
        guard let value, [2, 7, 129].contains(value.type), value.count > 0 else { return nil }
        let place = value.count <= wordSize ? value.place : offset(value)
        guard let place, let all = bytes(at: place, value.count) else { return nil }
        let characters = all.prefix { $0 != 0 }.prefix(maximum)
        // Removes control characters and invalid UTF-8.
        let text = String(decoding: characters, as: UTF8.self).cleaned
        return text.isEmpty ? nil : text
    }

    /// Returns the bytes of an UNDEFINED value with this prefix. `nil` if the prefix differs or bytes are missing. Reads no more than the
    /// prefix of other values.
    func data(_ value: Value?, startingWith prefix: [UInt8]) -> [UInt8]? {
        guard let value, value.type == 7, value.count > max(wordSize, prefix.count), let place = offset(value),
            bytes(at: place, prefix.count)?.elementsEqual(prefix) == true
        else { return nil }
        return bytes(at: place, value.count).map { Array($0) }
    }

    /// Returns the beginning of a value of bytes or, as some programs write, numbers. Only values longer than an offset count. Reads at
    /// most 64 KiB of a value in a file.
    func beginning(_ value: Value?) -> [UInt8]? {
        guard let value, [1, 4, 7].contains(value.type) else { return nil }
        let count = value.count * (value.type == 4 ? 4 : 1)
        guard count > wordSize, let place = offset(value) else { return nil }
        return Self.bytes(of: source, at: place, count, partly: true).map { Array($0) }
    }

    func date(_ directory: Directory, _ time: Tag, _ fraction: Tag?, _ offset: Tag?) -> DateTaken? {
        guard let time = text(directory[time]) else { return nil }
        return DateTaken(
            exif: time, fraction: fraction.flatMap { text(directory[$0]) },
            offset: offset.flatMap { text(directory[$0]) })
    }

    private func value(_ value: Value, size: Int, at index: Int) -> ArraySlice<UInt8>? {
        guard index < value.count else { return nil }
        let isInline = value.count <= wordSize / size
        guard let start = isInline ? value.place : offset(value) else { return nil }
        return bytes(at: start + index * size, size)
    }

    private func offset(_ value: Value) -> Int? {
        bytes(at: value.place, wordSize).map { Self.number($0, bigEndian) }.flatMap { $0 > 0 ? $0 : nil }
    }

    /// Returns the bytes at an offset, or `nil` if some are missing.
    private func bytes(at offset: Int, _ count: Int) -> ArraySlice<UInt8>? { Self.bytes(of: source, at: offset, count) }

    /// - Parameter partly: whether fewer bytes are acceptable.
    private static func bytes(of source: Source, at offset: Int, _ count: Int, partly: Bool = false) -> ArraySlice<
        UInt8
    >? {
        guard offset >= 0, count >= 0 else { return nil }
        switch source {
        case .memory(let bytes, let range):
            guard offset <= range.count, partly || count <= range.count - offset else { return nil }
            return bytes[range.lowerBound + offset..<min(range.lowerBound + offset + count, range.upperBound)]
        case .file(let file):
            let bytes = file.bytes(at: offset, min(count, longestRead))
            return partly || bytes.count == count ? bytes[...] : nil
        }
    }

    /// Maximum number of bytes to read of a value in a file.
    private static let longestRead = 1 << 16

    /// Reads a number of up to eight bytes, limited to the largest offset. Sums and products of a few never overflow.
    private static func number(_ bytes: ArraySlice<UInt8>, _ bigEndian: Bool) -> Int {
        let number =
            bigEndian
            ? bytes.reduce(0 as UInt) { $0 << 8 | UInt($1) } : bytes.reversed().reduce(0 as UInt) { $0 << 8 | UInt($1) }
        return Int(min(number, UInt(TIFFDirectory.maximum)))
    }
}
