// Mutates small pictures of every kind and reads, follows and renders what comes of them, with sanitizers on.
//
//     fuzz RUNS SEED [CONTAINER]
//
// Of one container alone (JPEG, TIFF, ISO boxes, PNG, WebP, GIF, BMP, XMP) or of all in turn. The same inputs for the same seed. Ends with status 0 when none crashed, hung or leaked; otherwise the number of the input is
// printed, and `fuzz` with that many runs and one more ends with it.
import CImageCodecs
import Foundation

@_silgen_name("__sanitizer_get_current_allocated_bytes") func allocatedBytes() -> Int
@_silgen_name("__sanitizer_set_death_callback") func setDeathCallback(_ callback: @convention(c) () -> Void)

func say(_ text: String) { FileHandle.standardError.write(Data("fuzz: \(text)".utf8)) }

func fail(_ reason: String) -> Never {
    say("\(reason)\n")
    exit(1)
}

let width = 67, height = 45
let pixels: [UInt8] = (0..<width * height).flatMap { place -> [UInt8] in
    let x = place % width, y = place / width
    return [UInt8((x * y) & 255), UInt8((x * 3) & 255), UInt8((y * 5) & 255), UInt8(128 + (x + y) & 127)]
}

func jpeg(_ sampling: TJSAMP, progressive: Bool) -> [UInt8] {
    let encoder = tjInitCompress()
    defer { tjDestroy(encoder) }
    var size: UInt = 0
    var output: UnsafeMutablePointer<UInt8>?
    defer { tjFree(output) }
    let format = sampling == TJSAMP_GRAY ? TJPF_GRAY : TJPF_RGBX
    let status = tjCompress2(
        encoder, pixels, Int32(width), Int32(width * (format == TJPF_GRAY ? 1 : 4)), Int32(height),
        Int32(format.rawValue), &output, &size, Int32(sampling.rawValue), 85, progressive ? TJFLAG_PROGRESSIVE : 0)
    guard status == 0, let output else { return [] }
    return [UInt8](UnsafeBufferPointer(start: output, count: Int(size)))
}

func png() -> [UInt8] {
    var image = png_image()
    image.version = UInt32(PNG_IMAGE_VERSION)
    (image.width, image.height) = (UInt32(width), UInt32(height))
    // PNG_FORMAT_RGBA, a macro that is not imported.
    image.format = 3
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    var count = bytes.count
    guard png_image_write_to_memory(&image, &bytes, &count, 0, pixels, Int32(width * 4), nil) != 0 else { return [] }
    return Array(bytes.prefix(count))
}

func webp(lossless: Bool) -> [UInt8] {
    var output: UnsafeMutablePointer<UInt8>?
    let count =
        lossless
        ? WebPEncodeLosslessRGBA(pixels, Int32(width), Int32(height), Int32(width * 4), &output)
        : WebPEncodeRGBA(pixels, Int32(width), Int32(height), Int32(width * 4), 75, &output)
    defer { WebPFree(output) }
    guard let output else { return [] }
    return [UInt8](UnsafeBufferPointer(start: output, count: count))
}

/// 16 x 16 pixels of four colours, by hand: there is no encoder at hand. A code that clears the table comes before every
/// two pixels, so that all codes have three bits.
func gif(interlaced: Bool) -> [UInt8] {
    var codes: [Int] = []
    for pixel in stride(from: 0, to: 16 * 16, by: 2) { codes += [4, pixel / 7 % 4, pixel / 16 % 4] }
    codes.append(5)
    var data: [UInt8] = []
    for (place, bit) in codes.flatMap({ code in (0..<3).map { code >> $0 & 1 } }).enumerated() {
        if place % 8 == 0 { data.append(0) }
        data[place / 8] |= UInt8(bit << (place % 8))
    }
    let palette: [UInt8] = [0, 0, 0, 255, 255, 255, 200, 0, 0, 0, 0, 200]
    let frame: [UInt8] = [0x2C, 0, 0, 0, 0, 16, 0, 16, 0, interlaced ? 0x40 : 0, 2]
    return Array("GIF89a".utf8) + [16, 0, 16, 0, 0x81, 0, 0] + palette + frame + [UInt8(data.count)] + data + [0, 0x3B]
}

