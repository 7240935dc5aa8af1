import Catalog
import Media

/// A catalogue of made-up photographs in folders.
struct Photographs: CatalogItems {
    struct Photograph {
        var name: String
        var folder = "2019"
        /// In the format that ``WallPeriod`` parses.
        var taken: String?
        /// Milliseconds after ``taken``.
        var millisecond: UInt16 = 0
        var bytes: Int64 = -1
        var camera = ""
        var lens = ""
        var rating: UInt8 = 0
    }

    let photographs: [Photograph]
    let sections: [Section]
    let factColumns: FactColumns?
    private let dates: TakenDates
    var itemCount: Int { photographs.count }
    var catalog: Catalog {
        Catalog(kind: .folder, title: "Photographs", sections: sections, dates: dates, items: self)
    }

    /// - Parameter photographs: Photographs grouped by folder.
    init(_ photographs: [Photograph]) {
        self.photographs = photographs
        var sections: [Section] = []
        for (index, photograph) in photographs.enumerated() {
            if sections.last?.title != photograph.folder {
                sections.append(Section(title: photograph.folder, from: index, count: 0))
            }
            sections[sections.count - 1].count += 1
        }
        self.sections = sections
        var columns = FactColumns()
        columns.taken = photographs.map {
            $0.taken.flatMap { WallPeriod($0)?.seconds.lowerBound } ?? FactColumns.undated
        }
        columns.millisecond = photographs.map(\.millisecond)
        columns.bytes = photographs.map(\.bytes)
        columns.rating = photographs.map(\.rating)
        columns.cameras = [""]
        columns.lenses = [""]
        for photograph in photographs {
            columns.camera.append(Self.number(of: photograph.camera, in: &columns.cameras))
            columns.lens.append(Self.number(of: photograph.lens, in: &columns.lenses))
        }
        factColumns = columns
        dates = TakenDates(of: columns.taken)
    }

    private static func number(of name: String, in names: inout [String]) -> UInt16 {
        if let known = names.firstIndex(of: name) { return UInt16(known) }
        names.append(name)
        return UInt16(names.count - 1)
    }

    func item(_ index: Int) -> Item? {
        guard photographs.indices.contains(index) else { return nil }
        let photograph = photographs[index]
        return Item(
            locator: .file(path: "/\(photograph.folder)/\(photograph.name)", root: FolderRoot(path: "/")),
            title: String(photograph.name.prefix { $0 != "." }))
    }

    func index(of locator: Locator) -> Int? { (0..<itemCount).first { item($0)?.locator == locator } }

    func facts(_ index: Int) -> PictureFacts? {
        guard photographs.indices.contains(index) else { return nil }
        var facts = PictureFacts()
        facts.bytes = Int(photographs[index].bytes)
        return facts
    }
}

extension ArrangedItems {
    var names: [String] { (0..<itemCount).compactMap { item($0)?.fileName } }
}
