import MicroHTTP
import Numbers
import Testing

@Suite struct HTTPDateTests {
    @Test("all three HTTP date formats are parsed, and the first is written")
    func forms() {
        let seconds = 784_111_777
        #expect(HTTPDate.text(seconds) == "Sun, 06 Nov 1994 08:49:37 GMT")
        for text in [
            "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
        ] {
            #expect(HTTPDate.seconds(text) == seconds, "\(text)")
        }
    }

    @Test(
        "malformed dates are rejected",
        arguments: [
            "", "0", "yesterday", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 CET",
            "Sun, 06 Nov 1994 08:49:37 GMT and more", "Sun, 06 Nom 1994 08:49:37 GMT", "Sun, 06 Nov 1994 25:49:37 GMT",
            "Sun, 32 Nov 1994 08:49:37 GMT", "Mon, 01 Dec 1969 00:00:00 GMT",
        ])
    func malformed(text: String) { #expect(HTTPDate.seconds(text) == nil) }

    @Test("a written date parses back to the same second")
    func roundTrip() {
        var random = SeededRandom(seed: 11)
        for _ in 0..<2_000 {
            let seconds = random.below(200_000_000_000)
            #expect(HTTPDate.seconds(HTTPDate.text(seconds)) == seconds)
        }
    }
}
