import JSON
import TestSupport
import Testing

extension PageTests {
    @Suite("Placeholders")
    struct PlaceholderTests {
        @Test(
            "every cell shows a blur while its picture is pending, on the first screen and after a jump",
            .whereEnginesDiffer
        )
        func jump() async throws {
            try await withPage(items: 100_000, latency: 60_000, arguments: ["--jitter", "0"]) { browser, _ in
                let isBlurred = "probe.visible().length > 10 && probe.visible().every(probe.isBlurred)"
                try await browser.until(isBlurred, "blurs of the first screen")
                #expect(try await browser.run("return probe.visible().some(probe.hasPicture);") == false)
                for part in [0.5, 0.9, 0.2, 1] {
                    let first = try await browser.run("return probe.items()[0];")
                    try await browser.run("probe.scroller.scrollTop = \(part) * probe.scroller.scrollHeight;")
                    try await browser.until(
                        "probe.items()[0] !== \(first.integer ?? -1) && \(isBlurred)", "blurs where the jump led")
                }
            }
        }

        @Test("a blur resembles its own picture more than another picture", .whereEnginesDiffer)
        func likeness() async throws {
            try await withWarmPage(path: "?item=300") { browser in
                try await browser.until("probe.filled()", "pictures")
                let found = try await browser.wait("return await gridProbe.blurDistances();")
                let pairs = (found.array ?? []).compactMap { $0.array?.compactMap(\.number) }
                try #require(pairs.count > 20 && pairs.allSatisfy { $0.count == 2 })
                let own = pairs.reduce(0) { $0 + $1[0] } / Double(pairs.count)
                let other = pairs.reduce(0) { $0 + $1[1] } / Double(pairs.count)
                #expect(own * 2 < other, "to its own picture \(own) of 255, to another's \(other)")
            }
        }

        @Test("every cell of a folder shows a blur or a picture after jumps and during a drag", .inEveryBrowser)
        func folder() async throws {
            let folder = try TemporaryFolder()
            for number in 0..<600 {
                try folder.write(
                    "pictures/\(number).jpg", Picture.jpeg(60, 40, red: UInt8(number % 256), green: UInt8(number / 3)))
            }
            let server = try await LookaheadProcess(["serve", "\(folder.path)/pictures"])
            defer { server.stop() }
            // The server makes placeholders without a request for a picture.
            try await eventually("the folder's placeholders") {
                let bytes = try await TestClient.exchange(
                    "GET", port: server.port, path: "/api/v1/galleries/pictures/placeholders?count=600"
                ).body
                return bytes.count == 15_000 && !stride(from: 0, to: 15_000, by: 25).contains { bytes[$0 + 3] & 7 == 0 }
            }
            try await withBrowser { browser in
                try await browser.open(server.address)
                try await browser.until("probe.visible().length > 10 && probe.grey() === 0", "a screen of blurs")
                try await browser.until("gridProbe.placeholderBlocks() >= 10", "all placeholders")
                let seen = try await browser.wait("return await gridProbe.jumpAndDrag();")
                #expect(seen["grey"] == 0 && (seen["cells"]?.integer ?? 0) > 200, "\(seen)")
            }
        }
    }
}
