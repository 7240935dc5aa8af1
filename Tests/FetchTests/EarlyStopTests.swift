import Fetch
import Foundation
import Media
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct EarlyStopTests {
    private static let progressive = Encode.jpeg(.chirp(800, 600), quality: 90, progressive: true)
    private static let size = ThumbnailSize(width: 100, height: 75)

    @Test("the download of a progressive picture stops after the scans that its thumbnail needs")
    func stops() async throws {
        let picture = Self.progressive
        try await withOrigin({ request, connection in
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 5000000\r\n\r\n")
            connection.send(Array(picture.prefix(picture.count * 3 / 4)))
            connection.waitForAbort()
            return false
        }) { origin, fetcher in
            var request = FetchRequest(url: origin.url("/"))
            request.isEnough = FetchRequest.stop(rendering: Self.size)
            let response = try await fetcher.fetch(request)
            #expect(response.stoppedEarly && response.status == 200)
            #expect(response.body.count < picture.count && picture.starts(with: response.body))
            try await origin.until { $0.aborted == 1 }
            #expect(fetcher.counts.stoppedEarly == 1 && fetcher.counts.wastedBytes == 0)
            // The same request again, to check that the rule starts over.
            let second = try await fetcher.fetch(request)
            #expect(second.stoppedEarly)
        }
    }

    @Test("the end of a body is downloaded if it is too short to be worth a new connection")
    func shortRest() async throws {
        let picture = Self.progressive
        try await withOrigin({ _, connection in connection.reply(body: picture) }) { origin, fetcher in
            var request = FetchRequest(url: origin.url("/"))
            request.isEnough = FetchRequest.stop(rendering: Self.size)
            for index in 0..<2 {
                let response = try await fetcher.fetch(request)
                #expect(!response.stoppedEarly && response.reusedConnection == (index > 0))
            }
        }
    }

    @Test("a custom rule stops a body and sees all bytes received so far")
    func rule() async throws {
        try await withOrigin { origin, fetcher in
            var request = FetchRequest(url: origin.url("/endless"))
            request.isEnough = { body, expected in expected == nil && body.count >= 100_000 }
            let response = try await fetcher.fetch(request)
            #expect(response.stoppedEarly && 100_000..<200_000 ~= response.body.count)
            #expect(response.body.allSatisfy { $0 == 7 })
            try await origin.until { $0.open == 0 }
        }
    }
}
