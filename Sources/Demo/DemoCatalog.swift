public import Catalog
import Media
import Numbers
public import Viewport

/// The gallery of the demo. It has any number of pictures, and the ``DemoOrigin`` paints each picture on request.
///
/// Nothing is stored for an item: its address, shape and title are computed from its index. The numbers on the pictures start at 1.
/// Each section is a month at a place. Sections cover fifteen years, newest first.
public struct DemoCatalog: CatalogItems, CatalogSource {
    public static let maxItems = 10_000_000
    /// Number of items in each section except the last.
    public static let sectionLength = 1_000

    public let itemCount: Int
    public let sections: [Section]
    private let base: String
    private let hashes: PaintedHashes

    /// - Parameters:
    ///   - itemCount: Number of items, clamped to `0 ... maxItems`.
    ///   - origin: URL of the ``DemoOrigin``, such as `http://127.0.0.1:8081`. A slash at the end is removed.
    public init(itemCount: Int, origin: String) {
        let count = min(max(itemCount, 0), Self.maxItems)
        self.itemCount = count
        base = origin.hasSuffix("/") ? String(origin.dropLast()) : origin
        hashes = PaintedHashes()
        sections = stride(from: 0, to: count, by: Self.sectionLength).enumerated().map { number, from in
            let title = Self.sectionTitle(number, of: Self.sectionCount(count))
            return Section(title: title, from: from, count: min(Self.sectionLength, count - from))
        }
    }

    private init(itemCount: Int, sections: [Section], base: String, hashes: PaintedHashes) {
        self.itemCount = itemCount
        self.sections = sections
        self.base = base
        self.hashes = hashes
    }

    /// Returns a catalog with the same pictures, fetched through a lane of the origin.
    public func through(_ lane: DemoOrigin.Lane) -> DemoCatalog {
        DemoCatalog(itemCount: itemCount, sections: sections, base: "\(base)/\(lane.name)", hashes: hashes)
    }

    public var catalog: Catalog {
        Catalog(kind: .demo, title: "Demo", sections: sections, dates: dates, items: self)
    }

    /// All facts are known. The page's document asks for their number with each request, and ``catalog`` computes the dates again.
    public var factsKnown: Int { itemCount }

    public func item(_ index: Int) -> Item? {
        guard 0..<itemCount ~= index else { return nil }
        let (width, height) = Self.shape(index)
        var item = Item(
            locator: locator(index, width, height),
            title: "\(DemoPicture.name(number: index + 1)) \(index + 1)", width: width, height: height)
        item.version = DemoPicture.version
        let original = Self.originalSize(index)
        item.original = Item.Original(
            locator: locator(index, original.width, original.height), width: original.width, height: original.height)
        return item
    }

    /// Returns a hash of the picture's number. The address would not do, because the origin's port changes with each start.
    public func id(_ index: Int) -> ItemID? {
        guard 0..<itemCount ~= index else { return nil }
        var id: ItemID?
        forEachID(of: index..<index + 1) { id = $0 }
        return id
    }

    public func forEachID(of range: Range<Int>, _ body: (ItemID) -> Void) {
        let text = StableHash("demo/")
        for index in range {
            var hash = text
            var number = UInt64(index + 1).littleEndian
            withUnsafeBytes(of: &number) { $0.withMemoryRebound(to: UInt8.self) { hash.combine($0) } }
            body(ItemID(hash))
        }
    }

    private func locator(_ index: Int, _ width: Int, _ height: Int) -> Locator {
        .url("\(base)/\(width)x\(height)?text=food+\(index + 1)")
    }

    public func thumbHash(_ index: Int) -> [UInt8]? { 0..<itemCount ~= index ? hashes[index] : nil }

    public func forEachName(_ body: (UnsafeBufferPointer<UInt8>) -> Void) {
        let motifs = Scene.names.map { Array("\($0) ".utf8) }
        var name: [UInt8] = []
        for number in 1...max(1, itemCount) where number <= itemCount {
            name.removeAll(keepingCapacity: true)
            name += motifs[Scene.motif(UInt64(number))]
            name += String(number).utf8
            name.withUnsafeBufferPointer(body)
        }
    }

    public var aspectRatios: AspectRatios {
        let ratios = Self.shapes.map { Double($0.0) / Double($0.1) }
        return AspectRatios(count: itemCount) { ratios[Self.shapeNumber($0)] }
    }

    public func index(of locator: Locator) -> Int? {
        guard case .url(let url) = locator, let plus = url.lastIndex(of: "+"),
            let number = Int(url[url.index(after: plus)...]), item(number - 1)?.locator == locator
        else { return nil }
        return number - 1
    }

    /// Returns the size of a picture in the grid, in pixels. Depends only on the index.
    public static func shape(_ index: Int) -> (width: Int, height: Int) { shapes[shapeNumber(index)] }

    /// Width of each picture in full size, in pixels.
    public static let originalWidth = 2400

    /// Returns the full size of a picture, in pixels.
    static func originalSize(_ index: Int) -> (width: Int, height: Int) {
        let (width, height) = shape(index)
        return (originalWidth, height * originalWidth / width)
    }

    private static func shapeNumber(_ index: Int) -> Int {
        // Neighbours get unrelated shapes. The shapes are the same in each run.
        var random = SeededRandom(seed: UInt64(truncatingIfNeeded: index))
        return Int(random.next() % UInt64(shapes.count))
    }

    /// Sizes in pixels. As in most collections, there are more landscapes than portraits, and a few panoramas.
    private static let shapes = [
        (600, 400), (600, 400), (640, 480), (960, 360), (640, 360), (400, 600), (500, 500), (480, 640), (800, 450),
        (500, 625), (720, 405), (600, 450),
    ]

    static func sectionCount(_ itemCount: Int) -> Int { (itemCount + sectionLength - 1) / sectionLength }

    static func place(ofSection number: Int) -> DemoPlace { DemoPlace.all[number % DemoPlace.all.count] }

    /// Returns the title of a section: its place and month. The months are spread evenly over `total` sections.
    ///
    /// - Parameter number: Index of the section, from 0.
    static func sectionTitle(_ number: Int, of total: Int) -> String {
        let month = DemoMonth(ofSection: number, of: total)
        return "\(place(ofSection: number).name), \(months[month.month - 1]) \(month.year)"
    }

    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]
}
