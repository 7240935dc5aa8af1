/// One directory of a TIFF structure: tagged values. If a tag occurs twice, the first one counts.
struct TIFFDirectory {
    enum Tag: Int {
        // Tags of the GPS directory.
        case latitudeReference = 1, latitude, longitudeReference, longitude, altitudeReference, altitude, gpsTime
        case gpsDate = 0x1D
        // Tags of maker notes.
        case appleContentIdentifier = 0x11, olympusSettings = 0x2020
        case panasonicPreview = 0x2E
        case subfileType = 0xFE
        case width = 0x100
        case height = 0x101
        case bitsPerSample = 0x102
        case compression = 0x103
        case photometric = 0x106
        case imageDescription = 0x10E
        case make = 0x10F
        case model = 0x110
        case stripOffsets = 0x111
        case orientation = 0x112
        case stripByteCounts = 0x117
        case dateTime = 0x132
        case subdirectories = 0x14A
        case previewOffset = 0x201
        case previewLength = 0x202
        case xmp = 0x2BC
        case rating = 0x4746
        case exposureTime = 0x829A
        case fNumber = 0x829D
        case iptc = 0x83BB
        case exif = 0x8769
        case profile = 0x8773
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
        case dngVersion = 0xC612
        case defaultCropSize = 0xC620
    }

    struct Entry {
        var type: Int
        var count: Int
        /// Offset of the value in the file.
        var offset: Int
    }

    let structure: TIFFStructure
    let offset: Int
    /// Offset of the next directory. 0 for the last one.
    private(set) var next = 0
    private var entries: [Tag: Entry] = [:]
    /// Whether there is a directory at the offset. It may have only unknown tags.
    private(set) var exists = false

    /// Maximum number of entries to examine. The fullest directories that cameras write have about a hundred.
    private static let maximumEntries = 512
    /// Maximum number of bytes to read of a text.
    static let longestText = 64
    /// Maximum number of bytes to read of any other value.
    private static let longestValue = 1 << 16

    init(_ structure: TIFFStructure, at offset: Int) {
        self.structure = structure
        self.offset = offset
        let isBigEndian = structure.isBigEndian, wordSize = structure.wordSize
        let countSize = wordSize == 8 ? 8 : 2, entrySize = 4 + 2 * wordSize
        guard 1...TIFFStructure.maximum ~= offset else { return }
        var head = structure.file.reader(at: structure.base + offset, countSize)
        guard let count = head.number(countSize, bigEndian: isBigEndian), count > 0 else { return }
        exists = true
        let start = structure.base + offset + countSize, examined = min(count, Self.maximumEntries)
        var reader = structure.file.reader(at: start, examined * entrySize + wordSize)
        for index in 0..<examined {
            guard let tag = reader.number(2, bigEndian: isBigEndian),
                let type = reader.number(2, bigEndian: isBigEndian),
                reader.remaining >= 2 * wordSize
            else { return }
            let count = reader.number(wordSize, bigEndian: isBigEndian)
            let value = reader.number(wordSize, bigEndian: isBigEndian)
            guard let tag = Tag(rawValue: tag), entries[tag] == nil, let count, count <= TIFFStructure.maximum else {
                continue
            }
            if count * Self.size(type) <= wordSize {
                entries[tag] = Entry(type: type, count: count, offset: start + index * entrySize + 4 + wordSize)
            } else if let value, 1...TIFFStructure.maximum ~= value {
                entries[tag] = Entry(type: type, count: count, offset: structure.base + value)
            }
        }
        if count == examined { next = reader.number(wordSize, bigEndian: isBigEndian) ?? 0 }
    }

    subscript(_ tag: Tag) -> Entry? { entries[tag] }

