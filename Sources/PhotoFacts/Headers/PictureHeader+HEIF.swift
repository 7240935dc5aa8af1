extension PictureHeader {
    /// Reads the properties of the primary item of a HEIC or AVIF file (ISO/IEC 23008-12): size, rotation and colours. Also finds the
    /// position of the picture data.
    mutating func readHEIF(_ bytes: [UInt8]) throws(RenderError) {
        let items = try HEIFItems(bytes, kind)
        var angle = 0
        var mirror: Int?
        for property in items.properties(of: items.primary) {
            switch property {
            case .size(let width, let height):
                self.width = width
                self.height = height
            case .rotation(let quarters): angle = quarters
            case .mirror(let axis): mirror = axis
            // The crop comes before the rotation (ISO/IEC 23000-22, 7.3.6.7).
            case .crop(let width, let height) where kind == .heic && width > 0 && height > 0:
                self.width = min(self.width, width)
                self.height = min(self.height, height)
            case .profile(let range): profile = [range]
            case .colors(let primaries, let transfer): (self.primaries, self.transfer) = (primaries, transfer)
            case .crop, .auxiliary, .other: break
            }
        }
        hasAlpha = items.hasAlpha
        dataStart = items.dataStart
        dataEnd = items.dataEnd
        let turn = Orientation(quarters: angle, mirror: mirror)
        if kind == .avif {
            orientation = turn
        } else {
            // libheif itself turns the picture.
            decoderTurn = turn
            if turn.swapsSides { (width, height) = (height, width) }
        }
    }
}

extension Orientation {
    /// Converts the two orientation properties of HEIF.
    ///
    /// - Parameters:
    ///   - quarters: anticlockwise turns by 90 degrees, applied first.
    ///   - mirror: 0 swaps top and bottom, 1 swaps left and right.
    init(quarters: Int, mirror: Int?) {
        let turned: [Orientation] = [.up, .left, .down, .right]
        let swappedRows: [Orientation] = [.downMirrored, .leftMirrored, .upMirrored, .rightMirrored]
        switch mirror {
        case nil: self = turned[quarters & 3]
        case 0: self = swappedRows[quarters & 3]
        // Swapping left and right is the same as swapping top and bottom, plus half a turn.
        default: self = swappedRows[(quarters + 2) & 3]
        }
    }
}

/// The items of a HEIF file, their properties and the position of their data. The file is untrusted: values that do not fit their box are
/// ignored.
private struct HEIFItems {
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

    private(set) var primary = 0
    private(set) var dataStart = Int.max
    private(set) var dataEnd = 0
    private var properties: [Property] = []
    /// Numbers of the properties of each item, starting at 1 as in the file.
    private var associations: [Int: [Int]] = [:]
    private var associationCount = 0
    /// The items that accompany the primary item: alpha, depth, gain maps. A set, because a file may name an item any number of times.
    private var auxiliaries: Set<Int> = []
    private let bytes: [UInt8]

    private static let maxItems = 65_536
    /// Maximum number of associations of all items together.
    private static let maxAssociations = 65_536

