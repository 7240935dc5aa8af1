import Media
import Numbers
import Store
import Testing

@Suite("Thumbnail records")
struct ThumbnailRecordTests {
    private let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: 7, count: 300)
    private let webP: [UInt8] = Array("RIFF1234WEBPVP8 ".utf8)
    private let hash: [UInt8] = [1, 2, 3, 4, 5, 6, 7]

    private var thumbnails: [Thumbnail] {
        [
            Thumbnail(
                width: 320, height: 200, mediaType: "image/jpeg", bytes: jpeg, thumbHash: hash, sourceWidth: 6_000,
                sourceHeight: 4_000, small: jpeg, isDamaged: true,
                version: SourceVersion(
                    validators: Validators(etag: "W/\"ä\"", lastModified: "Mon, 01 Jan 2024 00:00:00 GMT"),
                    confirmed: 1_700_000_000.25, lifetime: 1.5)),
            Thumbnail(
                width: 1, height: 1, mediaType: "image/webp", bytes: webP, thumbHash: hash, sourceWidth: 1,
                sourceHeight: 1, version: SourceVersion(validators: Validators(), confirmed: 5)),
            Thumbnail(
                width: 9, height: 9, mediaType: "image/jpeg", bytes: jpeg, thumbHash: hash, sourceWidth: 9,
                sourceHeight: 9),
        ]
    }

    @Test("a thumbnail survives encoding")
    func roundTrip() {
        for thumbnail in thumbnails { #expect(ThumbnailRecord.decode(ThumbnailRecord.encode(thumbnail)) == thumbnail) }
    }

    @Test("a record starts with its confirmation time")
    func time() {
        let bytes = ThumbnailRecord.encode(thumbnails[0])
        let bits = bytes.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        #expect(Double(bitPattern: bits) == 1_700_000_000.25)
    }

    @Test("any flipped bit, truncation or extension invalidates a record")
    func damage() {
        let bytes = ThumbnailRecord.encode(thumbnails[0])
        for place in bytes.indices {
            var damaged = bytes
            damaged[place] ^= 1 << (place % 8)
            #expect(ThumbnailRecord.decode(damaged) == nil, "byte \(place)")
        }
        for count in 0..<bytes.count { #expect(ThumbnailRecord.decode(Array(bytes.prefix(count))) == nil) }
        #expect(ThumbnailRecord.decode(bytes + [0]) == nil)
    }

    @Test("noise, text, pictures and invalid thumbnails are not records")
    func foreign() {
        var random = SeededRandom(seed: 3)
        for count in [0, 1, 8, 9, 50, 5_000] {
            let noise = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            #expect(ThumbnailRecord.decode(noise) == nil)
        }
        #expect(ThumbnailRecord.decode(jpeg) == nil)
        for change: (inout Thumbnail) -> Void in [
            { $0.bytes = Array("<svg>".utf8) }, { $0.bytes = [] }, { $0.small = [1] }, { $0.width = 0 },
            { $0.sourceHeight = -1 }, { $0.mediaType = "image/webp" }, { $0.thumbHash = [1] },
            { $0.version?.confirmed = -.infinity }, { $0.version?.lifetime = .nan }, { $0.version?.lifetime = -1 },
        ] {
            var thumbnail = thumbnails[0]
            change(&thumbnail)
            #expect(ThumbnailRecord.decode(ThumbnailRecord.encode(thumbnail)) == nil)
        }
    }
}
