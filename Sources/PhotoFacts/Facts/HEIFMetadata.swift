/// The EXIF and XMP items of a HEIC or AVIF file (ISO/IEC 23008-12, annex A). Both are often at the file's end.
struct HEIFMetadata {
    private(set) var exif: [UInt8]?
    private(set) var xmp: [UInt8]?

    /// Maximum number of bytes to read of an item.
    private static let longest = 1 << 18
    /// Maximum number of bytes to read of the `meta` box, which describes the items. Two thousand tiles need about 50 kB.
    private static let longestMeta = 1 << 20
    private static let maximumItems = 8_192

    private struct Place {
        /// 0: in the file. 1: in the `idat` box.
        var method: Int
        var offset: Int
        var length: Int
    }

    /// Returns the boxes that describe a HEIC or AVIF file (`ftyp` and `meta`), as if both were at the file's start. `nil` for other files.
    ///
    /// In most files, both are at the start. Samsung writes `meta` at the end.
    static func head(of file: FilePieces, _ beginning: [UInt8]) -> [UInt8]? {
        guard let kind = try? PictureKind(beginning), [.heic, .avif].contains(kind) else { return nil }
        var boxes = Boxes(beginning)
        guard let type = boxes.next(), type.type == "ftyp", type.isWhole, let meta = meta(file) else { return nil }
        let length = UInt32(meta.count + 8)
        return beginning[..<type.data.upperBound] + (0..<4).map { UInt8(truncatingIfNeeded: length >> (24 - 8 * $0)) }
            + "meta".utf8 + meta
    }

    init(_ file: FilePieces) {
        guard let bytes = Self.meta(file) else { return }
        var boxes = Boxes(bytes, 4..<bytes.count)
        var kinds: [Int: String] = [:]
        var places: [Int: Place] = [:]
        var data = 0..<0
        while let box = boxes.next() {
            switch box.type {
            case "iinf": kinds = Self.kinds(bytes, box.data)
            case "iloc": places = Self.places(bytes, box.data)
            case "idat": data = box.data
            default: break
            }
        }
        func item(_ kind: String) -> [UInt8]? {
            // Takes the first item if a broken file has several.
            guard let id = kinds.filter({ $0.value == kind }).keys.min(), let place = places[id], place.length > 0
            else { return nil }
            let length = min(place.length, Self.longest)
            switch place.method {
            case 0: return file.bytes(at: place.offset, length)
            case 1:
                guard place.offset < data.count else { return nil }
                return Array(bytes[data.dropFirst(place.offset).prefix(length)])
            default: return nil
            }
        }
        exif = item("Exif").flatMap { Self.exif($0) }
        xmp = item("application/rdf+xml")
    }

    /// Returns the EXIF in an item. The item's first four bytes say how many further bytes precede the EXIF structure. Some
    /// programs omit these four bytes.
    static func exif(_ item: [UInt8]) -> [UInt8]? {
        guard item.count > 8 else { return nil }
        if TIFFDirectory.isTIFF(item) || item.starts(with: Array("Exif\0\0".utf8)) { return item }
        var reader = ByteReader(item)
        let skipped = reader.number(4, bigEndian: true) ?? 0
        return skipped < item.count - 4 ? Array(item.dropFirst(4 + skipped)) : nil
    }

    private static func meta(_ file: FilePieces) -> [UInt8]? {
        var place = 0
        // `ftyp`, and perhaps a few other boxes, precede `meta`.
        for _ in 0..<8 {
            var reader = ByteReader(file.bytes(at: place, 16))
            guard var length = reader.number(4, bigEndian: true), let type = reader.tag() else { return nil }
            var head = 8
            if length == 1 {
                guard let high = reader.number(4, bigEndian: true), let low = reader.number(4, bigEndian: true),
                    high < 1 << 16
                else { return nil }
                (length, head) = (high << 32 | low, 16)
            }
            // A length of 0 means that the box extends to the file's end.
            if length == 0 { length = file.count - place }
            guard length >= head else { return nil }
            if type == "meta" {
                let bytes = file.bytes(at: place + head, min(length - head, longestMeta))
                return bytes.count > 4 ? bytes : nil
            }
            place += length
        }
        return nil
    }

    /// Returns the type of each item. If an item has a media type, that is returned instead.
    private static func kinds(_ bytes: [UInt8], _ data: Range<Int>) -> [Int: String] {
        var reader = ByteReader(bytes, range: data)
        guard let version = reader.byte(), reader.skip(version == 0 ? 5 : 7) else { return [:] }
        var kinds: [Int: String] = [:]
        var boxes = Boxes(bytes, reader.offset..<data.upperBound)
        while let box = boxes.next(), kinds.count < maximumItems {
            var reader = ByteReader(bytes, range: box.data)
            guard box.type == "infe", let version = reader.byte(), version >= 2, reader.skip(3),
                let id = reader.number(version == 2 ? 2 : 4, bigEndian: true), reader.skip(2), let type = reader.tag()
            else { continue }
            if type == "mime" {
                // The media type follows the item's name.
                let rest = bytes[reader.offset..<box.data.upperBound].drop { $0 != 0 }.dropFirst()
                kinds[id] = String(decoding: rest.prefix { $0 != 0 }.prefix(64), as: UTF8.self)
            } else {
                kinds[id] = type
            }
        }
        return kinds
    }

    /// Returns the position of each item. For an item in several pieces, this is its first piece.
    private static func places(_ bytes: [UInt8], _ data: Range<Int>) -> [Int: Place] {
        var reader = ByteReader(bytes, range: data)
        var places: [Int: Place] = [:]
        guard let version = reader.byte(), reader.skip(3), let sizes = reader.number(2, bigEndian: true),
            let count = reader.number(version < 2 ? 2 : 4, bigEndian: true)
        else { return places }
        let offsetSize = sizes >> 12, lengthSize = sizes >> 8 & 15, baseSize = sizes >> 4 & 15
        let indexSize = version > 0 ? sizes & 15 : 0
        for _ in 0..<min(count, maximumItems) {
            guard let id = reader.number(version < 2 ? 2 : 4, bigEndian: true) else { break }
            let method = version > 0 ? (reader.number(2, bigEndian: true) ?? 0) & 15 : 0
            guard reader.skip(2), let base = long(&reader, baseSize), let extents = reader.number(2, bigEndian: true)
            else { break }
            guard extents > 0 else { continue }
            guard reader.skip(indexSize), let offset = long(&reader, offsetSize),
                let length = long(&reader, lengthSize)
            else { break }
            let (start, overflow) = base.addingReportingOverflow(offset)
            if !overflow { places[id] = Place(method: method, offset: start, length: length) }
            guard reader.skip((extents - 1) * (indexSize + offsetSize + lengthSize)) else { break }
        }
        return places
    }

    /// Reads a number of 0, 4 or 8 bytes. Returns `nil` if an `Int` cannot hold the number.
    private static func long(_ reader: inout ByteReader, _ count: Int) -> Int? {
        guard count == 8 else { return count == 0 ? 0 : count == 4 ? reader.number(4, bigEndian: true) : nil }
        guard let high = reader.number(4, bigEndian: true), let low = reader.number(4, bigEndian: true), high < 1 << 31
        else { return nil }
        return high << 32 | low
    }
}
