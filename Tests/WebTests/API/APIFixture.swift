import JSON
import TestSupport
import Testing

/// A server of a folder of real pictures, with the calls that most tests make.
final class APIFixture: ServedGalleries {
    static let pictures = 12

    let folder: TemporaryFolder
    let server: LookaheadProcess
    let gallery: String

    /// Writes twelve pictures, `a/1` to `a/8` and `b/9` to `b/12`. The last one is broken.
    ///
    /// - Parameter hidesSizes: whether a picture's size is known only after it is decoded.
    init(_ arguments: [String] = [], hidesSizes: Bool = false) async throws {
        folder = try TemporaryFolder()
        for number in 1..<Self.pictures {
            let shape = number % 2 == 0 ? (300, 200) : (200, 300)
            let picture = Picture.jpeg(shape.0, shape.1, red: UInt8(number * 20))
            try folder.write(
                "pictures/\(number < 9 ? "a" : "b")/\(number).jpg",
                hidesSizes ? Picture.hidingItsSize(picture) : picture)
        }
        try folder.write("pictures/b/12.jpg", Array("<html>not a picture</html>".utf8))
        server = try await LookaheadProcess(["serve", "\(folder.path)/pictures"] + arguments)
        gallery = "pictures"
    }

    /// Writes the given files instead of the twelve pictures.
    init(files: [String: [UInt8]], _ arguments: [String] = [], environment: [String: String] = [:]) async throws {
        folder = try TemporaryFolder()
        for (name, bytes) in files { try folder.write("pictures/\(name)", bytes) }
        server = try await LookaheadProcess(["serve", "\(folder.path)/pictures"] + arguments, environment: environment)
        gallery = "pictures"
    }

    deinit { server.stop() }

    var port: UInt16 { server.port }

    static func id(_ session: JSON) throws -> String { try #require(session["id"]?.string) }
}

/// A server of galleries, with the calls that most tests make.
protocol ServedGalleries {
    var port: UInt16 { get }
    /// Id of the gallery that sessions open.
    var gallery: String { get }
}

extension ServedGalleries {
    @discardableResult
    func call(_ method: String, _ path: String, _ body: JSON? = nil) throws -> TestClient.Answer {
        try TestClient(port).call(method, path, body)
    }

    /// Opens a session whose viewport shows rows of three 200 x 180 cells.
    func session(height: Double = 360, _ more: [String: JSON] = [:]) throws -> JSON {
        var body: JSONObject = [
            "gallery": .string(gallery), "viewport": ["width": 600, "height": .number(height)],
            "layout": ["kind": "grid", "itemWidth": 200, "itemHeight": 180],
        ]
        for (name, value) in more { body[name] = value }
        let answer = try call("POST", "sessions", .object(body))
        try #require(answer.status == 201, "\(answer.text)")
        return answer.json
    }

    func events(_ session: JSON, lastEventID: Int? = nil) throws -> EventReader {
        try EventReader(port, try #require(session["events"]?.string), lastEventID: lastEventID.map(String.init))
    }
}

extension APIFixture {
    /// Creates an arrangement of the pictures and returns its id.
    func arranged(_ more: JSONObject = [:]) throws -> String {
        var body: JSONObject = ["of": "pictures"]
        for member in more.members { body[member.name] = member.value }
        let made = try call("POST", "galleries", .object(body))
        return try #require(made.json["id"]?.string, "\(made.text)")
    }

    @discardableResult
    func post(_ session: JSON, seq: Int, scrollTop: Double, missing: [Int] = []) throws -> TestClient.Answer {
        var body: JSONObject = [
            "seq": .number(Double(seq)), "time": .number(Double(seq) * 100), "scrollTop": .number(scrollTop),
            "phase": "wheel",
        ]
        if !missing.isEmpty { body["missing"] = .array(missing.map { .number(Double($0)) }) }
        return try call("POST", "sessions/\(Self.id(session))/viewport", .object(body))
    }
}
