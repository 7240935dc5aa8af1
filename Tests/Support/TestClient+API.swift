import Foundation
import JSON

/// Calls to the JSON API, as a script makes them.
extension TestClient {
    /// Sends one request on its own connection and waits on its own thread, because Swift concurrency and Dispatch have few
    /// threads.
    ///
    /// - Parameters:
    ///   - path: full path, beginning with a slash.
    ///   - patience: maximum silence of the server, in seconds.
    package static func exchange(
        _ method: String, port: UInt16, path: String, body: JSON? = nil, headers: String = "", patience: Int = 90
    ) async throws -> Answer {
        let bytes = body?.bytes ?? []
        var head = "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n\(headers)"
        if body != nil { head += "Content-Type: application/json\r\nContent-Length: \(bytes.count)\r\n" }
        let request = Array((head + "\r\n").utf8) + bytes
        return try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result {
                        let client = try TestClient(port, seconds: patience)
                        client.send(request)
                        return try client.answer(isHead: method == "HEAD")
                    })
            }
        }
    }

    /// Sends one API call on this connection. An object is sent as JSON.
    package func call(
        _ method: String, _ path: String, _ body: JSON? = nil, type: String = "application/json", headers: String = ""
    ) throws -> Answer {
        let bytes = body?.bytes ?? []
        var head = "\(method) /api/v1/\(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n\(headers)"
        if body != nil { head += "Content-Type: \(type)\r\nContent-Length: \(bytes.count)\r\n" }
        send(Array((head + "\r\n").utf8) + bytes)
        return try answer(isHead: method == "HEAD")
    }
}

extension TestClient.Answer {
    package var json: JSON { (try? JSON.parse(body)) ?? .null }
}

/// A reader of an event stream, as a script would use.
package final class EventReader {
    package struct Event {
        package var id: Int?
        /// The session at the beginning of the id, on a stream of several sessions.
        package var session = ""
        package var name = ""
        package var data: JSON = .null
    }

    private let client: TestClient
    private var count = 0
    /// Maximum number of events to read. `stats` events never end, so a test without this limit would wait forever.
    package var patience = 500
    /// Maximum duration of one wait. Comments keep a stream alive on which no events arrive.
    private static let longestWait = Duration.seconds(120)
    package let head: TestClient.Answer

    package init(
        _ port: UInt16, _ path: String, lastEventID: String? = nil, headers: String = "", receiveBuffer: Int32? = nil
    ) throws {
        client = try TestClient(port, receiveBuffer: receiveBuffer)
        client.send(
            "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n\(headers)"
                + (lastEventID.map { "Last-Event-ID: \($0)\r\n" } ?? "") + "\r\n")
        head = try client.head()
    }

    package func leave() { client.leave() }

    /// Returns whether the server ends the stream, and ignores all events before the end.
    package func seesEnd() -> Bool { client.seesEnd() }

    /// Returns the next event. Skips comments and `retry`.
    package func next() throws -> Event {
        let began = ContinuousClock.now
        while ContinuousClock.now - began < Self.longestWait {
            var event = Event()
            for line in try client.read(until: "\n\n").split(separator: "\n") {
                let parts = line.split(separator: ":", maxSplits: 1)
                guard parts.count == 2 else { continue }
                let value = parts[1].drop { $0 == " " }
                switch parts[0] {
                case "id":
                    let parts = value.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
                    event.id = Int(parts.last ?? "")
                    if parts.count == 2 { event.session = String(parts[0]) }
                case "event": event.name = String(value)
                case "data": event.data = try JSON.parse(String(value))
                default: break
                }
            }
            count += 1
            if count > patience { throw TestClient.Failure(what: "\(count) events without the expected one") }
            if !event.name.isEmpty { return event }
        }
        throw TestClient.Failure(what: "no event within \(Self.longestWait)")
    }

    /// Returns the next event with this name. Skips at most 60 `stats` events, which is a minute.
    package func next(_ name: String, where isMeant: (JSON) -> Bool = { _ in true }) throws -> Event {
        var seconds = 0
        while true {
            let event = try next()
            if event.name == name, isMeant(event.data) { return event }
            if event.name == "stats" { seconds += 1 }
            if seconds > 60 { throw TestClient.Failure(what: "no expected \(name) event within a minute") }
        }
    }
}
