import Catalog
import Demo
import Media
import Testing

@Suite struct DemoCatalogTests {
    let catalog = DemoCatalog(itemCount: 10_000_000, origin: "http://127.0.0.1:8081")

    @Test("an item's URL contains its size and number, which are known in advance")
    func addresses() throws {
        for index in [0, 1, 999, 123_456, 9_999_999] {
            let item = try #require(catalog.item(index))
            let (width, height) = try (#require(item.width), #require(item.height))
            #expect(item.locator == .url("http://127.0.0.1:8081/\(width)x\(height)?text=food+\(index + 1)"))
            #expect(item.title.hasSuffix(" \(index + 1)"))
            #expect(catalog.index(of: item.locator) == index)
        }
        #expect(catalog.index(of: .url("http://127.0.0.1:8081/1x1?text=food+7")) == nil)
        #expect(catalog.index(of: .file(path: "/food+7", root: FolderRoot(path: "/"))) == nil)
    }

    @Test(
        "originals are 2,400 pixels wide and used for thumbnails larger than the picture"
    )
    func originals() throws {
        for index in 0..<500 {
            let item = try #require(catalog.item(index))
            let (width, height) = try (#require(item.width), #require(item.height))
            let original = try #require(item.original)
            #expect(original.width == 2400 && original.height * width == 2400 * height, "\(width) x \(height)")
            #expect(
                original.locator == .url("http://127.0.0.1:8081/2400x\(original.height)?text=food+\(index + 1)"))
            #expect(DemoPicture(width: 2400, height: original.height, text: "food") != nil)
            #expect(item.originalLocator == original.locator)

            let small = item.source(for: ThumbnailSize(width: width * 3 / 2, height: 0))
            #expect(small.locator == item.locator && small.width == width && small.original == nil)
            for size in [
                ThumbnailSize(width: width * 3 / 2 + 1, height: 0), ThumbnailSize(width: 1, height: height * 2),
            ] {
                let large = item.source(for: size)
                #expect(large.locator == original.locator && large.width == 2400 && large.original == nil)
            }
        }
        let alone = Item(locator: .url("http://h/1"), title: "1", width: 10, height: 10)
        #expect(
            alone.source(for: ThumbnailSize(width: 1600, height: 0)) == alone && alone.originalLocator == alone.locator)
    }

    @Test("indices outside the catalogue have no item")
    func bounds() {
        #expect(catalog.item(-1) == nil)
        #expect(catalog.item(10_000_000) == nil)
        #expect(catalog.item(.max) == nil)
        #expect(DemoCatalog(itemCount: -5, origin: "http://h").itemCount == 0)
        #expect(DemoCatalog(itemCount: .max, origin: "http://h").itemCount == DemoCatalog.maxItems)
    }

    @Test("sections cover all items without gaps, each with its own title")
    func sections() {
        let catalog = DemoCatalog(itemCount: 50_500, origin: "http://h")
        #expect(catalog.sections.count == 51)
        #expect(catalog.sections.reduce(0) { $1.from == $0 ? $0 + $1.count : -1 } == 50_500)
        #expect(catalog.sections.last?.count == 500)
        #expect(Set(catalog.sections.map(\.title)).count == 51)
        #expect(Set(self.catalog.sections.map(\.title)).count == 10_000)
        #expect(catalog.sections.first?.title == "Lisbon, October 2025")
        #expect(DemoCatalog(itemCount: 0, origin: "http://h").sections.isEmpty)
    }

    @Test("shapes vary between landscape and portrait")
    func shapes() {
        let shapes = (0..<200).map { DemoCatalog.shape($0) }
        #expect(Set(shapes.map { "\($0.width)x\($0.height)" }).count >= 6)
        #expect(shapes.contains { $0.width < $0.height })
        #expect(shapes.contains { $0.width > $0.height })
        #expect(shapes.contains { $0.width > 2 * $0.height })
    }

