/// The items of a HEIC or AVIF file (ISO/IEC 23008-12): their kinds, properties and positions. The file is untrusted: values that do not
/// fit their box are ignored.
struct HEIFItems {
    enum Property {
        case size(width: Int, height: Int)
        case rotation(quarters: Int)
        case mirror(axis: Int)
        case crop(width: Int, height: Int)
        case profile(Range<Int>)
        case colors(primaries: Int, transfer: Int)
        case auxiliary(String)
        case other
    }

    private struct Location {
        /// 0: in the file. 1: in the `idat` box.
        var method: Int
        var offset: Int
        var length: Int
    }

    private(set) var primary = 0
    /// Start and end of the data of all items, without data inside the `meta` box. The end may be beyond the file's.
    private(set) var dataStart = Int.max
    private(set) var dataEnd = 0
    private var properties: [Property] = []
    /// Numbers of the properties of each item, starting at 1 as in the file.
    private var associations: [Int: [Int]] = [:]
    /// The items that accompany the primary item: alpha, depth, gain maps. A set, because a file may name an item any number of times.
    private var auxiliaries: Set<Int> = []
    /// Type of each item. If an item has a media type, that is its kind instead.
    private var kinds: [Int: String] = [:]
    /// Position of each item. For an item in several pieces, this is its first piece.
    private var locations: [Int: Location] = [:]
    private var innerData = 0..<0
    private let file: FilePieces
    /// The file's bytes if they are in memory, otherwise those of its `meta` box.
    private let bytes: [UInt8]
    /// Offset of the first of `bytes` in the file.
    private let shift: Int

    /// Maximum number of bytes to read of an item.
    private static let longestItem = 1 << 18
    /// Maximum number of bytes to read of the `meta` box on disk. Two thousand tiles need about 50 kB.
    private static let longestMeta = 1 << 20

    /// - Throws: ``RenderError/truncated(_:)`` if the description of the items is beyond the file's last byte.
    init(_ file: FilePieces, _ kind: PictureKind) throws(RenderError) {
        var top = Boxes(file)
        var found: Boxes.Box?
        while found == nil, let box = top.next() { if box.type == "meta" { found = box } }
        // The box may begin after the last byte.
        guard let found else { throw top.endsEarly ? .headerEnds(kind) : .broken("\(kind.rawValue) without a picture") }
        guard found.isWhole else { throw .headerEnds(kind) }
        self.file = file
        let data: Range<Int>
        if let memory = file.inMemory {
            (bytes, shift) = (memory.bytes, -memory.range.lowerBound)
            data = found.data.lowerBound - shift..<found.data.upperBound - shift
        } else {
            bytes = file.bytes(at: found.data.lowerBound, min(found.data.count, Self.longestMeta))
            (shift, data) = (found.data.lowerBound, bytes.indices)
        }
        read(data)
        guard primary > 0 else { throw .broken("\(kind.rawValue) without a primary picture") }
    }

    func properties(of item: Int) -> [Property] {
        (associations[item] ?? []).compactMap { properties.indices.contains($0 - 1) ? properties[$0 - 1] : nil }
    }

    var hasAlpha: Bool {
        auxiliaries.contains { item in
            properties(of: item).contains { property in
                guard case .auxiliary(let type) = property else { return false }
                return type == "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha" || type == "urn:mpeg:hevc:2015:auxid:1"
            }
        }
    }

    /// The EXIF item, as a chunk of EXIF. It is often at the file's end.
    var exif: [UInt8]? { contents("Exif").flatMap { Self.exif($0) } }

    var xmp: [UInt8]? { contents("application/rdf+xml") }

    /// Returns the EXIF in an item. The item's first four bytes say how many further bytes precede the EXIF structure. Some programs omit
    /// these four bytes.
    static func exif(_ item: [UInt8]) -> [UInt8]? {
        guard item.count > 8 else { return nil }
        if TIFFStructure.isTIFF(item) || item.starts(with: JPEGSegments.exif) { return item }
        var reader = ByteReader(item)
        let skipped = reader.number(4, bigEndian: true) ?? 0
        return skipped < item.count - 4 ? Array(item.dropFirst(4 + skipped)) : nil
    }

    /// Returns the contents of the first item of a kind.
    private func contents(_ kind: String) -> [UInt8]? {
        guard let id = kinds.filter({ $0.value == kind }).keys.min(), let location = locations[id], location.length > 0
        else { return nil }
        let length = min(location.length, Self.longestItem)
        switch location.method {
        case 0: return file.bytes(at: location.offset, length)
        case 1:
            guard location.offset < innerData.count else { return nil }
            return Array(bytes[innerData.dropFirst(location.offset).prefix(length)])
        default: return nil
        }
    }

    private func boxes(_ data: Range<Int>) -> Boxes { Boxes(file.part(bytes), data) }

    private mutating func read(_ data: Range<Int>) {
        var references: [Range<Int>] = []
        for box in boxes(data.dropFirst(4)) {
            switch box.type {
            case "pitm":
                var reader = ByteReader(bytes, range: box.data)
                let version = reader.byte() ?? 0
                _ = reader.skip(3)
                primary = reader.number(version == 0 ? 2 : 4, bigEndian: true) ?? 0
            case "iprp": readProperties(box.data)
            case "iloc": readLocations(box.data)
            case "iinf": readKinds(box.data)
            case "iref": references.append(box.data)
            case "idat": innerData = box.data
            default: break
            }
        }
        for data in references { readReferences(data) }
    }

