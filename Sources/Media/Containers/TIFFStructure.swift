/// A TIFF structure (TIFF 6.0, section 2): directories of tagged values. TIFF files, most RAW files, EXIF (CIPA DC-008, 4.6) and the maker
/// notes of cameras have this structure. A BigTIFF has 64-bit counts and offsets.
///
/// Offsets may lead anywhere, even in circles. Callers follow named offsets, or read each directory once.
struct TIFFStructure {
    let file: FilePieces
    /// Offset in the file from which the structure's offsets count.
    let base: Int
    let isBigEndian: Bool
    /// Bytes of a count and of an offset: 8 in a BigTIFF, otherwise 4.
    let wordSize: Int
    /// Offset of the first directory.
    let first: Int

    /// Largest count or offset that is accepted in a file. Sums and products of a few never overflow.
    static let maximum = 1 << 48
    private static let maximumDirectories = 32

    /// - Parameter isRAW: whether a number other than 42 is accepted in the head, as in some cameras' RAW files.
    /// - Returns: `nil` if the file is not a TIFF structure.
    init?(_ file: FilePieces, isRAW: Bool = false) {
        var head = file.reader(at: 0, 16)
        let order = head.number(2, bigEndian: true)
        guard order == 0x4949 || order == 0x4D4D else { return nil }
        isBigEndian = order == 0x4D4D
        guard let version = head.number(2, bigEndian: isBigEndian), version == 42 || version == 43 || isRAW else {
            return nil
        }
        wordSize = version == 43 ? 8 : 4
        // The head of a BigTIFF states the size of its offsets.
        guard head.skip(version == 43 ? 4 : 0), let first = head.number(wordSize, bigEndian: isBigEndian) else {
            return nil
        }
        self.first = first
        self.file = file
        base = 0
    }

    /// A maker note, whose directories follow a head of its own.
    ///
    /// - Parameter base: offset in the file from which the note's offsets count.
    init(note file: FilePieces, base: Int, isBigEndian: Bool) {
        self.file = file
        self.base = base
        self.isBigEndian = isBigEndian
        (wordSize, first) = (4, 0)
    }

    static func isTIFF(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: [0x49, 0x49, 0x2A, 0]) || bytes.starts(with: [0x4D, 0x4D, 0, 0x2A]) || isBig(bytes)
    }

    static func isBig(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: [0x49, 0x49, 0x2B, 0]) || bytes.starts(with: [0x4D, 0x4D, 0, 0x2B])
    }

    /// Returns the directory at an offset, or an empty one if there is none.
    func directory(at offset: Int) -> TIFFDirectory { TIFFDirectory(self, at: offset) }

    /// The directories of the file: a chain of directories, each with subdirectories. Each directory is read once.
    var directories: [TIFFDirectory] {
        var found: [TIFFDirectory] = []
        var seen: Set<Int> = []
        var open = [first]
        while let offset = open.popLast(), found.count < Self.maximumDirectories {
            guard seen.insert(offset).inserted else { continue }
            let directory = directory(at: offset)
            guard directory.exists else { continue }
            found.append(directory)
            // Subdirectories come before the next directory of the chain.
            open.append(directory.next)
            open += directory.numbers(.subdirectories, maximum: 8).reversed()
        }
        return found
    }
}