/// 16 x 16 pixels of a palette with transparency, in Adam7's order, EXIF behind them: libpng's simplified interface writes
/// none such.
let interlaced: [UInt8] = [
    0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 0x0D, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 0x10, 0, 0, 0,
    0x10, 8, 3, 0, 0, 1, 0x5F, 0x2A, 0x3F, 0xC5, 0, 0, 0, 6, 0x50, 0x4C, 0x54, 0x45, 0xFF, 0, 0, 0, 0, 0xFF, 0x6C,
    0xA1, 0xFD, 0x8E, 0, 0, 0, 2, 0x74, 0x52, 0x4E, 0x53, 0xFF, 0x80, 8, 0x0F, 0xB3, 0x6A, 0, 0, 0, 0x30, 0x49, 0x44,
    0x41, 0x54, 0x78, 0xDA, 0x63, 0x60, 0, 3, 0x46, 0x46, 0x30, 2, 0x42, 8, 0xC1, 0xC0, 8, 0x85, 0xC8, 0x2C, 0x90,
    0x12, 0xA8, 0x4A, 0x30, 0xC6, 0x27, 0x82, 0x29, 0x45, 0xA2, 0x1A, 0x10, 0x83, 0x91, 0x11, 0x99, 0x46, 0x15, 0xC0,
    0x2F, 0xCB, 0x40, 0x1D, 0x33, 0, 0x46, 0x38, 0, 0x81, 0xB5, 0xF4, 0xDA, 0xCD, 0, 0, 0, 0x1A, 0x65, 0x58, 0x49,
    0x66, 0x49, 0x49, 0x2A, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0, 0xB7, 0x48, 0x11,
    0x29, 0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82,
]

/// A camera's file: EXIF in either byte order, with times, a camera, and a preview between bars.
func camera(bigEndian: Bool) -> [UInt8] {
    func number(_ value: Int, _ count: Int) -> [UInt8] {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        return bigEndian ? bytes.reversed() : bytes
    }
    func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: Int) -> [UInt8] {
        number(tag, 2) + number(type, 2) + number(count, 4)
            + (type == 3 ? number(value, 2) + [0, 0] : number(value, 4))
    }
    let preview = jpeg(TJSAMP_422, progressive: false)
    // Three directories, then the text, the time and the preview.
    let second = 8 + 2 + 3 * 12 + 4, exif = second + 2 + 2 * 12 + 4, texts = exif + 2 + 3 * 12 + 4
    let first = [entry(0x010F, 2, 8, texts), entry(0x0112, 3, 1, 6), entry(0x8769, 4, 1, exif)]
    let next = [entry(0x0201, 4, 1, texts + 28), entry(0x0202, 4, 1, preview.count)]
    let times = [entry(0x9003, 2, 20, texts + 8), entry(0x9011, 2, 20, texts + 8), entry(0x9291, 2, 2, 0x3235)]
    var tiff: [UInt8] = (bigEndian ? [0x4D, 0x4D] : [0x49, 0x49]) + number(42, 2) + number(8, 4)
    tiff += number(3, 2) + first.joined() + number(second, 4)
    tiff += number(2, 2) + next.joined() + number(0, 4)
    tiff += number(3, 2) + times.joined() + number(0, 4)
    tiff += Array("Painted\0".utf8) + Array("2019:07:12 14:03:22\0".utf8) + preview
    let length = tiff.count + 8
    let picture = jpeg(TJSAMP_420, progressive: false)
    return Array(picture.prefix(2)) + [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 255)] + Array("Exif\0\0".utf8)
        + tiff
        + picture.dropFirst(2)
}

