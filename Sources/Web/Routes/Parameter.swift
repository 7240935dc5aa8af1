import Catalog
import Gallery
import JSON
import MicroHTTP

/// A parameter of a route, in its path, its query or its header.
struct Parameter: Sendable {
    enum Place: String { case path, query, header }

    let name: String
    let place: Place
    let description: String
    let schema: Schema
    /// JSON text, or `nil` if the schema has examples.
    var example: String?
    /// Whether a wrong value gets 422.
    var isChecked = true
    var isRequired = false

    static func query(_ name: String, _ description: String, _ schema: Schema, example: String? = nil) -> Parameter {
        Parameter(name: name, place: .query, description: description, schema: schema, example: example)
    }

    private static func path(_ name: String, _ description: String, _ schema: Schema = .string(), example: String)
        -> Parameter
    {
        Parameter(
            name: name, place: .path, description: description, schema: schema, example: example, isChecked: false,
            isRequired: true)
    }

    static func header(_ name: String, _ description: String, example: String) -> Parameter {
        Parameter(
            name: name, place: .header, description: description, schema: .string(), example: example,
            isChecked: false)
    }
}

extension Parameter {
    /// Parameters of paths, by their names in patterns.
    static let ofPaths: [String: Parameter] = Dictionary(
        uniqueKeysWithValues: [
            path("g", "Id of a gallery.", example: #""pictures""#),
            path("s", "Id of a session.", example: #""9f86d081884c7d659a2feaa0c55ad015""#),
            path(
                "f", "Id for following a session: the last part of its follow path.",
                example: #""60303ae22b998861bce3b28f33eec1be""#),
            path("i", "Index of an item.", .integer(min: 0), example: "3"),
            path("d", "Id of a download.", example: #""00000000000000000000000000000000""#),
            path("file", "A path; may contain slashes.", example: #""js/main.js""#),
        ].map { ($0.name, $0) })

    static let itemID = query(
        "id",
        """
        Id of the picture. The index is then a hint, and may be out of range: if the item there is another picture, the \
        nearest item with the id is used. 404 if the gallery has none.
        """, .itemID)
    static let version = query(
        "v", "Version of the picture, so that a browser caches each version under its own address.", .version)
    static let ifNoneMatch = header("If-None-Match", "ETag of the client's copy.", example: #""\"5d41402a-1024\"""#)
    static let range = header(
        "Range", "One range of bytes. Several, other units and a request with If-Range get the whole file.",
        example: #""bytes=0-499""#)
}

/// An integer in a query: its description, and its value in a request.
struct IntegerParameter: Sendable {
    let name: String
    let description: String
    let range: ClosedRange<Int>
    /// Value if the query does not contain the parameter. `nil` if it depends on the request.
    var defaultValue: Int?
    let example: Int

    var parameter: Parameter {
        .query(name, description, .integer(in: range, default: defaultValue), example: String(example))
    }

    /// - Throws: 422 if the text is not an integer in the range.
    func value(_ request: Request) throws(Problem) -> Int { try given(request) ?? defaultValue ?? range.lowerBound }

    /// Returns the value in the query, or `nil` if there is none.
    func given(_ request: Request) throws(Problem) -> Int? {
        guard let text = request.query(name) else { return nil }
        guard let value = Int(text), range.contains(value) else {
            throw Problem(
                422, "The query's \(name) must be an integer from \(range.lowerBound) to \(range.upperBound).",
                field: "/\(name)")
        }
        return value
    }
}

/// A number in a query.
struct NumberParameter: Sendable {
    private let name: String
    private let range: ClosedRange<Double>
    private let standard: Double

    init(_ name: String, in range: ClosedRange<Double>, default standard: Double) {
        self.name = name
        self.range = range
        self.standard = standard
    }

    var schema: Schema { .number(in: range, default: standard) }

    /// - Throws: 422 if the text is not a number in the range.
    func value(_ request: Request) throws(Problem) -> Double {
        guard let text = request.query(name) else { return standard }
        guard let value = Double(text), range.contains(value) else {
            throw Problem(
                422, "The query's \(name) must be a number from \(range.lowerBound) to \(range.upperBound).",
                field: "/\(name)")
        }
        return value
    }
}
