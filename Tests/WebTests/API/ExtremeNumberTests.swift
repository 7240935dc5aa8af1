import JSON
import TestSupport
import Testing
import Viewport

/// Numbers that fit no `Int` and no `Duration`, in every numeric field.
@Suite("Extreme numbers in requests", .timeLimit(.minutes(2)))
struct ExtremeNumberTests {
    private static let numbers = [
        -1e300, -9_223_372_036_854_775_808, -2e12, -1, -0.0, 0.5, 2e12, 0x1p53, 0x1p63, 1e300,
    ]
    private static let values = numbers.map(JSON.number) + ["NaN", "Infinity", "1e400"]

    private func object(_ field: String, _ value: JSON) -> JSON {
        var object = JSONObject()
        object[field] = value
        return .object(object)
    }

    @Test(
        "a viewport update is accepted or refused with 422 under every policy and phase", arguments: PolicyName.allCases
    )
    func viewport(_ policy: PolicyName) async throws {
        let fixture = try await APIFixture()
        for phase in [nil] + ScrollPhase.allCases.map(\.rawValue) {
            let session = try fixture.session(["policy": .string(policy.rawValue)])
            let path = "sessions/\(try APIFixture.id(session))/viewport"
            var seq = 0.0
            func post(_ change: (inout JSONObject) -> Void) throws {
                seq += 1
                var body: JSONObject = [
                    "seq": .number(seq), "time": .number(seq * 100), "scrollTop": .number(seq * 10),
                ]
                if let phase { body["phase"] = .string(phase) }
                change(&body)
                let answer = try fixture.call("POST", path, .object(body))
                #expect([200, 422].contains(answer.status), "\(JSON.object(body)): \(answer.text)")
            }
            for value in Self.values {
                for field in ["seq", "scrollTop", "width", "height", "time"] { try post { $0[field] = value } }
                for field in ["scrollTop", "item", "confidence"] {
                    var hint: JSONObject = ["kind": "scrubber", "item": 1]
                    hint[field] = value
                    try post { $0["hint"] = .object(hint) }
                }
                try post { $0["missing"] = [value] }
                try post {
                    $0["time"] = value
                    $0["hint"] = ["kind": "scrubber", "item": 1]
                }
            }
            #expect(try fixture.call("DELETE", "sessions/\(try APIFixture.id(session))").status == 204)
        }
        #expect(try fixture.call("GET", "galleries").status == 200)
    }

    @Test("session requests and scrolls are accepted or refused with 4xx")
    func sessions() async throws {
        let fixture = try await APIFixture()
        let session = try fixture.session()
        let path = "sessions/\(try APIFixture.id(session))"
        func isAnswered(_ method: String, _ path: String, _ body: JSON) throws {
            let answer = try fixture.call(method, path, body)
            #expect(
                (200..<300).contains(answer.status) || [409, 412, 422].contains(answer.status),
                "\(body): \(answer.text)")
            if answer.status == 201, let id = answer.json["id"]?.string { try fixture.call("DELETE", "sessions/\(id)") }
        }
        for value in Self.values {
            for field in ["width", "height", "pixelRatio"] {
                var viewport: JSONObject = ["width": 600, "height": 400]
                viewport[field] = value
                try isAnswered("POST", "sessions", ["gallery": "pictures", "viewport": .object(viewport)])
                try isAnswered("PATCH", path, ["viewport": object(field, value)])
            }
            for field in ["itemWidth", "itemHeight", "rowHeight", "gap", "padding", "columns"] {
                var layout: JSONObject = ["kind": "grid"]
                layout[field] = value
                try isAnswered("PATCH", path, ["layout": .object(layout)])
            }
            for field in ["item", "scrollTop"] {
                try isAnswered("POST", "\(path)/scroll", object(field, value))
                try isAnswered(
                    "POST", "sessions",
                    ["gallery": "pictures", "viewport": ["width": 600, "height": 400], "start": object(field, value)])
            }
            try isAnswered("PATCH", path, ["viewing": value])
        }
        #expect(try fixture.call("GET", path).status == 200)
    }

    @Test("queries, paths, ranges and list sizes are accepted or refused with 4xx")
    func requests() async throws {
        let fixture = try await APIFixture()
        let items = "galleries/pictures/items"
        for number in Self.numbers.map({ "\($0)" }) + ["-0", "99999999999999999999", "9223372036854775807", "NaN", ""] {
            for path in [
                "\(items)?from=\(number)", "\(items)?from=1&count=\(number)", "\(items)/\(number)",
                "\(items)/\(number)/video",
                "\(items)/1/thumbnail?width=\(number)", "\(items)/1/thumbnail?width=64&height=\(number)",
                "\(items)/1/image?width=\(number)", "galleries/pictures/placeholders?from=\(number)&count=\(number)",
                "galleries/pictures?revision=\(number)", "galleries/pictures/places?from=\(number)&revision=\(number)",
            ] {
                let status = try fixture.call("GET", path).status
                #expect((200..<300).contains(status) || (400..<500).contains(status), "\(path): \(status)")
            }
        }
        for value in Self.values {
            let range = JSON.object(["from": value, "to": value])
            for (method, path, body) in [
                ("POST", "galleries/pictures/archive", ["ranges": [range]] as JSON),
                ("POST", "galleries/pictures/downloads", ["items": [value]]),
                (
                    "POST", "galleries",
                    ["items": [["url": "http://127.0.0.1:1/a.png", "width": value, "height": value]]]
                ),
            ] {
                let status = try fixture.call(method, path, body).status
                #expect((200..<300).contains(status) || (400..<500).contains(status), "\(path) \(body): \(status)")
            }
        }
        #expect(try fixture.call("GET", "galleries").status == 200)
    }
}
