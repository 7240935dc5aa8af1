import CImageCodecs
import Glibc
import Media
import TestSupport
import Testing

/// HEIC and AVIF, which share a container and a worker.
@Suite(.timeLimit(.minutes(2)), .enabled(if: PictureKind.heic.isBuiltIn && PictureKind.avif.isBuiltIn))
struct HEIFTests {
    let renderer = PictureRenderer()
    let box = ThumbnailSize(width: 60, height: 40)
    static let colors = TestPicture.corners

    static let kinds: [NamedFile] = [
        NamedFile("HEIC", HEIFFile.heic(CodedPicture.HEVC.quadrants).bytes),
        NamedFile("HEIC of 10 bits", HEIFFile.heic(CodedPicture.HEVC.deep).bytes),
        NamedFile("HEIC of 4:4:4", HEIFFile.heic(CodedPicture.HEVC.full).bytes),
        NamedFile("AVIF", HEIFFile.avif(CodedPicture.AV1.quadrants).bytes),
        NamedFile("AVIF of 10 bits", HEIFFile.avif(CodedPicture.AV1.deep).bytes),
        NamedFile("AVIF in limited range", HEIFFile.avif(CodedPicture.AV1.limited, range: 0, matrix: 1).bytes),
        NamedFile("AVIF with two lists of properties", twoLists().bytes),
    ]

    /// An AVIF that Chromium shows and libavif refuses. It lists each item's properties in a separate box.
    private static func twoLists(_ properties: [[UInt8]] = []) -> HEIFFile {
        var file = HEIFFile.avif(CodedPicture.AV1.quadrants, 120, 80, properties)
        let orientation = [0, 0, 0, 0] + Segments.tiff(orientation: 6)
        file.items.append(.init(type: "Exif", data: orientation, properties: [HEIFFile.size(120, 80)]))
        file.references.append(("cdsc", 2, [1]))
        file.splitsAssociations = true
        return file
    }

    @Test("an AVIF with two property lists is turned once", arguments: 0..<4)
    func turnedTwoLists(quarters: Int) throws {
        var expected = Self.colors
        for _ in 0..<quarters { expected = [expected[1], expected[3], expected[0], expected[2]] }
        let file = Self.twoLists([HEIFFile.rotation(UInt8(quarters))])
        let thumbnail = try renderer.render(file.bytes, size: ThumbnailSize(width: 0, height: 0))
        #expect(thumbnail.width == (quarters % 2 == 0 ? 120 : 80))
        thumbnail.expectCorners(expected, "\(quarters)")
    }

    @Test("every depth, sampling, range and matrix is shown in its colours", arguments: kinds)
    func colors(file: NamedFile) throws {
        let thumbnail = try renderer.render(file.bytes, size: box)
        #expect(thumbnail.width == 60 && thumbnail.height == 40 && !thumbnail.isDamaged)
        #expect(thumbnail.sourceWidth == 120 && thumbnail.sourceHeight == 80)
        thumbnail.expectCorners(Self.colors, file.name)
    }

    @Test("a picture with only luma is grey")
    func grey() throws {
        let seen = try renderer.render(HEIFFile.avif(CodedPicture.AV1.grey).bytes, size: box).decoded()
        // Red's luma.
        #expect(seen.differs(15, 10, from: [87, 87, 87]) <= 10, "\(seen.pixel(15, 10))")
    }

    @Test("the tiles of a grid are put together")
    func grid() throws {
        let tiles = [
            ("heic", HEIFFile.item("hvc1", CodedPicture.HEVC.tile, 64, 64)),
            (
                "avif",
                HEIFFile.item(
                    "av01", CodedPicture.AV1.tile, 64, 64, [HEIFFile.nclx(primaries: 1)])
            ),
        ]
        for (brand, tile) in tiles {
            let file = HEIFFile.grid(tile, columns: 3, rows: 2, width: 190, height: 126, brand: brand)
            let thumbnail = try renderer.render(file.bytes, size: ThumbnailSize(width: 190, height: 126))
            #expect(thumbnail.width == 190 && thumbnail.height == 126)
            let seen = thumbnail.decoded()
            #expect(seen.differs(10, 10, from: TestPicture.red) <= 16, "\(brand) \(seen.pixel(10, 10))")
            #expect(seen.differs(64 + 48, 64 + 10, from: TestPicture.green) <= 16, "\(brand)")
            #expect(seen.differs(128 + 48, 64 + 48, from: TestPicture.yellow) <= 16, "\(brand)")
        }
    }

