import Pipeline
import Replay

/// The gallery of the demo: as many pictures as wanted, each painted by the ``DemoOrigin`` when it is asked for.
///
/// Nothing is stored for an item: its address, shape and title follow from its index.
public struct DemoCatalog: Catalog {
    /// The most items a demo may have.
    public static let maxItems = 10_000_000
    /// Items in each section but the last.
    public static let sectionLength = 1_000

    public let itemCount: Int
    public let sections: [Section]
    private let base: String

    /// - Parameters:
    ///   - itemCount: clamped to `0 ... maxItems`.
    ///   - origin: where the pictures are painted, `http://127.0.0.1:8081`, without a slash at the end.
    public init(itemCount: Int, origin: String) {
        let count = min(max(itemCount, 0), Self.maxItems)
        self.itemCount = count
        base = origin.hasSuffix("/") ? String(origin.dropLast()) : origin
        sections = stride(from: 0, to: count, by: Self.sectionLength).enumerated().map { number, from in
            Section(title: Self.sectionTitle(number), from: from, count: min(Self.sectionLength, count - from))
        }
    }

    /// The same pictures, fetched through a lane of the origin.
    public func through(_ lane: DemoOrigin.Lane) -> DemoCatalog {
        DemoCatalog(itemCount: itemCount, origin: "\(base)/\(lane.name)")
    }

    public var kind: CatalogKind { .demo }
    public var title: String { "Demo" }

    public func item(_ index: Int) -> Item? {
        guard 0..<itemCount ~= index else { return nil }
        let (width, height) = Self.shape(index)
        return Item(
            locator: .url("\(base)/\(width)x\(height)?text=food+\(index)"), title: "Food \(index)", width: width,
            height: height)
    }

    public func index(of locator: Locator) -> Int? {
        guard case .url(let url) = locator, let plus = url.lastIndex(of: "+"),
            let index = Int(url[url.index(after: plus)...]), item(index)?.locator == locator
        else { return nil }
        return index
    }

    /// The size of a picture in pixels, by its index alone.
    public static func shape(_ index: Int) -> (width: Int, height: Int) {
        // Neighbours get unrelated numbers, the same ones in each run.
        var random = SeededRandom(seed: UInt64(truncatingIfNeeded: index))
        return shapes[Int(random.next() % UInt64(shapes.count))]
    }

    /// Landscapes more often than portraits, as in most people's collections.
    private static let shapes = [
        (600, 400), (600, 400), (640, 480), (600, 400), (640, 360), (400, 600), (500, 500), (480, 640), (800, 450),
        (500, 625), (720, 405), (600, 450),
    ]

    /// The title of the section of that number, from 0: names in turn, counted from the second round on.
    static func sectionTitle(_ number: Int) -> String {
        let (round, place) = number.quotientAndRemainder(dividingBy: names.count)
        return round == 0 ? names[place] : "\(names[place]) \(round + 1)"
    }

    private static let names = [
        "Breakfast", "Market Day", "Citrus", "From the Oven", "Orchard", "Noodles", "Garden", "Small Plates", "Spice",
        "Sea and Shore", "Picnic", "Tea Time", "Street Food", "Harvest", "Berries", "Sunday Roast", "Herbs", "Sweets",
        "Campfire", "Vineyard", "Soups", "Mountain Hut", "Bakery", "Late Supper",
    ]
}