/// Metadata that a program writes beside the picture and into it.
let xmp = Array(
    #"<x xmp:Rating="4" exif:DateTimeOriginal='2019-07-31T14:03:22.25+02:00'><dc:description><rdf:li>&#x4A;</rdf:li></dc:description></x>"#
        .utf8)

/// An exposure and a place.
let facts = TIFFFile(
    directories: [
        [
            0x010F: .text("Painted"), 0x0132: .text("2020:01:13 00:00:00"),
            0x8769: .directories([[0x829A: .rationals([(1, 250)]), 0x9003: .text("2019:07:31 14:03:22")]]),
            0x8825: .directories([
                [
                    1: .text("S"), 2: .rationals([(33, 1), (51, 1), (36, 1)]), 3: .text("E"),
                    4: .rationals([(151, 1), (12, 1), (0, 1)]), 7: .rationals([(12, 1), (3, 1), (43, 2)]),
                    0x1D: .text("2019:07:31"),
                ]
            ]),
        ]
    ]
).bytes

/// 16 x 16 pixels of 24 bits.
let bmp: [UInt8] =
    Array("BM".utf8) + [0x36, 3, 0, 0, 0, 0, 0, 0, 0x36, 0, 0, 0, 40, 0, 0, 0, 16, 0, 0, 0, 16, 0, 0, 0, 1, 0, 24, 0]
    + [UInt8](repeating: 0, count: 24) + (0..<768).map { UInt8(truncatingIfNeeded: $0 * 7) }

/// A RAW file of a preview, a directory below and a sensor's data that are not there.
let raw = TIFFFile(
    directories: [
        [
            0x112: .shorts([6]), 0x201: .data([jpeg(TJSAMP_420, progressive: false)]), 0x202: .longs([1200]),
            0xC612: .bytes([1, 4, 0, 0], type: 1),
            0x14A: .directories([
                [0x103: .shorts([7]), 0x111: .longs([0]), 0x117: .longs([500]), 0x106: .shorts([32803])]
            ]),
        ]
    ]
).bytes

let heif = [
    HEIFFile.heic(CodedPicture.HEVC.quadrants, 120, 80, [HEIFFile.rotation(1), HEIFFile.nclx(primaries: 12)])
        .with(thumbnail: CodedPicture.HEVC.tile, 64, 64),
    HEIFFile.grid(
        HEIFFile.item("hvc1", CodedPicture.HEVC.tile, 64, 64), columns: 2, rows: 2, width: 128, height: 128,
        brand: "heic"),
    HEIFFile.avif(CodedPicture.AV1.quadrants, 120, 80, [HEIFFile.rotation(3)]).with(alpha: CodedPicture.AV1.alpha),
    HEIFFile(
        brand: "heic",
        items: [
            HEIFFile.item("hvc1", CodedPicture.HEVC.tile, 64, 64),
            HEIFFile.Item(type: "Exif", data: [0, 0, 0, 0] + facts, properties: []),
        ]),
].map(\.bytes)

/// The header of a Live Photo's video, at the file's end as phones write it.
let movie: [UInt8] = {
    func number(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }
    func box(_ type: [UInt8], _ data: [UInt8]) -> [UInt8] { number(8 + data.count) + type + data }
    func box(_ type: String, _ data: [UInt8]) -> [UInt8] { box(Array(type.utf8), data) }
    let values = [
        ("com.apple.quicktime.creationdate", "2019-07-12T14:03:22+0200"),
        ("com.apple.quicktime.content.identifier", "0F6B2A5E-1C7D"),
    ]
    let items = values.enumerated().map { index, value in
        box(number(index + 1), box("data", number(1) + number(0) + Array(value.1.utf8)))
    }
    let metadata =
        box("hdlr", [UInt8](repeating: 0, count: 25))
        + box("keys", number(0) + number(values.count) + values.flatMap { box("mdta", Array($0.0.utf8)) })
        + box("ilst", Array(items.joined()))
    return box("ftyp", Array("qt  ".utf8)) + box("wide", []) + box("mdat", [1, 2, 3, 4])
        + box("moov", box("mvhd", number(0) + number(3_645_777_802) + number(0)) + box("meta", metadata))
}()

