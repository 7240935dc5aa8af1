import JSON
import TestSupport
import Testing

@Suite("Comparing with and without prefetching", .serialized, .timeLimit(.minutes(2)))
struct ComparisonTests {
    @Test("a scroll is compared with and without prefetching in the simulator; without one there is nothing to compare")
    func comparison() async throws {
        let api = try await APIFixture()
        let session = try api.session(height: 200)
        let path = "sessions/\(try APIFixture.id(session))/comparison"
        #expect(try api.call("GET", path).status == 422)
        for seq in 1...9 { try api.post(session, seq: seq, scrollTop: Double(seq) * 60) }
        let comparison = try api.call("GET", path).json
        #expect(comparison["duration"] == 800)
        let (with, without) = (comparison["with"]?["blankShare"]?.number, comparison["without"]?["blankShare"]?.number)
        #expect((with ?? 1) <= (without ?? 0), "\(comparison)")
        #expect(comparison["network"]?["latency"]?.number != nil)
    }
}
