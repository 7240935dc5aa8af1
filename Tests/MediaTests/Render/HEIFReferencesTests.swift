import Media
import TestSupport
import Testing

/// References to several items, as phones write them for pictures with a gain map.
@Suite(.timeLimit(.minutes(1))) struct HEIFReferencesTests {
    private static let builtIn = PictureKind.heic.isBuiltIn

    /// A HEIC with only the box `iref`.
    private func file(_ references: [UInt8], version: UInt8 = 0) -> [UInt8] {
        HEIFFile.box("ftyp", Array("heic".utf8) + [0, 0, 0, 0])
            + HEIFFile.box("meta", [0, 0, 0, 0] + HEIFFile.box("iref", [version, 0, 0, 0] + references))
    }

    /// A reference from item 9 to `items`.
    private func reference(_ type: String, _ items: [Int], size: Int = 2, count: Int? = nil) -> [UInt8] {
        let numbers = items.flatMap { HEIFFile.big($0, size) }
        return HEIFFile.box(type, HEIFFile.big(9, size) + HEIFFile.big(count ?? items.count, 2) + numbers)
    }

    @Test("references to one item, and references of other types, are unchanged", arguments: [0, 1] as [UInt8])
    func single(version: UInt8) {
        let size = version == 0 ? 2 : 4
        let links =
            reference("auxl", [1], size: size) + reference("cdsc", [1], size: size)
            + reference("thmb", [1], size: size) + reference("dimg", [1, 2, 3], size: size)
        let bytes = file(links, version: version)
        #expect(HEIFReferences.skippingRefused(bytes) == bytes)
    }

    @Test(
        "references to several items or none are renamed in place", arguments: ["auxl", "cdsc", "thmb"],
        [0, 1] as [UInt8])
    func several(type: String, version: UInt8) {
        let size = version == 0 ? 2 : 4
        for items in [[1, 2], [1, 2, 3], []] {
            func links(_ name: String) -> [UInt8] {
                reference("auxl", [1], size: size) + reference(name, items, size: size)
                    + reference("dimg", [1, 2], size: size)
            }
            let renamed = HEIFReferences.skippingRefused(file(links(type), version: version))
            #expect(renamed == file(links("skip"), version: version), "\(items)")
        }
    }

    @Test("references longer than their box, or of unknown versions, are unchanged")
    func contradictory() {
        let absurd = file(reference("auxl", [1, 2], count: 65_535))
        #expect(HEIFReferences.skippingRefused(absurd) == absurd)
        let unknown = file(reference("auxl", [1, 2]), version: 2)
        #expect(HEIFReferences.skippingRefused(unknown) == unknown)
    }

    @Test("a file truncated in its references is read without a crash")
    func truncated() {
        let whole = file(reference("cdsc", [1, 2]) + reference("auxl", [1, 2]))
        for count in 0..<whole.count {
            let bytes = Array(whole.prefix(count))
            #expect(HEIFReferences.skippingRefused(bytes).count == count)
        }
    }

    /// A picture whose Exif and gain map both belong to two items.
    private func gainMap() -> HEIFFile {
        let map = Array("urn:com:apple:photo:2020:aux:hdrgainmap".utf8) + [0]
        let type = HEIFFile.box("auxC", [0, 0, 0, 0] + map)
        var file = HEIFFile.heic(CodedPicture.HEVC.quadrants)
        file.items.append(HEIFFile.item("hvc1", CodedPicture.HEVC.quadrants, 120, 80))
        file.items.append(HEIFFile.item("hvc1", CodedPicture.HEVC.alpha, 120, 80, [type]))
        let orientation = [0, 0, 0, 0] + Segments.tiff(orientation: 1)
        file.items.append(.init(type: "Exif", data: orientation, properties: []))
        file.references = [("auxl", 3, [1, 2]), ("cdsc", 4, [1, 2])]
        return file
    }

    @Test("a HEIC whose gain map and metadata belong to two items is shown", .enabled(if: builtIn))
    func shown() throws {
        let thumbnail = try PictureRenderer().render(gainMap().bytes, size: ThumbnailSize(width: 60, height: 40))
        #expect(thumbnail.width == 60 && thumbnail.height == 40 && !thumbnail.isDamaged)
        let seen = thumbnail.decoded()
        #expect(seen.differs(15, 10, from: TestPicture.red) <= 16, "\(seen.pixel(15, 10))")
        #expect(seen.differs(45, 30, from: TestPicture.yellow) <= 16, "\(seen.pixel(45, 30))")
    }

    @Test("alpha of one item is shown beside metadata of two items", .enabled(if: builtIn))
    func alpha() throws {
        var file = HEIFFile.heic(CodedPicture.HEVC.quadrants).with(alpha: CodedPicture.HEVC.alpha)
        let orientation = [0, 0, 0, 0] + Segments.tiff(orientation: 1)
        file.items.append(.init(type: "Exif", data: orientation, properties: []))
        file.references.append(("cdsc", 3, [1, 2]))
        #expect(try PictureHeader(file.bytes).hasAlpha)
        try PictureRenderer().expectHalfClear(file.bytes)
    }

    @Test("a feature that libheif lacks is reported as unsupported", .enabled(if: builtIn))
    func unsupported() {
        // Version 1 of an overlay.
        let overlay = HEIFFile.Item(
            type: "iovl", data: [1] + [UInt8](repeating: 0, count: 31), properties: [HEIFFile.size(120, 80)])
        let file = HEIFFile(
            brand: "heic", items: [overlay, HEIFFile.item("hvc1", CodedPicture.HEVC.quadrants, 120, 80)],
            references: [("dimg", 1, [2])])
        let error = #expect(throws: RenderError.self) {
            try PictureRenderer().render(file.bytes, size: ThumbnailSize(width: 60, height: 40))
        }
        let text = error.map { "\($0)" } ?? ""
        #expect(text.hasPrefix("not supported: HEIC: not supported by this libheif"), "\(text)")
    }
}
