import CImageCodecs
import Media
import Numbers
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct HostileTests {
    let box = ThumbnailSize(width: 96, height: 64)

    private static let kinds: [(String, [UInt8])] = {
        let picture = TestPicture.chirp(180, 121)
        let flat = TestPicture.quadrants(180, 121)
        return [
            ("JPEG", Encode.jpeg(picture)), ("progressive JPEG", Encode.jpeg(picture, progressive: true)),
            ("CMYK JPEG", RealPictures.cmykJPEG), ("PNG", Encode.png(picture)),
            ("interlaced PNG", RealPictures.deepPNG), ("WebP", Encode.webp(picture)),
            ("lossless WebP", Encode.webp(flat, lossless: true)), ("animated WebP", RealPictures.animatedWebP),
            ("GIF", Encode.gif(flat)), ("interlaced GIF", Encode.gif(flat, interlaced: true, localPalette: true)),
        ]
    }()

    private func outcome(_ renderer: Renderer, _ bytes: [UInt8]) async -> Result<Thumbnail, RenderError> {
        do {
            return .success(try await renderer.render(bytes, size: box))
        } catch {
            return .failure(error)
        }
    }

    /// Whether the worker itself survived the picture.
    private func isGraceful(_ outcome: Result<Thumbnail, RenderError>) -> Bool {
        switch outcome {
        case .success, .failure(.notAPicture), .failure(.unsupported), .failure(.overLimit), .failure(.truncated),
            .failure(.broken):
            true
        default: false
        }
    }

    @Test("a truncated picture is refused, or shown and marked as damaged")
    func truncated() async {
        let renderer = Renderer(WorkerConfiguration(executable: workerExecutable()))
        for (name, bytes) in Self.kinds {
            let whole = await outcome(renderer, bytes)
            for tenth in 0..<10 {
                let cut = await outcome(renderer, Array(bytes.prefix(bytes.count * tenth / 10)))
                #expect(isGraceful(cut), "\(name) at \(tenth) tenths: \(cut)")
                switch cut {
                case .failure(let error): #expect(!"\(error)".isEmpty)
                // A progressive JPEG can be complete without its later scans.
                case .success(let thumbnail) where !thumbnail.isDamaged:
                    #expect(name == "progressive JPEG", "\(name) at \(tenth) tenths")
                    #expect((try? whole.get()) == thumbnail, "\(name) at \(tenth) tenths")
                case .success(let thumbnail):
                    #expect((try? whole.get().width) == thumbnail.width, "\(name) at \(tenth) tenths")
                }
            }
        }
        await renderer.shutdown()
    }

    @Test("a JPEG without its end marker is whole, and one stopped on purpose is not damaged")
    func almostWhole() throws {
        let renderer = PictureRenderer()
        let bytes = Encode.jpeg(.chirp(180, 121))
        let whole = try renderer.render(bytes, size: box).decoded()
        let withoutEnd = try renderer.render(Array(bytes.dropLast(2)), size: box)
        #expect(!withoutEnd.isDamaged)
        let unended = withoutEnd.decoded()
        #expect(zip(whole.rgba, unended.rgba).allSatisfy { abs(Int($0) - Int($1)) < 24 })
        let half = Array(bytes.prefix(bytes.count / 2))
        #expect(try renderer.render(half, size: box).isDamaged)
        let partial = try renderer.render(half, size: box, options: RenderOptions(acceptsPartial: true))
        #expect(partial.height == 65 && !partial.isDamaged)
    }

    @Test("200 mutations of every format crash no worker")
    func mutated() async {
        let renderer = Renderer(WorkerConfiguration(executable: workerExecutable()))
        var random = SeededRandom(seed: 20_240_229)
        for (name, bytes) in Self.kinds {
            for round in 0..<200 {
                var mutant = bytes
                for _ in 0..<Int.random(in: 1...12, using: &random) {
                    let place = Int.random(in: 0..<mutant.count, using: &random)
                    switch Int.random(in: 0..<4, using: &random) {
                    case 0: mutant[place] = UInt8.random(in: 0...255, using: &random)
                    case 1: mutant[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                    case 2: mutant.removeSubrange(place..<min(mutant.count, place + 3))
                    default: mutant.insert([0, 255, 0x7F, 0x80][place % 4], at: place)
                    }
                    if mutant.isEmpty { mutant = [0] }
                }
                let result = await outcome(renderer, mutant)
                #expect(isGraceful(result), "\(name), mutation \(round): \(result)")
            }
        }
        await renderer.shutdown()
    }

    private static let huge: [(bytes: [UInt8], reason: String)] = {
        let jpeg = Encode.jpeg(.quadrants()), progressive = Encode.jpeg(.quadrants(), progressive: true)
        let gif = Array("GIF89a".utf8) + [0xFF, 0xFF, 0xFF, 0xFF, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]
        let vp8l = [0x2F] + Segments.littleEndian(16382 | 16382 << 14, 4)
        let webp =
            Array("RIFF".utf8) + Segments.littleEndian(26, 4) + Array("WEBPVP8L".utf8)
            + Segments.littleEndian(14, 4) + vp8l + [UInt8](repeating: 0, count: 9)
        let interlaced = Segments.emptyPNG(width: 5000, height: 5000, interlaced: true)
        return [
            (gif, "GIF of 65535 x 65535 pixels is over the limit of 16 megapixels"),
            (webp, "WebP of 16383 x 16383 pixels is over the limit of 40 megapixels"),
            (
                Segments.emptyPNG(width: 9000, height: 9000),
                "PNG of 9000 x 9000 pixels is over the limit of 64 megapixels"
            ),
            (interlaced, "interlaced PNG of 5000 x 5000 pixels is over the limit of 16 megapixels"),
            (resized(jpeg, 0xC0, 65_501, 10), "JPEG of 65501 x 10 pixels is over the limit of 65500 a side"),
            (
                resized(progressive, 0xC2, 12_000, 12_000),
                "progressive JPEG of 12000 x 12000 pixels is over the limit of 40 megapixels"
            ),
            (resized(jpeg, 0xC0, 20_000, 20_000), "JPEG of 20000 x 20000 pixels is over the limit of 256 megapixels"),
        ]
    }()

    @Test("pictures with huge sizes in their headers are refused with the limit")
    func bombs() {
        let renderer = PictureRenderer()
        for (bytes, reason) in Self.huge { #expect(renderer.refusal(bytes) == reason) }
        // A small screen with a huge frame.
        let frame: [UInt8] = [0x2C, 0, 0, 0, 0, 0xFF, 0x4F, 0xFF, 0x4F, 0, 2, 1, 0, 0, 0x3B]
        let small = Array("GIF89a".utf8) + [8, 0, 8, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255] + frame
        #expect(renderer.refusal(small).contains("over the limit"))
    }

    @Test("a JPEG with thousands of scans is refused")
    func scanBomb() async throws {
        let renderer = Renderer(WorkerConfiguration(executable: workerExecutable()))
        let jpeg = Encode.jpeg(.quadrants(512, 512), progressive: true)
        // Repeats the first scan with its tables. It never completes a frequency, so the picture needs more scans.
        let scans = jpeg.indices.dropLast().filter { jpeg[$0] == 0xFF && jpeg[$0 + 1] == 0xDA }
        let first = try #require(scans.first)
        let second = try #require(
            jpeg.indices.dropFirst(first + 2).first {
                jpeg[$0] == 0xFF && (jpeg[$0 + 1] == 0xC4 || jpeg[$0 + 1] == 0xDA)
            })
        let bomb =
            Array(jpeg[..<second]) + Array(repeating: Array(jpeg[first..<second]), count: 2000).joined() + [0xFF, 0xD9]
        await #expect(throws: RenderError.broken("JPEG: too many scans")) {
            try await renderer.render(bomb, size: ThumbnailSize(width: 500, height: 500))
        }
        await renderer.shutdown()
    }

    @Test("text and profile chunks that inflate to megabytes are skipped")
    func textBomb() async throws {
        let renderer = Renderer(WorkerConfiguration(executable: workerExecutable()))
        let text = Array("Comment".utf8) + [0, 0] + Segments.zlibStored([UInt8](repeating: 65, count: 4 << 20))
        var bytes = Encode.png(.quadrants(), alpha: false)
        for _ in 0..<4 { bytes = Segments.insert("zTXt", text, intoPNG: bytes) }
        let thumbnail = try await renderer.render(bytes, size: box)
        #expect(thumbnail.width == 96)
        let profile = Array("bomb".utf8) + [0, 0] + Segments.zlibStored([UInt8](repeating: 0, count: 8 << 20))
        let withProfile = Segments.insert("iCCP", profile, intoPNG: Encode.pngWithoutColorSpace(.quadrants()))
        #expect(try await renderer.render(withProfile, size: box).bytes == thumbnail.bytes)
        await renderer.shutdown()
    }

    /// A JPEG with another size in its frame header.
    private static func resized(_ jpeg: [UInt8], _ marker: UInt8, _ width: Int, _ height: Int) -> [UInt8] {
        var jpeg = jpeg
        guard let frame = jpeg.indices.dropLast(9).first(where: { jpeg[$0] == 0xFF && jpeg[$0 + 1] == marker }) else {
            return []
        }
        jpeg.replaceSubrange(
            frame + 5..<frame + 9,
            with: [UInt8(height >> 8), UInt8(height & 255), UInt8(width >> 8), UInt8(width & 255)])
        return jpeg
    }
}
