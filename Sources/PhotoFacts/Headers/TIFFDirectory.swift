/// One directory of a TIFF structure (TIFF 6.0, section 2), which is also what most RAW files are made of.
struct TIFFDirectory {
    /// The tags read here.
    enum Tag: Int {
        case subfileType = 0xFE, width = 0x100, height = 0x101, bitsPerSample = 0x102, compression = 0x103
        case photometric = 0x106
        case stripOffsets = 0x111, orientation = 0x112, stripByteCounts = 0x117, subdirectories = 0x14A
        case jpegOffset = 0x201, jpegLength = 0x202, profile = 0x8773, exif = 0x8769, makerNote = 0x927C
        case panasonicPreview = 0x2E, olympusSettings = 0x2020, dngVersion = 0xC612, defaultCropSize = 0xC620
    }

    struct Entry {
        var type: Int
        var count: Int
        /// Where its value lies.
        var offset: Int
    }

    /// Where it begins.
    let offset: Int
    /// Where the next one begins; 0 where it is the last.
    let next: Int
    private let entries: [Int: Entry]
    let isBigEndian: Bool
    private let file: FilePieces
    private let base: Int

    private static let maxEntries = 512

    static func isTIFF(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: [0x49, 0x49, 0x2A, 0]) || bytes.starts(with: [0x4D, 0x4D, 0, 0x2A])
    }

    /// - Parameter base: what offsets count from.
    init?(_ file: FilePieces, at offset: Int, bigEndian: Bool, base: Int = 0) {
        var head = ByteReader(file.bytes(at: base + offset, 2))
        guard offset > 0, let count = head.number(2, bigEndian: bigEndian), count > 0, count <= Self.maxEntries else {
            return nil
        }
        let start = base + offset + 2
        var reader = ByteReader(file.bytes(at: start, count * 12 + 4))
        var entries: [Int: Entry] = [:]
        for index in 0..<count {
            guard let tag = reader.number(2, bigEndian: bigEndian), let type = reader.number(2, bigEndian: bigEndian),
                let count = reader.number(4, bigEndian: bigEndian), let value = reader.number(4, bigEndian: bigEndian)
            else { break }
            let isInline = count * Self.size(type) <= 4
            entries[tag] = Entry(type: type, count: count, offset: isInline ? start + index * 12 + 8 : base + value)
        }
        next = reader.number(4, bigEndian: bigEndian) ?? 0
        self.offset = offset
        self.entries = entries
        isBigEndian = bigEndian
        self.file = file
        self.base = base
    }

    subscript(_ tag: Tag) -> Entry? { entries[tag.rawValue] }

    /// The first numbers of a tag's value.
    func numbers(_ tag: Tag, most: Int = 1) -> [Int] {
        guard let entry = self[tag], [1, 3, 4, 6, 7, 8, 9, 13].contains(entry.type) else { return [] }
        let size = Self.size(entry.type), count = min(entry.count, most)
        var reader = ByteReader(file.bytes(at: entry.offset, count * size))
        return (0..<count).compactMap { _ in reader.number(size, bigEndian: isBigEndian) }
    }

    func number(_ tag: Tag) -> Int? { numbers(tag).first }

    var orientation: Orientation? {
        number(.orientation).flatMap { UInt8(exactly: $0) }.flatMap(Orientation.init(rawValue:))
    }

    /// Whether it holds what a sensor saw, colour filters and all (TIFF/EP, DNG).
    var isSensorData: Bool {
        // A colour filter array, linear raw; then Nikon's and Sony's own packing.
        [32803, 34892].contains(number(.photometric)) || [34713, 32767].contains(number(.compression))
    }

    /// The bytes of a value of one type; 1 of a type that is not known.
    private static func size(_ type: Int) -> Int {
        switch type {
        case 3, 8: 2
        case 4, 9, 11, 13: 4
        case 5, 10, 12: 8
        default: 1
        }
    }

    /// The directories of a file: a chain, each with directories below it. Each is read once.
    static func all(_ file: FilePieces) -> [TIFFDirectory] {
        var head = ByteReader(file.bytes(at: 0, 8))
        guard let order = head.number(2, bigEndian: true), order == 0x4949 || order == 0x4D4D, head.skip(2),
            let first = head.number(4, bigEndian: order == 0x4D4D)
        else { return [] }
        return chain(file, from: first, bigEndian: order == 0x4D4D)
    }

    private static let maxDirectories = 32

    private static func chain(_ file: FilePieces, from first: Int, bigEndian: Bool) -> [TIFFDirectory] {
        var found: [TIFFDirectory] = []
        var seen: Set<Int> = []
        var open = [first]
        while let offset = open.popLast(), found.count < maxDirectories {
            guard seen.insert(offset).inserted,
                let directory = TIFFDirectory(file, at: offset, bigEndian: bigEndian)
            else { continue }
            found.append(directory)
            // Those below it come before the next of the chain.
            open.append(directory.next)
            open += directory.numbers(.subdirectories, most: 8).reversed()
        }
        return found
    }
}