    private mutating func readProperties(_ data: Range<Int>) {
        for box in boxes(data) {
            if box.type == "ipco" {
                for box in boxes(box.data) { properties.append(property(box)) }
            } else if box.type == "ipma" {
                readAssociations(box.data)
            }
        }
    }

    private func property(_ box: Boxes.Box) -> Property {
        var reader = ByteReader(bytes, range: box.data)
        func number(_ count: Int) -> Int { reader.number(count, bigEndian: true) ?? 0 }
        switch box.type {
        case "ispe":
            _ = reader.skip(4)
            return .size(width: number(4), height: number(4))
        case "irot": return .rotation(quarters: number(1) & 3)
        case "imir": return .mirror(axis: number(1) & 1)
        case "clap":
            let (width, widthUnit, height, heightUnit) = (number(4), number(4), number(4), number(4))
            return .crop(width: width / max(1, widthUnit), height: height / max(1, heightUnit))
        case "colr":
            switch reader.tag() {
            case "prof", "rICC": return .profile(reader.offset + shift..<box.data.upperBound + shift)
            case "nclx": return .colors(primaries: number(2), transfer: number(2))
            default: return .other
            }
        case "auxC":
            _ = reader.skip(4)
            let text = bytes[reader.offset..<max(reader.offset, box.data.upperBound)].prefix(256).prefix { $0 != 0 }
            return .auxiliary(String(decoding: text, as: UTF8.self))
        default: return .other
        }
    }

    private mutating func readAssociations(_ data: Range<Int>) {
        var reader = ByteReader(bytes, range: data)
        guard let version = reader.byte(), let flags = reader.number(3, bigEndian: true),
            let count = reader.number(4, bigEndian: true)
        else { return }
        for _ in 0..<count {
            guard file.step(), let item = reader.number(version == 0 ? 2 : 4, bigEndian: true),
                let number = reader.byte()
            else {
                return
            }
            for _ in 0..<number {
                guard file.step(), let index = reader.number(flags & 1 == 1 ? 2 : 1, bigEndian: true) else { return }
                associations[item, default: []].append(index & (flags & 1 == 1 ? 0x7FFF : 0x7F))
            }
        }
    }

    private mutating func readKinds(_ data: Range<Int>) {
        var reader = ByteReader(bytes, range: data)
        guard let version = reader.byte(), reader.skip(version == 0 ? 5 : 7) else { return }
        for box in boxes(reader.offset..<data.upperBound) {
            var reader = ByteReader(bytes, range: box.data)
            guard box.type == "infe", let version = reader.byte(), version >= 2, reader.skip(3),
                let id = reader.number(version == 2 ? 2 : 4, bigEndian: true), reader.skip(2), let type = reader.tag()
            else { continue }
            if type == "mime" {
                // The media type follows the item's name.
                let rest = bytes[reader.offset..<box.data.upperBound].drop { $0 != 0 }.dropFirst()
                kinds[id] = String(decoding: rest.prefix { $0 != 0 }.prefix(64), as: UTF8.self)
            } else {
                kinds[id] = "\(type)"
            }
        }
    }

    private mutating func readLocations(_ data: Range<Int>) {
        var reader = ByteReader(bytes, range: data)
        guard let version = reader.byte(), reader.skip(3), let sizes = reader.number(2, bigEndian: true),
            let count = reader.number(version < 2 ? 2 : 4, bigEndian: true)
        else { return }
        let offsetSize = sizes >> 12, lengthSize = sizes >> 8 & 15, baseSize = sizes >> 4 & 15
        let indexSize = version > 0 ? sizes & 15 : 0
        for _ in 0..<count {
            guard file.step(), let id = reader.number(version < 2 ? 2 : 4, bigEndian: true) else { return }
            let method = version > 0 ? (reader.number(2, bigEndian: true) ?? 0) & 15 : 0
            guard reader.skip(2), let base = reader.long(baseSize), let extents = reader.number(2, bigEndian: true)
            else { return }
            for extent in 0..<extents {
                guard file.step(), reader.skip(indexSize), let offset = reader.long(offsetSize),
                    let length = reader.long(lengthSize)
                else { return }
                let start = base.addingReportingOverflow(offset),
                    end = start.partialValue.addingReportingOverflow(length)
                if start.overflow || end.overflow { continue }
                if extent == 0 { locations[id] = Location(method: method, offset: start.partialValue, length: length) }
                guard method == 0 else { continue }
                dataStart = min(dataStart, start.partialValue)
                dataEnd = max(dataEnd, end.partialValue)
            }
        }
    }

    private mutating func readReferences(_ data: Range<Int>) {
        guard let version = bytes[data].first else { return }
        let size = version == 0 ? 2 : 4
        for box in boxes(data.dropFirst(4)) where box.type == "auxl" {
            var reader = ByteReader(bytes, range: box.data)
            guard let from = reader.number(size, bigEndian: true), let count = reader.number(2, bigEndian: true) else {
                continue
            }
            for _ in 0..<count {
                guard file.step(), let to = reader.number(size, bigEndian: true) else { break }
                if to == primary { auxiliaries.insert(from) }
            }
        }
    }
}

extension ByteReader {
    /// Reads a big-endian number of 0, 4 or 8 bytes, the sizes used in HEIF. Returns `nil` if an `Int` cannot hold the number.
    fileprivate mutating func long(_ count: Int) -> Int? {
        [0, 4, 8].contains(count) ? number(count, bigEndian: true) : nil
    }
}
