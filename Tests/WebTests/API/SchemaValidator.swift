import JSON

/// Checks values against JSON Schema 2020-12, as far as the API's description uses it; a keyword it does not know is an
/// error, and so is a member that the schema does not name.
struct SchemaValidator {
    let root: JSON

    private static let annotations: Set<String> = [
        "description", "examples", "example", "default", "format", "contentEncoding", "discriminator", "title",
    ]

    /// Errors of a value, each with its place.
    func problems(_ value: JSON, _ schema: JSON, at place: String = "") -> [String] {
        guard let members = schema.object?.members else { return ["\(place): the schema is no object"] }
        var problems: [String] = []
        func check(_ holds: Bool, _ what: @autoclosure () -> String) {
            if !holds { problems.append("\(place): \(what())") }
        }
        for member in members {
            let rule = member.value
            switch member.name {
            case "$ref": problems += self.problems(value, resolve(rule.string ?? ""), at: place)
            case "type":
                let types = rule.array?.compactMap(\.string) ?? [rule.string ?? ""]
                check(types.contains { Self.isOf($0, value) }, "is not \(types)")
            case "const": check(value == rule, "is not \(rule)")
            case "enum": check(rule.array?.contains(value) == true, "\(value) is not one of \(rule)")
            case "minimum":
                if let number = value.number { check(number >= rule.number ?? .nan, "\(number) is too small") }
            case "maximum":
                if let number = value.number { check(number <= rule.number ?? .nan, "\(number) is too large") }
            case "maxLength":
                if let text = value.string { check(text.unicodeScalars.count <= rule.integer ?? 0, "is too long") }
            case "pattern":
                if let text = value.string, let pattern = rule.string {
                    check((try? Regex(pattern)).map { text.contains($0) } == true, "does not match \(pattern)")
                }
            case "minItems":
                if let array = value.array { check(array.count >= rule.integer ?? 0, "has too few items") }
            case "maxItems":
                if let array = value.array { check(array.count <= rule.integer ?? 0, "has too many items") }
            case "items":
                for (index, element) in (value.array ?? []).enumerated() {
                    problems += self.problems(element, rule, at: "\(place)/\(index)")
                }
            case "required":
                for name in rule.array?.compactMap(\.string) ?? [] where value.object != nil {
                    check(value[name] != nil, "\(name) is missing")
                }
            case "properties":
                for member in value.object?.members ?? [] {
                    guard let schema = rule[member.name] else {
                        check(false, "\(member.name) is not documented")
                        continue
                    }
                    problems += self.problems(member.value, schema, at: "\(place)/\(member.name)")
                }
            case "additionalProperties":
                if rule == true { continue }
                for member in value.object?.members ?? [] {
                    problems += self.problems(member.value, rule, at: "\(place)/\(member.name)")
                }
            case "anyOf":
                let results = (rule.array ?? []).map { self.problems(value, $0, at: place) }
                check(results.contains { $0.isEmpty }, "fits none of \(results.count): \(results)")
            case "oneOf":
                let results = (rule.array ?? []).map { self.problems(value, $0, at: place) }
                let fitting = results.count { $0.isEmpty }
                check(fitting == 1, "fits \(fitting) of \(results.count): \(results)")
            default: check(Self.annotations.contains(member.name), "the keyword \(member.name) is not known")
            }
        }
        return problems
    }

    /// The target of a `$ref` of the document.
    func resolve(_ reference: String) -> JSON {
        var value = root
        for name in reference.dropFirst(2).split(separator: "/") { value = value[String(name)] ?? .null }
        return value
    }

    /// A value itself, or what it refers to.
    func resolved(_ value: JSON) -> JSON { value["$ref"]?.string.map(resolve) ?? value }

    private static func isOf(_ type: String, _ value: JSON) -> Bool {
        switch value {
        case .null: type == "null"
        case .bool: type == "boolean"
        case .number: type == "number" || type == "integer" && value.integer != nil
        case .string: type == "string"
        case .array: type == "array"
        case .object: type == "object"
        }
    }
}
