/// HEIC and AVIF files, box by box (ISO/IEC 23008-12).
struct HEIFFile {
    struct Item {
        var type: String
        var data: [UInt8]
        /// Whole boxes.
        var properties: [[UInt8]]
    }

    var brand: String
    /// The first item is the primary one. Numbers start at 1.
    var items: [Item]
    /// References from one item to others.
    var references: [(type: String, from: Int, to: [Int])] = []
    /// Whether the data precede the metadata, as in Samsung's files.
    var beginsWithData = false
    /// Whether each item's properties are listed in a separate box.
    var splitsAssociations = false

    static func heic(
        _ picture: CodedPicture, _ width: Int = 120, _ height: Int = 80, _ properties: [[UInt8]] = []
    ) -> HEIFFile {
        HEIFFile(brand: "heic", items: [item("hvc1", picture, width, height, properties)])
    }

    static func avif(
        _ picture: CodedPicture, _ width: Int = 120, _ height: Int = 80, _ properties: [[UInt8]] = [],
        range: UInt8 = 0x80, matrix: Int = 6
    ) -> HEIFFile {
        let colors = nclx(primaries: 1, matrix: matrix, range: range)
        return HEIFFile(brand: "avif", items: [item("av01", picture, width, height, properties + [colors])])
    }

    static func item(
        _ type: String, _ picture: CodedPicture, _ width: Int, _ height: Int, _ properties: [[UInt8]] = []
    ) -> Item {
        Item(type: type, data: picture.data, properties: [size(width, height), picture.configuration] + properties)
    }

    /// The same tile in `columns` x `rows` places.
    static func grid(_ tile: Item, columns: Int, rows: Int, width: Int, height: Int, brand: String) -> HEIFFile {
        let data: [UInt8] = [0, 0, UInt8(rows - 1), UInt8(columns - 1)] + big(width, 2) + big(height, 2)
        let grid = Item(type: "grid", data: data, properties: [size(width, height)])
        let tiles = [Item](repeating: tile, count: columns * rows)
        return HEIFFile(
            brand: brand, items: [grid] + tiles, references: [("dimg", 1, Array(2..<2 + columns * rows))])
    }

    /// Adds the alpha of the primary picture, coded as luma.
    func with(alpha: CodedPicture, _ width: Int = 120, _ height: Int = 80) -> HEIFFile {
        let urn = "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha"
        let type = Self.box("auxC", [0, 0, 0, 0] + Array(urn.utf8) + [0])
        var file = self
        file.items.append(Self.item(items[0].type, alpha, width, height, [type]))
        file.references.append(("auxl", file.items.count, [1]))
        return file
    }

    /// Adds a thumbnail of the primary picture.
    func with(thumbnail: CodedPicture, _ width: Int, _ height: Int) -> HEIFFile {
        var file = self
        // The coding of the tiles if the picture is a grid.
        file.items.append(Self.item(items[items.count - 1].type, thumbnail, width, height))
        file.references.append(("thmb", file.items.count, [1]))
        return file
    }

    var bytes: [UInt8] {
        let ftyp = Self.box("ftyp", Array(brand.utf8) + [0, 0, 0, 0] + Array("mif1".utf8) + Array(brand.utf8))
        let data = Self.box("mdat", items.flatMap(\.data))
        if beginsWithData { return ftyp + data + meta(dataAt: ftyp.count + 8) }
        // The boxes before the data have the same length for any offset.
        let start = ftyp.count + meta(dataAt: 0).count + 8
        return ftyp + meta(dataAt: start) + data
    }

    private func meta(dataAt start: Int) -> [UInt8] {
        var place = start
        var locations: [UInt8] = []
        for (index, item) in items.enumerated() {
            locations += Self.big(index + 1, 2) + [0, 0, 0, 1] + Self.big(place, 4) + Self.big(item.data.count, 4)
            place += item.data.count
        }
        let infos = items.enumerated().flatMap { index, item in
            Self.box("infe", [2, 0, 0, 0] + Self.big(index + 1, 2) + [0, 0] + Array(item.type.utf8) + [0])
        }
        var number = 0
        let associations = items.enumerated().map { index, item -> [UInt8] in
            let numbers = item.properties.map { _ -> UInt8 in
                number += 1
                return UInt8(number)
            }
            return Self.big(index + 1, 2) + [UInt8(numbers.count)] + numbers
        }
        let lists: [[[UInt8]]] = splitsAssociations ? associations.map { [$0] } : [associations]
        var properties = Self.box("ipco", items.flatMap { $0.properties.flatMap { $0 } })
        for list in lists {
            properties += Self.box("ipma", [0, 0, 0, 0] + Self.big(list.count, 4) + Array(list.joined()))
        }
        let links = references.flatMap { reference in
            Self.box(
                reference.type,
                Self.big(reference.from, 2) + Self.big(reference.to.count, 2)
                    + reference.to.flatMap { Self.big($0, 2) })
        }
        let handler = [UInt8](repeating: 0, count: 8) + Array("pict".utf8) + [UInt8](repeating: 0, count: 13)
        return Self.box(
            "meta",
            [0, 0, 0, 0] + Self.box("hdlr", handler) + Self.box("pitm", [0, 0, 0, 0, 0, 1])
                + Self.box("iloc", [0, 0, 0, 0, 0x44, 0] + Self.big(items.count, 2) + locations)
                + Self.box("iinf", [0, 0, 0, 0] + Self.big(items.count, 2) + infos)
                + Self.box("iprp", properties) + (links.isEmpty ? [] : Self.box("iref", [0, 0, 0, 0] + links)))
    }

    // Properties.
    static func size(_ width: Int, _ height: Int) -> [UInt8] {
        box("ispe", [0, 0, 0, 0] + big(width, 4) + big(height, 4))
    }
    static func rotation(_ quarters: UInt8) -> [UInt8] { box("irot", [quarters]) }
    static func mirror(_ axis: UInt8) -> [UInt8] { box("imir", [axis]) }
    static func profile(_ bytes: [UInt8]) -> [UInt8] { box("colr", Array("prof".utf8) + bytes) }
    static func nclx(primaries: Int, transfer: Int = 13, matrix: Int = 6, range: UInt8 = 0x80) -> [UInt8] {
        box("colr", Array("nclx".utf8) + big(primaries, 2) + big(transfer, 2) + big(matrix, 2) + [range])
    }

    static func box(_ type: String, _ data: [UInt8]) -> [UInt8] { big(data.count + 8, 4) + Array(type.utf8) + data }
    static func big(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}
