import JSON
import TestSupport
import Testing

/// Hints in a viewport post about the viewer's next position.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct ViewportHintTests {
    @Test("a hint prefetches pictures at its position, does not scroll, and is in the trace")
    func ahead() async throws {
        let api = try await APIFixture()
        let session = try api.session(height: 180)
        let events = try api.events(session)
        let plan = try post(api, session, seq: 1, ["kind": "scrubber", "scrollTop": 540, "confidence": 1])
        #expect(plan.json["visible"] == ["from": 0, "to": 3])
        #expect(plan.json["scrollTop"] == 0)
        _ = try events.next("thumbnail") { $0["item"] == 8 }
        let trace = try api.call("GET", "sessions/\(APIFixture.id(session))/trace").text
        #expect(trace.contains(#""hint":{"kind":"scrubber","scrollTop":540,"confidence":1}"#))
    }

    @Test("posts with only a hint count towards the update rate")
    func limited() async throws {
        let api = try await APIFixture(["--max-updates", "5"])
        let session = try api.session()
        let statuses = try (1...40).map {
            try post(api, session, seq: $0, ["kind": "cell", "item": 1]).status
        }
        #expect(statuses.first == 200)
        #expect(statuses.contains(429))
    }

    private func post(_ api: APIFixture, _ session: JSON, seq: Int, _ hint: JSON) throws -> TestClient.Answer {
        let body: JSON = [
            "seq": .number(Double(seq)), "time": .number(Double(seq)), "scrollTop": 0, "phase": "idle", "hint": hint,
        ]
        return try api.call("POST", "sessions/\(APIFixture.id(session))/viewport", body)
    }
}