/// A motion photo of a phone whose notes name its Live Photo, too.
let moving: [UInt8] = {
    let note = Array("Apple iOS\0\0\u{1}MM".utf8) + [0, 1, 0, 0x11, 0, 2, 0, 0, 0, 14, 0, 0, 0, 32, 0, 0, 0, 0]
    let exif = TIFFFile(
        directories: [[0x8769: .directories([[0x927C: .bytes(note + Array("0F6B2A5E-1C7D\0".utf8))]])]]
    ).bytes
    func segment(_ data: [UInt8]) -> [UInt8] {
        [0xFF, 0xE1, UInt8((data.count + 2) >> 8), UInt8((data.count + 2) & 255)] + data
    }
    let packet = #"<x GCamera:MotionPhoto="1"><y Item:Length="\#(movie.count)"/></x>"#
    let picture = jpeg(TJSAMP_420, progressive: false)
    return Array(picture.prefix(2)) + segment(Array("Exif\0\0".utf8) + exif)
        + segment(Array("http://ns.adobe.com/xap/1.0/\0\(packet)".utf8)) + picture.dropFirst(2) + movie
}()

/// By the container whose reader they are for.
let containers: KeyValuePairs<String, [[UInt8]]> = [
    "JPEG": [
        jpeg(TJSAMP_420, progressive: false), jpeg(TJSAMP_444, progressive: false),
        jpeg(TJSAMP_GRAY, progressive: false), jpeg(TJSAMP_420, progressive: true),
        jpeg(TJSAMP_422, progressive: true), camera(bigEndian: false), camera(bigEndian: true), moving,
    ],
    "TIFF": [raw, TIFFFile(directories: [TIFFFile.picture(.quadrants(40, 30), rows: 7)]).bytes, RealTIFFs.lzw, facts],
    "ISO boxes": heif + [movie],
    "PNG": [png(), interlaced],
    "WebP": [
        webp(lossless: false), webp(lossless: true),
        webp(lossless: true) + Array("EXIF".utf8) + [UInt8(facts.count & 255), UInt8(facts.count >> 8), 0, 0] + facts,
    ],
    "GIF": [gif(interlaced: false), gif(interlaced: true)],
    "BMP": [bmp],
    "XMP": [xmp],
]
let chosen = CommandLine.arguments.count > 3 ? CommandLine.arguments[3] : nil
let seeds = containers.filter { chosen == nil || chosen == $0.key }.flatMap(\.value)
if seeds.isEmpty {
    fail("there is no container \(chosen ?? ""): one of \(containers.map(\.key).joined(separator: ", "))")
}
if seeds.contains(where: \.isEmpty) { fail("a seed cannot be made") }

func mutate(_ bytes: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<1 + random.below(8) {
        guard !bytes.isEmpty else { break }
        // Headers decide the most.
        let place = random.below(2) == 0 ? random.below(min(bytes.count, 200)) : random.below(bytes.count)
        switch random.below(6) {
        case 0: bytes[place] ^= 1 << UInt8(random.below(8))
        case 1: bytes[place] = [0, 1, 0x7F, 0x80, 0xD9, 0xFF][random.below(6)]
        case 2: bytes[place] = UInt8(truncatingIfNeeded: random.next())
        case 3: bytes.removeSubrange(place..<min(bytes.count, place + 1 + random.below(16)))
        case 4: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 1 + random.below(32))], at: place)
        default: bytes.removeLast(random.below(bytes.count / 4 + 1))
        }
    }
    return bytes
}

let runs = CommandLine.arguments.count > 1 ? Int(CommandLine.arguments[1]) ?? 5_000 : 5_000
let seed = CommandLine.arguments.count > 2 ? UInt64(CommandLine.arguments[2]) ?? 1 : 1

