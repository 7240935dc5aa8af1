import Foundation
import JSON
import TestSupport
import Testing

/// Lists of a million items through the API.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct LongListTests {
    static let lines = 1_000_000
    static let line = #"{"url":"http://example.com/pictures/0000000.jpg","width":600,"height":400}"# + "\n"

    /// Sends `count` lines of a list of a million, a thousand at a time.
    static func send(_ count: Int, on client: TestClient, title: String) {
        client.send(
            "POST /api/v1/galleries?title=\(title) HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                + "Content-Type: application/x-ndjson\r\nContent-Length: \(lines * line.utf8.count)\r\n\r\n")
        var piece: [UInt8] = []
        for number in 0..<count {
            let digits = String(number)
            piece += Array(
                line.replacing(String(repeating: "0", count: digits.count) + ".jpg", with: digits + ".jpg").utf8)
            guard number % 1000 == 999 else { continue }
            client.send(piece)
            piece.removeAll(keepingCapacity: true)
        }
    }

    /// A process's peak memory in bytes.
    static func peak(of process: Int32) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
        return try #require(Int(line.filter(\.isNumber))) * 1024
    }

    @Test("a list of a million lines is uploaded in little memory, with progress, and can be paged")
    func million() async throws {
        let demo = try await LookaheadProcess(["demo", "--items", "1"])
        defer { demo.stop() }
        let news = try EventReader(demo.port, "/api/v1/events")
        #expect(try news.next("hello").data["galleries"]?.array?.count == 1)
        let before = try Self.peak(of: demo.child.processIdentifier)

        let client = try TestClient(demo.port, seconds: 60)
        Self.send(Self.lines, on: client, title: "Long")
        let answer = try client.answer()
        try #require(answer.status == 201, "\(answer.text)")
        let gallery = try #require(answer.json["id"]?.string)
        #expect(answer.json["itemCount"] == .number(Double(Self.lines)))
        #expect(answer.json["title"] == "Long")

        let bytes = Self.lines * Self.line.utf8.count
        let grown = try Self.peak(of: demo.child.processIdentifier) - before
        #expect(grown < 3 * bytes, "\(grown >> 20) MB for a list of \(bytes >> 20) MB")

        let receiving = try news.next("upload").data
        #expect(receiving["state"] == "receiving" && receiving["title"] == "Long")
        #expect(receiving["totalBytes"] == .number(Double(bytes)))
        let done = try news.next("upload") { $0["state"] == "done" }.data
        #expect(done["items"] == .number(Double(Self.lines)) && done["gallery"]?.string == gallery)
        #expect(try news.next("gallery").data["id"]?.string == gallery)

        for from in stride(from: 0, to: Self.lines, by: 50_000) {
            let page = try client.call("GET", "galleries/\(gallery)/items?from=\(from)&count=1000").json
            #expect(page["items"]?.array?.count == 1000)
            #expect(page["items"]?.array?.first?["item"] == .number(Double(from)))
        }
        for layout in [
            #"{"kind":"grid","itemWidth":200,"itemHeight":180}"#, #"{"kind":"justified","rowHeight":180}"#,
            #"{"kind":"masonry","columnWidth":200}"#,
        ] {
            let session = try client.call(
                "POST", "sessions",
                try JSON.parse(
                    #"{"gallery":"\#(gallery)","viewport":{"width":1200,"height":900},"layout":\#(layout)}"#)
            ).json
            let id = try #require(session["id"]?.string)
            for from in stride(from: 0, to: Self.lines, by: 100_000) {
                let frames = try client.call("GET", "sessions/\(id)/layout?from=\(from)&to=\(from + 5000)").json
                #expect(frames["frames"]?.array?.count == 20_000)
            }
            #expect(try client.call("GET", "sessions/\(id)/layout/index").body.count == 4 * (Self.lines / 1000 + 1))
        }
        #expect(try client.call("DELETE", "galleries/\(gallery)").status == 204)
        #expect(try news.next("removed").data["id"]?.string == gallery)
    }

    @Test("closing the connection cancels an upload and creates no gallery")
    func cancelled() async throws {
        let demo = try await LookaheadProcess(["demo", "--items", "1"])
        defer { demo.stop() }
        let news = try EventReader(demo.port, "/api/v1/events")
        #expect(try news.next().name == "hello")
        let client = try TestClient(demo.port, seconds: 60)
        Self.send(10_000, on: client, title: "Half")
        #expect(try news.next("upload").data["state"] == "receiving")
        client.leave()
        let end = try news.next("upload") { $0["state"] != "receiving" }.data
        #expect(end["state"] == "abandoned" && end["gallery"] == nil)
        #expect(end["reason"]?.string?.isEmpty == false)
        #expect(try get(demo.port, "/api/v1/galleries").json["galleries"]?.array?.count == 1)
    }

    @Test("an invalid list is refused with the wrong field, and listeners get the reason")
    func refused() async throws {
        let demo = try await LookaheadProcess(["demo", "--items", "1"])
        defer { demo.stop() }
        let news = try EventReader(demo.port, "/api/v1/events")
        #expect(try news.next().name == "hello")
        let list = #"{"items":[{"url":"http://example.com/1.jpg"},{"url":"ftp://example.com/2.jpg"}]}"#
        let answer = try TestClient(demo.port).post(
            "/api/v1/galleries", Array(list.utf8), headers: "Content-Type: application/json\r\n")
        #expect(answer.status == 422)
        #expect(answer.json["field"] == "/items/1/url")
        let end = try news.next("upload") { $0["state"] != "receiving" }.data
        #expect(end["state"] == "refused")
        #expect(end["reason"] == answer.json["detail"])
    }
}
