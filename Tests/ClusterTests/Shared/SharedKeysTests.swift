import Cluster
import Testing

@Suite("Shared keys")
struct SharedKeysTests {
    @Test("digests match FIPS 180-4")
    func sha256() {
        #expect(
            SharedKeys.digest("abc", bytes: 32) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(SharedKeys.digest("", bytes: 4) == "e3b0c442")
    }

    @Test("a key is versioned, hides the address and is one hash tag")
    func base() {
        let base = SharedKeys(agreement: "a").base(of: "1|image/jpeg|64x64|https://example.com/?secret=1")
        #expect(base.wholeMatch(of: /lk1:[0-9a-f]{8}:\{[0-9a-f]{32}\}/) != nil, "\(base)")
        #expect(ClaimScripts.keys(of: base).allSatisfy { $0.hasPrefix(base) })
    }

    @Test("nodes with different agreements use different keys")
    func agreement() {
        #expect(SharedKeys(agreement: "a").base(of: "k") != SharedKeys(agreement: "b").base(of: "k"))
        #expect(SharedKeys(agreement: "a").base(of: "k") != SharedKeys(agreement: "a").base(of: "l"))
        #expect(SharedKeys(agreement: "a").base(of: "k") == SharedKeys(agreement: "a").base(of: "k"))
    }

    @Test("a failure survives encoding, and invalid bytes are refused")
    func failures() {
        for failure in [
            SharedFailure(reason: "404 Not Found", isRetryable: true), SharedFailure(reason: "", isRetryable: false),
        ] { #expect(SharedFailure(failure.bytes) == failure) }
        let long = SharedFailure(reason: String(repeating: "ü", count: 1_000), isRetryable: true)
        #expect(SharedFailure(long.bytes)?.reason == String(repeating: "ü", count: 256))
        for bytes: [UInt8] in [
            [], Array("LKN1".utf8), Array("LKN1".utf8) + [2, 65], Array("LKN2".utf8) + [1, 65],
            Array("LKN1".utf8) + [1, 10, 10], Array("LKN1".utf8) + [1, 0xFF],
            Array("LKN1\u{1}".utf8) + [UInt8](repeating: 65, count: 600),
        ] { #expect(SharedFailure(bytes) == nil) }
    }
}
