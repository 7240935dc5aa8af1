import Foundation
import JSON
import TestSupport
import Testing
import Web

/// The API's OpenAPI document. Compares responses and events with it, and records which of the documented ones occurred.
final class APIDescription {
    /// One documented response.
    struct Answer: Hashable, CustomStringConvertible {
        var method: String
        var path: String
        var status: Int
        var description: String { "\(method) \(path): \(status)" }
    }

    let validator: SchemaValidator
    private(set) var seen: Set<Answer> = []
    /// Names of events, by the path of their stream.
    private(set) var seenEvents: [String: Set<String>] = [:]

    init() throws {
        validator = SchemaValidator(root: try JSON.parse(GalleryServer.description))
    }

    var root: JSON { validator.root }

    static let methods = ["get", "post", "patch", "delete", "put"]

    /// Every documented method and path.
    var operations: [(method: String, path: String, operation: JSON)] {
        (root["paths"]?.object?.members ?? []).flatMap { path in
            (path.value.object?.members ?? []).filter { Self.methods.contains($0.name) }.map {
                ($0.name.uppercased(), path.name, $0.value)
            }
        }
    }

    func operation(_ method: String, _ path: String) -> JSON? { root["paths"]?[path]?[method.lowercased()] }

    /// Every documented response, without `default`.
    var documented: Set<Answer> {
        var answers: Set<Answer> = []
        for (method, path, operation) in operations {
            for response in operation["responses"]?.object?.members ?? [] {
                guard let status = Int(response.name) else { continue }
                answers.insert(Answer(method: method, path: path, status: status))
            }
        }
        return answers
    }

    /// Sends a request and compares its response with the document.
    ///
    /// - Parameters:
    ///   - path: as documented. `names` has the values of its parameters.
    @discardableResult
    func call(
        _ method: String, _ path: String, _ names: [String: String] = [:], query: String = "", port: UInt16,
        body: String? = nil, type: String = "application/json", headers: String = "", host: String = "127.0.0.1"
    ) throws -> TestClient.Answer {
        let client = try TestClient(port, seconds: 30)
        var target = path
        for (name, value) in names { target = target.replacingOccurrences(of: "{\(name)}", with: value) }
        let content = body.map { "Content-Type: \(type)\r\nContent-Length: \($0.utf8.count)\r\n" } ?? ""
        client.send("\(method) \(target)\(query) HTTP/1.1\r\nHost: \(host)\r\n\(headers)\(content)\r\n\(body ?? "")")
        var answer = try client.head()
        let isStream = answer.header("content-type") == "text/event-stream"
        if !isStream, ![204, 304].contains(answer.status), let length = answer.header("content-length") {
            answer.body = try client.read(count: Int(length) ?? 0)
        }
        check(answer, method, path)
        return answer
    }

    private func check(_ answer: TestClient.Answer, _ method: String, _ path: String) {
        let known = Answer(method: method, path: path, status: answer.status)
        let responses = operation(method, path)?["responses"]
        guard let response = responses?[String(answer.status)].map(validator.resolved) else {
            Issue.record("\(known) is not documented: \(answer.text.prefix(200))")
            return
        }
        seen.insert(known)
        let content = response["content"]
        let type = answer.header("content-type")?.components(separatedBy: ";").first
        guard let media = type.flatMap({ content?[$0] }) ?? content?["*/*"] else {
            #expect(content == nil && answer.body.isEmpty, "\(known) is \(type ?? "of no type")")
            return
        }
        for member in response["headers"]?.object?.members ?? [] where member.value["description"] != "For rows only." {
            #expect(answer.header(member.name) != nil, "\(known) lacks \(member.name)")
        }
        if type == "application/x-ndjson" { return checkTrace(answer) }
        guard type == "application/json" || type == "application/problem+json", let schema = media["schema"] else {
            return
        }
        #expect(validator.problems(answer.json, schema) == [], "\(known)")
    }

    private func checkTrace(_ answer: TestClient.Answer) {
        for (index, line) in answer.text.split(separator: "\n").enumerated() {
            let schema = validator.resolve("#/components/schemas/\(index == 0 ? "TraceHeader" : "TraceSample")")
            #expect(validator.problems((try? JSON.parse(String(line))) ?? .null, schema) == [], "\(line)")
        }
    }

    /// Compares the events of a stream with the document until each of `names` has occurred.
    func hear(
        _ names: Set<String>, _ events: EventReader, of path: String = "/api/v1/sessions/{s}/events"
    ) throws {
        var count = 0
        while !names.isSubset(of: seenEvents[path] ?? []) {
            check(try events.next(), of: path)
            count += 1
            try #require(count < 120, "\(names.subtracting(seenEvents[path] ?? [])) did not arrive")
        }
    }

    /// Compares an event with the document.
    private func check(_ event: EventReader.Event, of path: String) {
        let events = operation("GET", path)?["x-events"]
        guard let schema = events?[event.name]?["schema"] else {
            Issue.record("the event \(event.name) is not documented")
            return
        }
        seenEvents[path, default: []].insert(event.name)
        #expect(validator.problems(event.data, schema) == [], "\(event.name)")
    }
}
