import JSON
import TestSupport
import Testing

extension PageTests {
    @Suite("The demo shows a varied library")
    struct DemoPictures {
        @Test(
            "the demo for people has 24 kinds of pictures in three shapes, of many places and years, without test bars",
            .inEveryBrowser)
        func library() async throws {
            let demo = try await LookaheadProcess(
                ["demo", "--items", "100000", "--latency", "0", "--bandwidth", "1000"], isForPeople: true)
            defer { demo.stop() }
            try await withBrowser { browser in
                try await browser.open(demo.address + "?layout=justified")
                try await browser.until(
                    "probe.visible().length > 10 && pageProbe.isReady() && probe.visible().every(probe.hasPicture)",
                    "pictures")
                let seen = try await browser.wait("return await pageProbe.library();")
                #expect(seen["striped"] == 0 && (seen["kinds"]?.integer ?? 0) == 24, "\(seen)")
                #expect(seen["portrait"] == true && seen["landscape"] == true && seen["panorama"] == true, "\(seen)")
                #expect((seen["places"]?.integer ?? 0) > 10 && (seen["years"]?.integer ?? 0) >= 5, "\(seen)")
            }
        }
    }
}
