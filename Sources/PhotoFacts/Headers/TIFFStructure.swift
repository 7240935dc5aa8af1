/// A TIFF structure as EXIF holds it (TIFF 6.0, section 2; CIPA DC-008, 4.6): directories of tagged values. BigTIFF is read, too.
///
/// Offsets lead anywhere, also in circles: they are followed by name, from the first directory to a few others and no further.
struct TIFFStructure {
    enum Tag: Int {
        // Of the place where it was taken, in a directory of its own.
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
        /// Where in the structure the value, or the offset of one that is longer than an offset, is.
        var place: Int
    }

    struct Directory {
        fileprivate(set) var values: [Tag: Value] = [:]
        /// The offset of the next directory; 0 for none.
        fileprivate(set) var next = 0

        subscript(tag: Tag) -> Value? { values[tag] }
    }

    /// Entries of a directory that are looked at; the fullest that cameras write have about a hundred.
    static let mostEntries = 512
    /// Bytes of a text that are read.
    static let longestText = 64

    private enum Source {
        case memory([UInt8], Range<Int>)
        case file(FilePieces)
    }

    private let source: Source
    private let bigEndian: Bool
    /// Bytes of a count, and of an offset: 8 in BigTIFF.
    private let wordSize: Int
    /// The offset of the first directory.
    let first: Int

    /// - Returns: `nil` where there is no such structure in the range.
    init?(_ bytes: [UInt8], _ range: Range<Int>) {
        self.init(.memory(bytes, range.clamped(to: bytes.indices)), isRAW: false)
    }

    /// - Parameter isRAW: whether another number may stand in 42's place, as in some cameras' RAW files.
    /// - Returns: `nil` where the file is no such structure.
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

    /// The part of the bytes in memory that lies at an offset; `nil` where it is not all there.
    func range(at offset: Int, count: Int) -> Range<Int>? {
        guard case .memory(_, let range) = source, offset > 0, count >= 0, offset <= range.count,
            count <= range.count - offset
        else { return nil }
        return range.lowerBound + offset..<range.lowerBound + offset + count
    }

    /// The directory at an offset; empty where there is none. Of a tag that comes twice the first counts.
    func directory(at offset: Int) -> Directory {
        var directory = Directory()
        let countSize = wordSize == 8 ? 8 : 2, entrySize = 4 + 2 * wordSize
        guard offset > 0, let head = bytes(at: offset, countSize) else { return directory }
        let entries = Self.number(head, bigEndian)
        let looked = min(entries, Self.mostEntries), start = offset + countSize
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
        if entries <= Self.mostEntries, let next = bytes(at: start + entries * entrySize, wordSize) {
            directory.next = Self.number(next, bigEndian)
        }
        return directory
    }

    /// A SHORT, a LONG or what some write in its stead, the first where there are several.
    func number(_ value: Value?) -> Int? {
        guard let value, value.count > 0, [3, 4, 9, 13, 16, 18].contains(value.type) else { return nil }
        let size = value.type == 3 ? 2 : value.type >= 16 ? 8 : 4
        return self.value(value, size: size, at: 0).map { Self.number($0, bigEndian) }
    }

    /// A BYTE.
    func byte(_ value: Value?) -> Int? {
        guard let value, value.type == 1 else { return nil }
        return self.value(value, size: 1, at: 0).map { Self.number($0, bigEndian) }
    }

    /// A RATIONAL; `nil` where its denominator is zero.
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

    /// Text without what surrounds it, at most so many bytes; `nil` if nothing is left. Its type is ASCII or UTF-8, and UNDEFINED in
    /// what some programs write.
    func text(_ value: Value?, most: Int = longestText) -> String? {
        guard let value, [2, 7, 129].contains(value.type), value.count > 0 else { return nil }
        let place = value.count <= wordSize ? value.place : offset(value)
        guard let place, let all = bytes(at: place, value.count) else { return nil }
        let characters = all.prefix { $0 != 0 }.prefix(most)
        // Control characters have no business in a name, nor has what is no UTF-8.
        let text = String(decoding: characters, as: UTF8.self).cleaned
        return text.isEmpty ? nil : text
    }

    /// The bytes of an UNDEFINED value that begins so; `nil` where they are not all there. Of others only the beginning is read.
    func data(_ value: Value?, startingWith prefix: [UInt8]) -> [UInt8]? {
        guard let value, value.type == 7, value.count > max(wordSize, prefix.count), let place = offset(value),
            bytes(at: place, prefix.count)?.elementsEqual(prefix) == true
        else { return nil }
        return bytes(at: place, value.count).map { Array($0) }
    }

    /// The beginning of a value of bytes, or of what some call numbers, that is longer than an offset; 64 KiB of one in a file.
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

    /// The bytes of the value at an index.
    private func value(_ value: Value, size: Int, at index: Int) -> ArraySlice<UInt8>? {
        guard index < value.count else { return nil }
        let isInline = value.count <= wordSize / size
        guard let start = isInline ? value.place : offset(value) else { return nil }
        return bytes(at: start + index * size, size)
    }

    private func offset(_ value: Value) -> Int? {
        bytes(at: value.place, wordSize).map { Self.number($0, bigEndian) }.flatMap { $0 > 0 ? $0 : nil }
    }

    /// All of these bytes; `nil` where they are not all there.
    private func bytes(at offset: Int, _ count: Int) -> ArraySlice<UInt8>? { Self.bytes(of: source, at: offset, count) }

    /// - Parameter partly: whether fewer will do.
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

    /// Bytes of a value in a file, at most.
    private static let longestRead = 1 << 16

    /// A number of up to eight bytes, no greater than any offset, so that sums and products of a few never overflow.
    private static func number(_ bytes: ArraySlice<UInt8>, _ bigEndian: Bool) -> Int {
        let number =
            bigEndian
            ? bytes.reduce(0 as UInt) { $0 << 8 | UInt($1) } : bytes.reversed().reduce(0 as UInt) { $0 << 8 | UInt($1) }
        return Int(min(number, UInt(TIFFDirectory.most)))
    }
}
