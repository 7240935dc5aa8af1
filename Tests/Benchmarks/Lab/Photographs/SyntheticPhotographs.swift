import Catalog
import Media
import Numbers

/// As many photographs as wanted, as a camera names them: in folders of a thousand, taken over twenty years, with what is known
/// of them. There are no files.
struct SyntheticPhotographs: CatalogItems {
    private static let folderLength = 1_000
    private static let places = ["Beach", "Lake Bled", "Christmas", "Hike", "Garden", "Málaga", "Wedding", "Kitchen"]

    let itemCount: Int
    let sections: [Section]
    let factColumns: FactColumns?
    private let dates: TakenDates
    private let names: [UInt8]
    private static let nameLength = 12

    init(_ count: Int) {
        itemCount = count
        sections = stride(from: 0, to: count, by: Self.folderLength).enumerated().map { number, from in
            Section(
                title: "\(2005 + number % 20)/\(Self.places[number % Self.places.count]) \(number)", from: from,
                count: min(Self.folderLength, count - from))
        }
        var random = SeededRandom(seed: 18)
        var columns = FactColumns()
        columns.cameras = [""] + (1...40).map { "Camera \($0)" }
        columns.lenses = [""] + (1...60).map { "Lens \($0)" }
        var names: [UInt8] = []
        names.reserveCapacity(count * Self.nameLength)
        let first = 1_104_537_600
        for _ in 0..<count {
            columns.taken.append(Int64(first + random.below(20 * 365 * 86_400)))
            columns.bytes.append(Int64(1_000_000 + random.below(9_000_000)))
            columns.added.append(Int64(first + random.below(20 * 365 * 86_400)))
            columns.camera.append(UInt16(random.below(41)))
            columns.lens.append(UInt16(random.below(61)))
            let digits = String(10_000 + random.below(10_000)).utf8.dropFirst()
            names += Array("IMG_".utf8) + digits + Array(".JPG".utf8)
        }
        factColumns = columns
        dates = TakenDates(of: columns.taken)
        self.names = names
    }

    var catalog: Catalog {
        Catalog(kind: .folder, title: "Photographs", sections: sections, dates: dates, items: self)
    }

    func item(_ index: Int) -> Item? {
        guard 0..<itemCount ~= index else { return nil }
        let name = String(decoding: names[index * Self.nameLength..<(index + 1) * Self.nameLength], as: UTF8.self)
        return Item(locator: .file(path: "/photographs/\(name)", root: FolderRoot(path: "/photographs")), title: name)
    }

    func forEachName(_ body: (UnsafeBufferPointer<UInt8>) -> Void) {
        names.withUnsafeBufferPointer { names in
            for index in 0..<itemCount {
                body(UnsafeBufferPointer(rebasing: names[index * Self.nameLength..<(index + 1) * Self.nameLength]))
            }
        }
    }
}
