import Cluster
import Numbers
import Testing

@Suite("Shared galleries in Redis")
struct GalleryChunkTests {
    @Test("a chunk decodes to its lines and is much smaller", arguments: [0, 1, 4_096])
    func chunk(lines count: Int) throws {
        let lines = (0..<count).flatMap { Array("{\"url\":\"https://example.com/pictures/\($0).jpg\"}\n".utf8) }
        let bytes = try #require(GalleryChunk.encode(lines))
        #expect(GalleryChunk.decode(bytes) == lines)
        if count > 1_000 { #expect(bytes.count < lines.count / 6) }
    }

    @Test("an oversized chunk is neither encoded nor decoded")
    func bounds() {
        #expect(GalleryChunk.encode([UInt8](repeating: 32, count: GalleryChunk.maxBytes + 1)) == nil)
        let bomb = Array("LKC1".utf8) + [0xFF, 0xFF, 0xFF, 0xFF, 1, 2, 3]
        #expect(GalleryChunk.decode(bomb) == nil)
    }

    @Test("a damaged chunk is refused or decodes unchanged", arguments: 0..<200 as Range<UInt64>)
    func hostile(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let lines = Array(String(repeating: "{\"url\":\"https://example.com/1.jpg\"}\n", count: 50).utf8)
        var bytes = try #require(GalleryChunk.encode(lines))
        if seed.isMultiple(of: 2) {
            bytes.removeLast(Int.random(in: 1...bytes.count, using: &random))
        } else {
            bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= UInt8.random(in: 1...255, using: &random)
        }
        let read = GalleryChunk.decode(bytes)
        #expect(read == nil || read == lines)
    }

    @Test("a gallery record survives encoding", arguments: ["Holidays", "", "two\nlines", "ä 🏔"], [nil, "10.0.0.1"])
    func record(title: String, network: String?) {
        let record = GalleryRecord(title: title, itemCount: 9_000, chunks: 3, network: network)
        #expect(GalleryRecord(record.bytes) == record)
    }

    @Test(
        "an invalid gallery record is refused",
        arguments: ["", "removed", "LKG1 1 1", "LKG1 -1 1\n\n", "LKG1 2 1\n\nt", "LKG2 1 1\n\nt", "LKG1 x 1\n\nt"])
    func noRecord(text: String) { #expect(GalleryRecord(Array(text.utf8)) == nil) }

    @Test("only ids in the servers' format are accepted")
    func ids() {
        #expect(SharedGalleries.isID("0123456789abcdef"))
        for id in ["", "demo", "0123456789ABCDEF", "0123456789abcde/", "0123456789abcdef0"] {
            #expect(!SharedGalleries.isID(id))
        }
    }
}
