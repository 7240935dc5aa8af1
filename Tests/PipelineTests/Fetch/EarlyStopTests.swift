import Foundation
import Pipeline
import Testing

@Suite(.timeLimit(.minutes(1))) struct EarlyStopTests {
    /// 16 x 16 pixels, ten scans, as ImageMagick writes them; and the same without progression.
    private static let progressive = bytes(
        """
        /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERXRTc4UG1RV19i\
        Z2hnPk1xeXBkeFxlZ2P/2wBDARESEhgVGC8aGi9jQjhCY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2Nj\
        Y2NjY2NjY2P/wgARCAAQABADASIAAhEBAxEB/8QAFgABAQEAAAAAAAAAAAAAAAAAAAMF/8QAFAEBAAAAAAAAAAAAAAAAAAAABP/a\
        AAwDAQACEAMQAAABz0Smf//EABUQAQEAAAAAAAAAAAAAAAAAAAAR/9oACAEBAAEFAqqq/8QAFREBAQAAAAAAAAAAAAAAAAAAABT/\
        2gAIAQMBAT8Bqf/EABURAQEAAAAAAAAAAAAAAAAAAAAU/9oACAECAQE/AZH/xAAUEAEAAAAAAAAAAAAAAAAAAAAg/9oACAEBAAY/\
        Ah//xAAUEAEAAAAAAAAAAAAAAAAAAAAg/9oACAEBAAE/IQH/2gAMAwEAAgADAAAAEMf/xAAVEQEBAAAAAAAAAAAAAAAAAAAAcf/a\
        AAgBAwEBPxCn/8QAFREBAQAAAAAAAAAAAAAAAAAAAHH/2gAIAQIBAT8Ql//EABQQAQAAAAAAAAAAAAAAAAAAACD/2gAIAQEAAT8Q\
        H//Z
        """)
    private static let sequential = bytes(
        """
        /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERXRTc4UG1RV19i\
        Z2hnPk1xeXBkeFxlZ2P/2wBDARESEhgVGC8aGi9jQjhCY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2Nj\
        Y2NjY2NjY2P/wAARCAAQABADASIAAhEBAxEB/8QAFgABAQEAAAAAAAAAAAAAAAAAAAQF/8QAFRABAQAAAAAAAAAAAAAAAAAAABP/\
        xAAUAQEAAAAAAAAAAAAAAAAAAAAF/8QAFhEAAwAAAAAAAAAAAAAAAAAAABVh/9oADAMBAAIRAxEAPwDAqVRVKlFEGWlP/9k=
        """)

    private static func bytes(_ text: String) -> [UInt8] { Data(base64Encoded: text).map(Array.init) ?? [] }

    @Test(
        "the scans of a real progressive picture are counted, by whatever pieces it comes",
        arguments: [1, 2, 7, 100, 9_999])
    func scans(piece: Int) {
        var jpeg = ProgressiveJPEG()
        for end in stride(from: piece, to: Self.progressive.count, by: piece) {
            jpeg.read(Array(Self.progressive[..<end]).span)
        }
        jpeg.read(Self.progressive.span)
        #expect(jpeg.kind == .progressive && jpeg.finishedScans == 10)
    }

    @Test("a scan counts as finished when the marker after it is there, not before")
    func finished() {
        var ends: [Int] = []
        var jpeg = ProgressiveJPEG()
        for end in 0...Self.progressive.count {
            jpeg.read(Array(Self.progressive[..<end]).span)
            if jpeg.finishedScans > ends.count { ends.append(end) }
        }
        #expect(ends.count == 10 && ends.last == Self.progressive.count)
        // The byte before is the marker's 0xff.
        #expect(ends.allSatisfy { Self.progressive[$0 - 2] == 0xff && Self.progressive[$0 - 1] != 0 })
    }

    @Test("what is no progressive JPEG is given up at once, and nothing of it breaks the reader")
    func others() {
        var jpeg = ProgressiveJPEG()
        jpeg.read(Self.sequential.span)
        #expect(jpeg.kind == .other)
        var png = ProgressiveJPEG()
        png.read([0x89, 0x50, 0x4e, 0x47].span)
        #expect(png.kind == .other)
        var random = SplitMix(state: 7)
        for _ in 0..<2_000 {
            var bytes = Self.progressive
            for _ in 0..<8 {
                bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
            }
            var jpeg = ProgressiveJPEG()
            for end in stride(from: 0, through: bytes.count, by: 50) { jpeg.read(Array(bytes[..<end]).span) }
            #expect(0...30 ~= jpeg.finishedScans)
        }
    }

    @Test("the download of a progressive picture stops after the scans that were asked for")
    func stops() async throws {
        // A tail of fill bytes stands for the later scans of a large picture.
        let picture = Self.progressive
        try await withOrigin({ request, connection in
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 5000000\r\n\r\n")
            connection.send(picture)
            connection.waitForAbort()
            return false
        }) { origin, fetcher in
            var request = FetchRequest(url: origin.url("/"))
            request.isEnough = FetchRequest.stop()
            let response = try await fetcher.fetch(request)
            #expect(response.stoppedEarly && response.status == 200)
            #expect(response.body == picture)
            await origin.until { $0.aborted == 1 }
            #expect(fetcher.counts.stoppedEarly == 1 && fetcher.counts.wastedBytes == 0)
            // The same request again: its rule begins anew.
            let second = try await fetcher.fetch(request)
            #expect(second.stoppedEarly)
        }
    }

    @Test("a rest too short to be worth a connection is downloaded")
    func shortRest() async throws {
        let picture = Self.progressive
        try await withOrigin({ _, connection in connection.reply(body: picture) }) { origin, fetcher in
            var request = FetchRequest(url: origin.url("/"))
            request.isEnough = FetchRequest.stop()
            for index in 0..<2 {
                let response = try await fetcher.fetch(request)
                #expect(!response.stoppedEarly && response.reusedConnection == (index > 0))
            }
        }
    }

    @Test("any rule may stop a body, and sees all of it so far")
    func rule() async throws {
        try await withOrigin { origin, fetcher in
            var request = FetchRequest(url: origin.url("/endless"))
            request.isEnough = { body, expected in expected == nil && body.count >= 100_000 }
            let response = try await fetcher.fetch(request)
            #expect(response.stoppedEarly && 100_000..<200_000 ~= response.body.count)
            #expect(response.body.allSatisfy { $0 == 7 })
            await origin.until { $0.open == 0 }
        }
    }
}

/// A small generator with a seed, so that a failure can be had again. Steele, Lea, Flood, "Fast Splittable Pseudorandom
/// Number Generators", 2014.
private struct SplitMix {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }
}
