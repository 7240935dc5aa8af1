import Foundation
import JSON
import TestSupport
import Testing

/// Checks the OpenAPI document. `DocumentedResponsesTests` compares it with a server's responses.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct OpenAPITests {
    @Test("operation ids are unique, paths state their parameters, and every component is used")
    func document() throws {
        let description = try APIDescription()
        let validator = description.validator
        #expect(description.root["openapi"] == "3.1.0")
        let identifiers = description.operations.compactMap { $0.operation["operationId"]?.string }
        #expect(Set(identifiers).count == description.operations.count)
        for (method, path, operation) in description.operations {
            let names =
                ((operation["parameters"]?.array ?? []) + (description.root["paths"]?[path]?["parameters"]?.array ?? []))
                .map(validator.resolved).filter { $0["in"] == "path" }.compactMap { $0["name"]?.string }
            let needed = path.split(separator: "/").filter { $0.hasPrefix("{") }.map {
                String($0.dropFirst().dropLast())
            }
            #expect(names == needed, "\(method) \(path)")
        }
        var references: Set<String> = []
        Self.walk(description.root) { if let reference = $0["$ref"]?.string { references.insert(reference) } }
        for reference in references { #expect(validator.resolve(reference) != .null, "\(reference)") }
        for kind in description.root["components"]?.object?.members ?? [] where kind.name != "securitySchemes" {
            for part in kind.value.object?.members ?? []
            where !["TraceHeader", "TraceSample", "NewItem"].contains(part.name) {
                #expect(references.contains("#/components/\(kind.name)/\(part.name)"), "\(part.name) is not used")
            }
        }
    }

    @Test("every response, body, event and parameter has a valid example, and every field a description")
    func examples() throws {
        let description = try APIDescription()
        let validator = description.validator
        func check(_ place: String, _ holder: JSON, _ schema: JSON) {
            let examples =
                [holder["example"]].compactMap(\.self) + (validator.resolved(schema)["examples"]?.array ?? [])
            #expect(!examples.isEmpty, "\(place) has no example")
            for example in examples { #expect(validator.problems(example, schema) == [], "\(place)") }
        }
        for (method, path, operation) in description.operations {
            let place = "\(method) \(path)"
            let parts =
                [("what is sent", validator.resolved(operation["requestBody"] ?? .null))]
                + (operation["responses"]?.object?.members ?? []).map { ($0.name, validator.resolved($0.value)) }
            for (name, part) in parts {
                for media in part["content"]?.object?.members ?? [] where media.name.hasSuffix("json") {
                    check("\(place), \(name)", media.value, media.value["schema"] ?? .null)
                }
            }
            for event in operation["x-events"]?.object?.members ?? [] {
                check("\(place), event \(event.name)", event.value, event.value["schema"] ?? .null)
            }
            let own = description.root["paths"]?[path]?["parameters"]?.array ?? []
            for parameter in ((operation["parameters"]?.array ?? []) + own).map(validator.resolved) {
                check("\(place), \(parameter["name"] ?? .null)", parameter, parameter["schema"] ?? .null)
                #expect(parameter["description"]?.string?.isEmpty == false, "\(place)")
            }
        }
        for schema in description.root["components"]?["schemas"]?.object?.members ?? [] {
            Self.walk(schema.value) { part in
                guard part["type"] == "object" || part["oneOf"] != nil else { return }
                for field in part["properties"]?.object?.members ?? []
                where field.value["$ref"] == nil && field.value["const"] == nil {
                    #expect(field.value["description"]?.string?.isEmpty == false, "\(schema.name): \(field.name)")
                }
            }
        }
    }

    private static func walk(_ value: JSON, _ visit: (JSON) -> Void) {
        visit(value)
        for element in value.array ?? [] { walk(element, visit) }
        for member in value.object?.members ?? [] { walk(member.value, visit) }
    }

    @Test("the validator refuses values that do not match the schema")
    func validator() throws {
        let schema: JSON = [
            "type": "object", "required": ["a"],
            "properties": [
                "a": ["type": "integer", "minimum": 1, "maximum": 3],
                "b": ["oneOf": [["const": "x"], ["type": "number"]]],
                "c": ["type": "array", "items": ["enum": ["y"]], "minItems": 1, "maxItems": 1],
            ],
        ]
        let validator = SchemaValidator(root: schema)
        #expect(validator.problems(["a": 1, "b": 2.5, "c": ["y"]], schema) == [])
        let wrong: [JSON] = [
            [:], ["a": 0], ["a": 4], ["a": 1.5], ["a": 1, "b": "z"], ["a": 1, "c": ["x"]], ["a": 1, "c": ["y", "y"]],
            ["a": 1, "c": []], ["a": 1, "d": 1], [],
        ]
        for value in wrong { #expect(validator.problems(value, schema).count == 1, "\(value)") }
        #expect(validator.problems(1, ["multipleOf": 2]).count == 1)
    }
}