    @Test(
        "the container's rotation and mirroring apply once, and EXIF's orientation is ignored", arguments: 0..<4,
        [nil, 0, 1])
    func orientation(quarters: Int, mirror: Int?) throws {
        // Top left, top right, bottom left and bottom right, after each turn anticlockwise.
        var expected = Self.colors
        for _ in 0..<quarters { expected = [expected[1], expected[3], expected[0], expected[2]] }
        if mirror == 0 { expected = [expected[2], expected[3], expected[0], expected[1]] }
        if mirror == 1 { expected = [expected[1], expected[0], expected[3], expected[2]] }
        let turned = [HEIFFile.rotation(UInt8(quarters))] + (mirror.map { [HEIFFile.mirror(UInt8($0))] } ?? [])
        for var file in [
            HEIFFile.heic(CodedPicture.HEVC.quadrants, 120, 80, turned),
            HEIFFile.avif(CodedPicture.AV1.quadrants, 120, 80, turned),
        ] {
            file.items.append(
                .init(type: "Exif", data: [0, 0, 0, 0] + Segments.tiff(orientation: 6), properties: []))
            file.references.append(("cdsc", 2, [1]))
            let thumbnail = try renderer.render(file.bytes, size: ThumbnailSize(width: 0, height: 0))
            let size = quarters % 2 == 0 ? (120, 80) : (80, 120)
            #expect(thumbnail.width == size.0 && thumbnail.height == size.1, "\(file.brand)")
            #expect(thumbnail.sourceWidth == size.0 && thumbnail.sourceHeight == size.1, "\(file.brand)")
            thumbnail.expectCorners(expected, file.brand)
        }
    }

    @Test(
        "a picture in the corner of a larger frame is cropped, however it is turned", arguments: 0..<4,
        [nil, 0, 1])
    func padded(quarters: Int, mirror: Int?) throws {
        let turned = [HEIFFile.rotation(UInt8(quarters))] + (mirror.map { [HEIFFile.mirror(UInt8($0))] } ?? [])
        // Only the first of the four colours belongs to the picture. libheif mirrors no picture of more than 8 bits.
        for picture in [CodedPicture.HEVC.quadrants] + (mirror == nil ? [CodedPicture.HEVC.deep] : []) {
            let file = HEIFFile.heic(picture, 60, 40, turned)
            let thumbnail = try renderer.render(file.bytes, size: ThumbnailSize(width: 0, height: 0))
            let size = quarters % 2 == 0 ? (60, 40) : (40, 60)
            #expect(thumbnail.width == size.0 && thumbnail.height == size.1)
            thumbnail.expectCorners(Array(repeating: TestPicture.red, count: 4), "\(quarters), \(mirror ?? -1)")
        }
    }

    @Test("a thumbnail in the corner of a larger frame is cropped")
    func paddedThumbnail() throws {
        let file = HEIFFile.heic(CodedPicture.HEVC.quadrants, 1200, 800)
            .with(thumbnail: CodedPicture.HEVC.quadrants, 60, 40)
        let thumbnail = try renderer.render(file.bytes, size: ThumbnailSize(width: 30, height: 20))
        #expect(thumbnail.width == 30 && thumbnail.height == 20)
        thumbnail.expectCorners(Array(repeating: TestPicture.red, count: 4), "thumbnail")
    }

    @Test(
        "a thumbnail is used only if it is turned like its picture, in either order of its properties"
    )
    func turnedThumbnail() throws {
        let turn = HEIFFile.rotation(1)
        for isTurned in [true, false] {
            var file = HEIFFile.heic(CodedPicture.HEVC.quadrants, 120, 80, [turn])
                .with(thumbnail: CodedPicture.HEVC.quadrants, 60, 40)
            if isTurned { file.items[1].properties.append(turn) }
            for reverses in [false, true] {
                var file = file
                if reverses { for index in file.items.indices { file.items[index].properties.reverse() } }
                let thumbnail = try renderer.render(file.bytes, size: ThumbnailSize(width: 30, height: 45))
                #expect(thumbnail.width == 30 && thumbnail.height == 45)
                // The thumbnail shows only red. The picture shows all colours.
                let colors = isTurned ? [0, 0, 0, 0] : [1, 3, 0, 2]
                thumbnail.expectCorners(colors.map { Self.colors[$0] }, "\(isTurned), \(reverses)", tolerance: 40)
            }
        }
    }

    @Test("a picture reduced in the decoder keeps its colours", arguments: 2...5)
    func shrunk(times: Int) throws {
        for picture in [CodedPicture.HEVC.quadrants, CodedPicture.HEVC.deep] {
            let size = ThumbnailSize(width: 120 / times, height: 0)
            let thumbnail = try renderer.render(HEIFFile.heic(picture).bytes, size: size)
            #expect(thumbnail.width == 120 / times && thumbnail.sourceWidth == 120)
            thumbnail.expectCorners(Self.colors, "\(times)", tolerance: 32)
        }
    }