/// Reads the header of each input and the preview in it, follows its download in pieces, and renders it.
struct Target {
    let renderer: PictureRenderer
    private(set) var rendered = 0, damaged = 0
    var previews = 0
    private(set) var reasons: [String: Int] = [:]

    init() {
        var limits = RenderLimits()
        limits.maxPixels = 1_000_000
        renderer = PictureRenderer(limits: limits)
    }

    mutating func run(_ bytes: [UInt8], _ random: inout SeededRandom) {
        let size = ThumbnailSize(width: 8 << random.below(4), height: 8 << random.below(4))
        _ = try? PictureHeader(bytes)
        var sources = FactSources()
        sources.head = FileHead(FilePieces(bytes))
        sources.sidecar = XMPMetadata(bytes)
        if let header = QuickTimeHeader(FilePieces(bytes)) { sources.video = (header, .mov) }
        sources.path = String(decoding: bytes.prefix(40), as: UTF8.self)
        _ = sources.facts(latestYear: 2027) { _ in 0 }
        readHead(bytes, &random)
        var stop = ProgressiveStop(size: size)
        var place = 0
        while place < bytes.count, !stop.isEnough, !stop.needsAll {
            let next = min(bytes.count, place + 1 + random.below(400))
            stop.append(bytes[place..<next])
            place = next
        }
        do throws(RenderError) {
            let options = RenderOptions(smallSide: 8, acceptsPartial: random.below(2) == 0)
            if try renderer.render(bytes, size: size, options: options).isDamaged { damaged += 1 }
            rendered += 1
        } catch {
            // Without the numbers: of those there is no end.
            let reason = "\(error)".prefix { $0 != ":" }
            reasons[String(reason.map { $0.isNumber ? "#" : $0 }), default: 0] += 1
        }
    }
}

extension Target {
    /// As it is read from a file: the beginning, then pieces for the frame, then the preview.
    private mutating func readHead(_ bytes: [UInt8], _ random: inout SeededRandom) {
        let beginning = Array(bytes.prefix(1 + random.below(bytes.count + 1)))
        guard var head = JPEGHead(beginning) else { return }
        var pieces = 0
        while let next = head.nextPiece, pieces < JPEGHead.maximumPieces {
            let length = random.below(2) == 0 ? head.nextLength : 1 + random.below(300)
            head.read(Array(bytes.dropFirst(next).prefix(length)))
            pieces += 1
        }
        guard let place = head.preview else { return }
        var options = RenderOptions()
        options.preview =
            PreviewFrame(head)
            ?? PreviewFrame(width: 1 + random.below(4000), height: 1 + random.below(4000), orientation: .left)
        if (try? renderer.render(Array(bytes[place]), size: ThumbnailSize(width: 0, height: 0), options: options))
            != nil
        {
            previews += 1
        }
    }
}

nonisolated(unsafe) var current = 0
setDeathCallback { say("input \(current)\n") }
signal(SIGALRM) { _ in
    // Nothing else of this process runs any more: it may write.
    say("input \(current) hangs\n")
    _exit(1)
}
var target = Target()
var random = SeededRandom(seed: seed)
/// The heap half way: by then every buffer that is kept has been made.
var held = 0
for number in 0..<max(0, runs) {
    current = number
    if number == runs / 2 { held = allocatedBytes() }
    let bytes = mutate(seeds[number % seeds.count], &random)
    alarm(20)
    target.run(bytes, &random)
}
alarm(0)
let grown = allocatedBytes() - held
print(
    "\(runs) inputs: \(target.rendered) rendered, \(target.damaged) of them damaged, \(target.previews) previews, \(runs - target.rendered) refused; \(grown) bytes more at the end than half way"
)
for (reason, count) in target.reasons.sorted(by: { $0.value > $1.value }).prefix(8) { print("  \(count) \(reason)") }
// The profiles' transforms and the longest buffers may still grow a little; a leak grows with each input.
if grown > 1 << 20 { fail("\(grown) bytes have leaked") }
