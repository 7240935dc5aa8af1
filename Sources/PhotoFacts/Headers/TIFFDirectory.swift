/// One directory of a TIFF structure (TIFF 6.0, section 2), which most RAW files use, or of a BigTIFF, which has 64-bit counts and offsets.
struct TIFFDirectory {
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
        var offset: Int
    }

    let offset: Int
    /// Offset of the next directory. 0 for the last one.
    let next: Int
    private let entries: [Int: Entry]
    let isBigEndian: Bool
    /// Whether the file is a BigTIFF.
    let isBig: Bool
    private let file: FilePieces
    private let base: Int

    private static let maxEntries = 512
    /// Largest count or offset that is accepted in a file. Sums and products of a few never overflow.
    static let maximum = 1 << 48

    static func isTIFF(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: [0x49, 0x49, 0x2A, 0]) || bytes.starts(with: [0x4D, 0x4D, 0, 0x2A]) || isBig(bytes)
    }

    static func isBig(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: [0x49, 0x49, 0x2B, 0]) || bytes.starts(with: [0x4D, 0x4D, 0, 0x2B])
    }

    /// - Parameter base: offset in the file from which the directory's offsets count.
    init?(_ file: FilePieces, at offset: Int, bigEndian: Bool, base: Int = 0, isBig: Bool = false) {
        // Bytes of the number of entries, and of each count and offset in the entries.
        let (countSize, wordSize) = isBig ? (8, 8) : (2, 4)
        let entrySize = 4 + 2 * wordSize
        guard 1...Self.maximum ~= offset else { return nil }
        var head = ByteReader(file.bytes(at: base + offset, countSize))
        guard let count = head.number(countSize, bigEndian: bigEndian), 1...Self.maxEntries ~= count else { return nil }
        let start = base + offset + countSize
        var reader = ByteReader(file.bytes(at: start, count * entrySize + wordSize))
        var entries: [Int: Entry] = [:]
        for index in 0..<count {
            guard let tag = reader.number(2, bigEndian: bigEndian), let type = reader.number(2, bigEndian: bigEndian),
                reader.remaining >= 2 * wordSize
            else { break }
            let count = reader.number(wordSize, bigEndian: bigEndian)
            let value = reader.number(wordSize, bigEndian: bigEndian)
            guard let count, count <= Self.maximum else { continue }
            if count * Self.size(type) <= wordSize {
                entries[tag] = Entry(type: type, count: count, offset: start + index * entrySize + 4 + wordSize)
            } else if let value, value <= Self.maximum {
                entries[tag] = Entry(type: type, count: count, offset: base + value)
            }
        }
        next = reader.number(wordSize, bigEndian: bigEndian) ?? 0
        self.offset = offset
        self.entries = entries
        self.isBig = isBig
        isBigEndian = bigEndian
        self.file = file
        self.base = base
    }

    subscript(_ tag: Tag) -> Entry? { entries[tag.rawValue] }

    /// Returns the first numbers of a tag's value.
    func numbers(_ tag: Tag, maximum: Int = 1) -> [Int] {
        guard let entry = self[tag], [1, 3, 4, 6, 7, 8, 9, 13, 16, 18].contains(entry.type) else { return [] }
        let size = Self.size(entry.type), count = min(entry.count, maximum)
        var reader = ByteReader(file.bytes(at: entry.offset, count * size))
        return (0..<count).compactMap { _ in reader.number(size, bigEndian: isBigEndian) }.filter { $0 <= Self.maximum }
    }

    func number(_ tag: Tag) -> Int? { numbers(tag).first }

    var orientation: Orientation? {
        number(.orientation).flatMap { UInt8(exactly: $0) }.flatMap(Orientation.init(rawValue:))
    }

    /// Whether the directory contains unprocessed sensor data (TIFF/EP, DNG).
    var isSensorData: Bool {
        // Photometric values: a colour filter array, linear raw. Compressions: Nikon's and Sony's own packing.
        [32803, 34892].contains(number(.photometric)) || [34713, 32767].contains(number(.compression))
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

    /// Returns the directories of a file: a chain of directories, each with subdirectories. Each directory is read once.
    static func all(_ file: FilePieces) -> [TIFFDirectory] {
        let beginning = file.bytes(at: 0, 16)
        let isBig = isBig(beginning)
        var head = ByteReader(beginning)
        guard let order = head.number(2, bigEndian: true), order == 0x4949 || order == 0x4D4D,
            head.skip(isBig ? 6 : 2), let first = head.number(isBig ? 8 : 4, bigEndian: order == 0x4D4D)
        else { return [] }
        return chain(file, from: first, bigEndian: order == 0x4D4D, isBig)
    }

    private static let maxDirectories = 32

    private static func chain(
        _ file: FilePieces, from first: Int, bigEndian: Bool, _ isBig: Bool
    ) -> [TIFFDirectory] {
        var found: [TIFFDirectory] = []
        var seen: Set<Int> = []
        var open = [first]
        while let offset = open.popLast(), found.count < maxDirectories {
            guard seen.insert(offset).inserted,
                let directory = TIFFDirectory(file, at: offset, bigEndian: bigEndian, isBig: isBig)
            else { continue }
            found.append(directory)
            // Subdirectories come before the next directory of the chain.
            open.append(directory.next)
            open += directory.numbers(.subdirectories, maximum: 8).reversed()
        }
        return found
    }
}