    init(_ bytes: [UInt8], _ kind: PictureKind) throws(RenderError) {
        self.bytes = bytes
        var top = Boxes(bytes)
        while let box = top.next() {
            guard box.type == "meta" else { continue }
            guard box.isWhole else { throw .headerEnds(kind) }
            readMeta(box.data)
            guard primary > 0 else { throw .broken("\(kind.rawValue) without a primary picture") }
            return
        }
        // The box may begin after these bytes.
        throw top.endsEarly ? .headerEnds(kind) : .broken("\(kind.rawValue) without a picture")
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

    private mutating func readMeta(_ data: Range<Int>) {
        var boxes = Boxes(bytes, data.dropFirst(4))
        var references: [Range<Int>] = []
        while let box = boxes.next() {
            switch box.type {
            case "pitm":
                var reader = ByteReader(bytes, range: box.data)
                let version = reader.byte() ?? 0
                _ = reader.skip(3)
                primary = reader.number(version == 0 ? 2 : 4, bigEndian: true) ?? 0
            case "iprp": readProperties(box.data)
            case "iloc": readLocations(box.data)
            case "iref": references.append(box.data)
            default: break
            }
        }
        for data in references { readReferences(data) }
    }

    private mutating func readProperties(_ data: Range<Int>) {
        var boxes = Boxes(bytes, data)
        while let box = boxes.next() {
            if box.type == "ipco" {
                var list = Boxes(bytes, box.data)
                while let property = list.next() { properties.append(read(property)) }
            } else if box.type == "ipma" {
                readAssociations(box.data)
            }
        }
    }

    private func read(_ box: Boxes.Box) -> Property {
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
            case "prof", "rICC": return .profile(reader.offset..<box.data.upperBound)
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
        for _ in 0..<min(count, Self.maxItems) {
            guard let item = reader.number(version == 0 ? 2 : 4, bigEndian: true), let number = reader.byte() else {
                return
            }
            for _ in 0..<number {
                guard associationCount < Self.maxAssociations,
                    let index = reader.number(flags & 1 == 1 ? 2 : 1, bigEndian: true)
                else { return }
                associationCount += 1
                associations[item, default: []].append(index & (flags & 1 == 1 ? 0x7FFF : 0x7F))
            }
        }
    }

    /// Finds the start and the end of the data in the file. Ignores data inside the `meta` box.
    private mutating func readLocations(_ data: Range<Int>) {
        var reader = ByteReader(bytes, range: data)
        guard let version = reader.byte(), reader.skip(3), let sizes = reader.number(2, bigEndian: true),
            let count = reader.number(version < 2 ? 2 : 4, bigEndian: true)
        else { return }
        let offsetSize = sizes >> 12, lengthSize = sizes >> 8 & 15, baseSize = sizes >> 4 & 15
        let indexSize = version > 0 ? sizes & 15 : 0
        for _ in 0..<min(count, Self.maxItems) {
            guard reader.skip(version < 2 ? 2 : 4) else { return }
            var method = 0
            if version > 0 { method = (reader.number(2, bigEndian: true) ?? 0) & 15 }
            guard reader.skip(2), let base = reader.long(baseSize), let extents = reader.number(2, bigEndian: true)
            else { return }
            // Extents without any bytes are all the same, so only the first is read. Otherwise a file of 1 MB might claim billions.
            for _ in 0..<(indexSize + offsetSize + lengthSize == 0 ? min(extents, 1) : extents) {
                guard reader.skip(indexSize), let offset = reader.long(offsetSize), let length = reader.long(lengthSize)
                else { return }
                guard method == 0 else { continue }
                let start = base.addingReportingOverflow(offset),
                    end = start.partialValue.addingReportingOverflow(length)
                if start.overflow || end.overflow { continue }
                dataStart = min(dataStart, start.partialValue)
                dataEnd = max(dataEnd, end.partialValue)
            }
        }
    }

    private mutating func readReferences(_ data: Range<Int>) {
        guard let version = bytes[data].first else { return }
        let size = version == 0 ? 2 : 4
        var boxes = Boxes(bytes, data.dropFirst(4))
        while let box = boxes.next() {
            var reader = ByteReader(bytes, range: box.data)
            guard box.type == "auxl", let from = reader.number(size, bigEndian: true),
                let count = reader.number(2, bigEndian: true)
            else { continue }
            for _ in 0..<count {
                guard let to = reader.number(size, bigEndian: true) else { break }
                if to == primary, auxiliaries.count < Self.maxItems { auxiliaries.insert(from) }
            }
        }
    }
}

extension ByteReader {
    /// Reads a big-endian number of 0, 4 or 8 bytes, the sizes used in HEIF. Returns `nil` if an `Int` cannot hold the number.
    fileprivate mutating func long(_ count: Int) -> Int? {
        switch count {
        case 0: return 0
        case 4: return number(4, bigEndian: true)
        case 8:
            guard let high = number(4, bigEndian: true), let low = number(4, bigEndian: true), high < 1 << 31 else {
                return nil
            }
            return high << 32 | low
        default: return nil
        }
    }
}
