import JSON
import TestSupport
import Testing
import Viewport

/// A client that posts a fast scroll and then stops.
@Suite("A client that stops", .timeLimit(.minutes(2)))
struct SilentClientTests {
    @Test("every visible picture is pushed after the last post, under every policy and phase")
    func visibleArrive() async throws {
        let demo = try await LookaheadProcess(["demo", "--items", "1000", "--latency", "0", "--bandwidth", "1000"])
        defer { demo.stop() }
        let phases = [nil] + ScrollPhase.allCases.map(\.rawValue)
        for phase in phases { try expectVisible(from: demo.port, policy: .lookahead, phase) }
        for policy in PolicyName.allCases where policy != .lookahead {
            for phase in [nil, "wheel"] { try expectVisible(from: demo.port, policy: policy, phase) }
        }
    }

    /// Posts three scrolls of one screen, 100 ms apart by the client's clock. Reads events until all visible pictures
    /// have arrived.
    private func expectVisible(from port: UInt16, policy: PolicyName, _ phase: String?) throws {
        let what = "policy \(policy), phase \(phase ?? "none")"
        func call(_ method: String, _ path: String, _ body: JSON? = nil) throws -> JSON {
            let answer = try TestClient(port).call(method, path, body)
            try #require((200..<300).contains(answer.status), "\(what): \(answer.text)")
            return method == "DELETE" ? [:] : answer.json
        }
        let session = try call(
            "POST", "sessions",
            ["gallery": "demo", "viewport": ["width": 800, "height": 600], "policy": .string(policy.rawValue)])
        let path = "sessions/\(try #require(session["id"]?.string))"
        let events = try EventReader(port, try #require(session["events"]?.string) + "?only=thumbnail")
        var plan = session
        for post in 1...3 {
            var body: JSONObject = [
                "seq": .number(Double(post)), "time": .number(Double(post) * 100),
                "scrollTop": .number(Double(post) * 600),
            ]
            if let phase { body["phase"] = .string(phase) }
            plan = try call("POST", "\(path)/viewport", .object(body))
        }
        let from = try #require(plan["visible"]?["from"]?.integer), to = try #require(plan["visible"]?["to"]?.integer)
        var missing = Set(from..<to)
        #expect(missing.count >= 8, "\(what)")
        while !missing.isEmpty {
            let event = try events.next("thumbnail")
            if event.data["tier"] == "full", let item = event.data["item"]?.integer { missing.remove(item) }
        }
        _ = try call("DELETE", path)
    }
}