    @Test("transparent pixels stay transparent")
    func alpha() throws {
        for file in [
            HEIFFile.heic(CodedPicture.HEVC.quadrants).with(alpha: CodedPicture.HEVC.alpha),
            HEIFFile.avif(CodedPicture.AV1.quadrants).with(alpha: CodedPicture.AV1.alpha),
        ] {
            #expect(try PictureHeader(file.bytes).hasAlpha, "\(file.brand)")
            try renderer.expectHalfClear(file.bytes, file.brand)
        }
    }

    /// Display P3 values in sRGB by the published matrix, independent of lcms2.
    private func sRGB(fromP3 color: [UInt8]) -> [UInt8] {
        let linear = color.prefix(3).map { value -> Double in
            let value = Double(value) / 255
            return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
        let matrix = [[1.2249, -0.2247, 0], [-0.0420, 1.0419, 0], [-0.0197, -0.0786, 1.0979]]
        return matrix.map { row in
            let value = max(0, min(1, zip(row, linear).reduce(0) { $0 + $1.0 * $1.1 }))
            return UInt8(((value <= 0.0031308 ? 12.92 * value : 1.055 * pow(value, 1 / 2.4) - 0.055) * 255).rounded())
        }
    }

    @Test("Display P3 is converted to sRGB, declared by number or by profile")
    func displayP3() throws {
        let curve = cmsBuildParametricToneCurve(nil, 4, [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045])
        let bytes = try ICCProfile.rgb(red: (0.68, 0.32), green: (0.265, 0.69), curve: curve)
        let expected = Self.colors.map(sRGB(fromP3:))
        #expect(zip(expected, Self.colors).contains { abs(Int($0[0]) - Int($1[0])) > 10 }, "the conversion must show")
        for property in [HEIFFile.nclx(primaries: 12), HEIFFile.profile(bytes)] {
            var avif = HEIFFile.avif(CodedPicture.AV1.quadrants)
            avif.items[0].properties[2] = property
            let heic = HEIFFile.heic(CodedPicture.HEVC.quadrants, 120, 80, [property])
            for file in [avif, heic] {
                let seen = try renderer.render(file.bytes, size: box)
                seen.expectCorners(expected, file.brand, tolerance: 18)
            }
        }
    }

    @Test("the file's thumbnail is shown if it is large enough")
    func thumbnail() throws {
        let tile = HEIFFile.item("hvc1", CodedPicture.HEVC.tile, 64, 64)
        let file = HEIFFile.grid(tile, columns: 2, rows: 2, width: 128, height: 128, brand: "heic")
            .with(thumbnail: CodedPicture.HEVC.tile, 64, 64)
        // The grid shows the tile four times, the thumbnail once.
        let small = try renderer.render(file.bytes, size: ThumbnailSize(width: 48, height: 48))
        #expect(small.width == 48 && small.sourceWidth == 128)
        small.expectCorners(Self.colors, "thumbnail")
        let large = try renderer.render(file.bytes, size: ThumbnailSize(width: 100, height: 100)).decoded()
        #expect(large.differs(62, 12, from: TestPicture.red) <= 16, "\(large.pixel(62, 12))")
        // The preview is shown at its own size for any request. A file without a thumbnail has no preview.
        let previews = PreviewRenderer(limits: RenderLimits())
        let frame = PreviewFrame(width: 128, height: 128, orientation: .up)
        let preview = try previews.render(file.bytes, of: frame, quality: 75)
        #expect(preview.width == 64 && preview.sourceWidth == 128)
        preview.expectCorners(Self.colors, "preview")
        for other in [HEIFFile.heic(CodedPicture.HEVC.quadrants), HEIFFile.avif(CodedPicture.AV1.quadrants)] {
            #expect(throws: RenderError.self) { try previews.render(other.bytes, of: frame, quality: 75) }
        }
    }

    @Test("a truncated file is shown as far as it goes and marked as damaged", arguments: [0.1, 0.5, 0.9, 0.99])
    func truncated(share: Double) throws {
        for file in [HEIFFile.heic(CodedPicture.HEVC.noisy), HEIFFile.avif(CodedPicture.AV1.noisy)] {
            let bytes = file.bytes, data = file.items[0].data.count
            let cut = Array(bytes.dropLast(Int(Double(data) * (1 - share))))
            let thumbnail = try renderer.render(cut, size: box)
            #expect(thumbnail.isDamaged && thumbnail.width == 60 && thumbnail.height == 40, "\(file.brand)")
            let seen = thumbnail.decoded()
            // A tenth is less than the first block of 64 x 64.
            if share > 0.1 {
                #expect(seen.differs(8, 4, from: TestPicture.red) <= 50, "\(file.brand): \(seen.pixel(8, 4))")
            }
            #expect(try !renderer.render(bytes, size: box).isDamaged)
        }
    }

    @Test(
        "a file that states far more bytes than it has is refused and can be retried",
        arguments: [(1_000, 32_000), (2 << 20, 17 << 20)])
    func missing(present: Int, missing: Int) throws {
        for var file in [HEIFFile.heic(CodedPicture.HEVC.noisy), HEIFFile.avif(CodedPicture.AV1.noisy)] {
            file.items[0].data += [UInt8](repeating: 0, count: present + missing - file.items[0].data.count)
            let bytes = Array(file.bytes.dropLast(missing))
            let reason = "states \(missing) more bytes than the \(bytes.count) that are there"
            let error = #expect(throws: RenderError.self) { try renderer.render(bytes, size: box) }
            #expect(error.map { "\($0)" }?.hasSuffix(reason) == true && error?.retryable == true)
        }
    }

    @Test("a file without pixel data is refused and can be retried")
    func nothing() throws {
        for file in [HEIFFile.heic(CodedPicture.HEVC.noisy), HEIFFile.avif(CodedPicture.AV1.noisy)] {
            let bytes = file.bytes, data = file.items[0].data.count
            renderer.expectIncomplete(bytes, cutAt: [14, 40, 200, bytes.count - data], file.brand)
        }
    }

    @Test("an oversized picture is refused before it is decoded")
    func oversized() {
        #expect(
            renderer.refusal(HEIFFile.heic(CodedPicture.HEVC.quadrants, 20_000, 15_000).bytes)
                == "HEIC of 20000 x 15000 pixels is over the limit of 256 megapixels")
        #expect(
            renderer.refusal(HEIFFile.avif(CodedPicture.AV1.quadrants, 15_000, 10_000).bytes)
                == "AVIF of 15000 x 10000 pixels is over the limit of 64 megapixels")
        #expect(
            renderer.refusal(HEIFFile.avif(CodedPicture.AV1.quadrants, 65_537, 10).bytes)
                == "AVIF of 65537 x 10 pixels is over the limit of 65536 a side")
        let small = HEIFFile.heic(CodedPicture.HEVC.quadrants, 16_000, 15_000).bytes
        #expect(
            renderer.refusal(small)
                == "HEIC of 16000 x 15000 pixels in \(small.count) bytes: too few bytes for this size")
    }

    @Test("a worker decodes HEIC, AVIF and JPEG with one thread and ends after its idle time")
    func worker() async throws {
        let renderer = try await Renderer.sandboxed()
        for file in Self.kinds {
            try await renderer.render(file.bytes, size: box).expectCorners(Self.colors, file.name)
        }
        _ = try await renderer.render(Encode.jpeg(.quadrants()), size: box)
        try await renderer.expectOneThread()

        var configuration = WorkerConfiguration(executable: workerExecutable(), workers: 1)
        configuration.idleTime = 0.01
        let brief = Renderer(configuration)
        for _ in 0..<2 {
            _ = try await brief.render(Self.kinds[0].bytes, size: box)
            try await eventually("the end of the idle worker") { brief.pool.processes.isEmpty }
        }
        await brief.shutdown()
    }
}

/// Formats that a build may lack.
@Suite struct FormatsLeftOutTests {
    private static let files: [(PictureKind, [UInt8])] = [
        (.heic, HEIFFile.heic(CodedPicture.HEVC.quadrants).bytes),
        (.avif, HEIFFile.avif(CodedPicture.AV1.quadrants).bytes),
        (.tiff, [0x49, 0x49, 0x2A, 0, 8, 0, 0, 0]),
        (.jxl, JXLPicture.lossy),
        (.video, [0, 0, 0, 20] + Array("ftypqt  \0\0\0\0qt  ".utf8)),
    ]

    @Test("every format is recognized by its first bytes, and refused if this build lacks it")
    func leftOut() throws {
        for (kind, bytes) in Self.files {
            #expect(try PictureKind(bytes) == kind)
            if kind.isBuiltIn { continue }
            #expect(throws: RenderError.unsupported("\(kind.rawValue) in this build of Lookahead")) {
                try PictureRenderer().render(bytes, size: ThumbnailSize(width: 8, height: 8))
            }
        }
    }
}