    @Test("24 consecutive pictures show 24 motifs, and the next 24 use another order")
    func motifs() {
        func names(_ round: Int) -> [String] {
            // Titles count from 1.
            (0..<24).map { catalog.item(round * 24 + $0 - 1)?.title.replacing(#/ \d+$/#, with: "") ?? "" }
        }
        for round in [1, 2, 3, 1000, 249_998] { #expect(Set(names(round)).count == 24) }
        #expect(names(1) != names(2))
    }

    @Test("aspect ratios match the items' sizes")
    func ratios() throws {
        let catalog = DemoCatalog(itemCount: 3000, origin: "http://h")
        let ratios = catalog.aspectRatios
        #expect(ratios.count == 3000)
        for index in 0..<3000 {
            let item = try #require(catalog.item(index))
            let (width, height) = (try #require(item.width), try #require(item.height))
            #expect(
                ratios.isKnown(index) && abs(ratios[index] * Double(height) / Double(width) - 1) < 1e-3, "item \(index)"
            )
        }
    }

    @Test(
        "pictures are dated in their section's year, newest first",
        arguments: [500, 50_500, 300_000])
    func dates(_ count: Int) throws {
        let catalog = DemoCatalog(itemCount: count, origin: "http://h")
        let taken = try #require(catalog.factColumns).taken
        #expect(taken.count == count)
        #expect(zip(taken, taken.dropFirst()).allSatisfy { $0 >= $1 })
        for section in catalog.sections {
            for index in [section.from, section.from + section.count / 2, section.from + section.count - 1] {
                let date = DateTaken(wallSeconds: taken[index])
                #expect(section.title.hasSuffix(" \(date.year)") && 8...20 ~= date.hour, "\(section.title): \(date)")
            }
        }
        let value = catalog.catalog
        #expect(value.takenRange?.lowerBound == taken.last && value.takenRange?.upperBound == taken.first)
        #expect(value.datedCount == count)
        let months = try #require(value.timeline).months
        #expect(months.count == min(180, catalog.sections.count))
        #expect(months.first?.name == "2025-10")
    }

    @Test("search names are the titles")
    func names() {
        let catalog = DemoCatalog(itemCount: 500, origin: "http://h")
        var names: [String] = []
        catalog.forEachName { names.append(String(decoding: $0, as: UTF8.self)) }
        #expect(names == (0..<500).compactMap { catalog.item($0)?.title })
        DemoCatalog(itemCount: 0, origin: "http://h").forEachName { _ in Issue.record("an empty catalogue has a name") }
    }

    @Test("a picture's ThumbHash matches its average colour", arguments: [0, 6, 77, 12_345, 9_999_998])
    func thumbHashes(index: Int) throws {
        let hash = try #require(catalog.thumbHash(index).flatMap { ThumbHash(bytes: $0) })
        #expect(catalog.thumbHash(index) == hash.bytes)
        let (width, height) = DemoCatalog.shape(index)
        let scale = 96 / Double(max(width, height))
        let picture = try #require(
            DemoPicture(
                width: Int(Double(width) * scale), height: Int(Double(height) * scale), text: "food \(index + 1)"))
        let rgba = picture.pixels().flatMap { [UInt8($0 & 255), UInt8($0 >> 8 & 255), UInt8($0 >> 16 & 255), 255] }
        let large = try #require(ThumbHash(width: picture.width, height: picture.height, rgba: rgba))
        for shift in [16, 8, 0] as [UInt32] {
            #expect(abs(Int(hash.averageColor >> shift & 255) - Int(large.averageColor >> shift & 255)) <= 32)
        }
        #expect(catalog.thumbHash(10_000_000) == nil && catalog.thumbHash(-1) == nil)
    }

    @Test("a picture's facts match the columns and do not change")
    func facts() throws {
        let catalog = DemoCatalog(itemCount: 200_000, origin: "http://h")
        let columns = try #require(catalog.factColumns)
        for index in stride(from: 0, to: 200_000, by: 1_997) {
            let facts = try #require(catalog.facts(index))
            #expect(facts == catalog.facts(index))
            let (make, model) = try (#require(facts.camera.make), #require(facts.camera.model))
            #expect(facts.taken?.wallSeconds == columns.taken[index])
            #expect("\(make) \(model)" == columns.cameras[Int(columns.camera[index])])
            #expect(facts.camera.lens == columns.lenses[Int(columns.lens[index])])
            let place = try #require(facts.location)
            #expect(-90...90 ~= place.latitude && -180...180 ~= place.longitude)
            #expect((facts.exposure.aperture ?? 0) >= 1 && (facts.exposure.focalLength ?? 0) >= 4)
        }
        #expect(catalog.facts(200_000) == nil && catalog.facts(-1) == nil)
        #expect(Set(columns.camera).count == columns.cameras.count - 1)
    }
}
