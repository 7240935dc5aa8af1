import Foundation
import JSON

/// The JSON API as a script uses it.
extension TestClient {
    /// One request on a connection of its own, waited for on a thread of its own: those of Swift concurrency stay free, and
    /// Dispatch has but few.
    /// - Parameters:
    ///   - path: all of it, from its slash on.
    ///   - patience: seconds the other side may stay silent.
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

    /// One call on this connection; an object is sent as JSON.
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

/// An event stream as a script reads it.
package final class EventReader {
    package struct Event {
        package var id: Int?
        /// The session that the id begins with, on a stream of several.
        package var session = ""
        package var name = ""
        package var data: JSON = .null
    }

    private let client: TestClient
    private var count = 0
    /// Events before a reader gives up: `stats` come for ever, and must not keep a test waiting for what never comes.
    package var patience = 500
    /// How long one wait lasts at most, since comments keep a stream alive on which nothing arrives.
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

    /// Whether the server ends the stream, whatever comes before.
    package func seesEnd() -> Bool { client.seesEnd() }

    /// The next event; comments and `retry` are passed over.
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
            if count > patience { throw TestClient.Failure(what: "\(count) events, and not what was waited for") }
            if !event.name.isEmpty { return event }
        }
        throw TestClient.Failure(what: "no event within \(Self.longestWait)")
    }

    /// The next event of this name; at most 60 `stats`, a minute, may pass by.
    package func next(_ name: String, where isMeant: (JSON) -> Bool = { _ in true }) throws -> Event {
        var seconds = 0
        while true {
            let event = try next()
            if event.name == name, isMeant(event.data) { return event }
            if event.name == "stats" { seconds += 1 }
            if seconds > 60 { throw TestClient.Failure(what: "a minute has passed without the \(name) waited for") }
        }
    }
}