    /// Returns the first numbers of a value of bytes, SHORT, LONG, or a type that some programs write instead.
    func numbers(_ tag: Tag, maximum: Int = 1) -> [Int] {
        guard let entry = self[tag], [1, 3, 4, 6, 7, 8, 9, 13, 16, 18].contains(entry.type) else { return [] }
        let size = Self.size(entry.type), count = min(entry.count, maximum)
        var reader = structure.file.reader(at: entry.offset, count * size)
        return (0..<count).compactMap { _ in reader.number(size, bigEndian: structure.isBigEndian) }
            .filter { $0 <= TIFFStructure.maximum }
    }

    func number(_ tag: Tag) -> Int? { numbers(tag).first }

    /// Returns a number of a RATIONAL value, or `nil` if its denominator is zero.
    func rational(_ tag: Tag, _ index: Int = 0) -> Double? {
        guard let entry = self[tag], entry.type == 5 || entry.type == 10, index < entry.count else { return nil }
        var reader = structure.file.reader(at: entry.offset + index * 8, 8)
        func number() -> Double? {
            reader.number(4, bigEndian: structure.isBigEndian).map {
                Double(entry.type == 10 ? Int(Int32(truncatingIfNeeded: $0)) : $0)
            }
        }
        guard let above = number(), let below = number(), below != 0 else { return nil }
        return above / below
    }

    /// Returns a text of at most `maximum` bytes without surrounding space, or `nil` if the text is empty or incomplete. The type is ASCII,
    /// UTF-8, or UNDEFINED, which some programs write.
    func text(_ tag: Tag, maximum: Int = longestText) -> String? {
        guard let entry = self[tag], [2, 7, 129].contains(entry.type), isWhole(entry, entry.count) else { return nil }
        let bytes = structure.file.bytes(at: entry.offset, min(entry.count, maximum))
        // Removes control characters and invalid UTF-8.
        let text = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self).cleaned
        return text.isEmpty ? nil : text
    }

    /// Returns an UNDEFINED value with this prefix. `nil` if the prefix differs, or if bytes are missing.
    func data(_ tag: Tag, startingWith prefix: [UInt8]) -> [UInt8]? {
        guard let entry = self[tag], entry.type == 7, entry.count > prefix.count, entry.count <= Self.longestValue,
            isWhole(entry, entry.count), structure.file.reader(at: entry.offset, prefix.count).starts(with: prefix)
        else { return nil }
        return structure.file.bytes(at: entry.offset, entry.count)
    }

    /// Returns the beginning of a value of bytes or, as some programs write, numbers.
    func beginning(_ tag: Tag) -> [UInt8]? {
        guard let entry = self[tag], [1, 4, 7].contains(entry.type) else { return nil }
        let bytes = structure.file.bytes(at: entry.offset, min(entry.count * Self.size(entry.type), Self.longestValue))
        return bytes.isEmpty ? nil : bytes
    }

    func date(_ time: Tag, _ fraction: Tag? = nil, _ offset: Tag? = nil) -> DateTaken? {
        guard let time = text(time) else { return nil }
        return DateTaken(exif: time, fraction: fraction.flatMap { text($0) }, offset: offset.flatMap { text($0) })
    }

    /// Returns the directory to which a value points.
    func directory(_ tag: Tag) -> TIFFDirectory? { number(tag).map(structure.directory(at:)) }

    /// The orientation. Like browsers, which turn the file themselves, ignores a value that is not one SHORT.
    var orientation: Orientation? {
        guard let entry = self[.orientation], entry.type == 3, entry.count == 1 else { return nil }
        return number(.orientation).flatMap { UInt8(exactly: $0) }.flatMap(Orientation.init(rawValue:))
    }

    private func isWhole(_ entry: Entry, _ length: Int) -> Bool {
        length > 0 && entry.offset <= structure.file.count && length <= structure.file.count - entry.offset
    }

    /// Returns the bytes of a single value of a type, or 1 if the type is unknown.
    private static func size(_ type: Int) -> Int {
        switch type {
        case 3, 8: 2
        case 4, 9, 11, 13: 4
        case 5, 10, 12, 16, 17, 18: 8
        default: 1
        }
    }
}
