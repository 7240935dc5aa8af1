import JSON

/// A JSON Schema (draft 2020-12, as in OpenAPI 3.1) of a value that the API reads or writes.
///
/// Named schemas are the components of the OpenAPI document. Others refer to them.
struct Schema: Sendable {
    private(set) var members: JSONObject
    /// The named schemas that this one refers to, directly or through others.
    private(set) var components: [Component] = []

    struct Component: Sendable {
        let name: String
        let members: JSONObject
    }

    private init(_ type: String?, _ description: String? = nil) {
        members = JSONObject()
        if let type { members["type"] = .string(type) }
        if let description { members["description"] = .string(description) }
    }

    private mutating func set(_ name: String, _ text: String?) { if let text { members[name] = .string(text) } }
    private mutating func set(_ name: String, _ number: Int?) { set(name, number.map { Double($0) }) }
    private mutating func set(_ name: String, _ number: Double?) { if let number { members[name] = .number(number) } }

    private func with(_ name: String, _ value: JSON) -> Schema {
        var schema = self
        schema.members[name] = value
        return schema
    }

    private func using(_ others: [Schema]) -> Schema {
        var schema = self
        schema.components += others.flatMap(\.components)
        return schema
    }
}

// Values.
extension Schema {
    static func string(
        _ description: String? = nil, minLength: Int? = nil, maxLength: Int? = nil, pattern: String? = nil,
        format: String? = nil, encoding: String? = nil, values: [String]? = nil, default: String? = nil
    ) -> Schema {
        var schema = Schema("string", description)
        schema.set("minLength", minLength)
        schema.set("maxLength", maxLength)
        schema.set("pattern", pattern)
        schema.set("format", format)
        schema.set("contentEncoding", encoding)
        if let values { schema.members["enum"] = .array(values.map { .string($0) }) }
        schema.set("default", `default`)
        return schema
    }

    static func integer(
        _ description: String? = nil, in range: ClosedRange<Int>? = nil, min: Int? = nil, default: Int? = nil
    ) -> Schema {
        var schema = Schema("integer", description)
        schema.set("minimum", range?.lowerBound ?? min)
        schema.set("maximum", range?.upperBound)
        schema.set("default", `default`)
        return schema
    }

    static func number(
        _ description: String? = nil, in range: ClosedRange<Double>? = nil, min: Double? = nil, above: Double? = nil,
        default: Double? = nil
    ) -> Schema {
        var schema = Schema("number", description)
        schema.set("minimum", range?.lowerBound ?? min)
        schema.set("maximum", range?.upperBound)
        schema.set("exclusiveMinimum", above)
        schema.set("default", `default`)
        return schema
    }

    static func boolean(_ description: String? = nil, default: Bool? = nil) -> Schema {
        var schema = Schema("boolean", description)
        if let value = `default` { schema.members["default"] = .bool(value) }
        return schema
    }

    static func array(
        _ description: String? = nil, of element: Schema, count: ClosedRange<Int>? = nil, max: Int? = nil
    ) -> Schema {
        var schema = Schema("array", description)
        schema.members["items"] = .object(element.members)
        schema.set("minItems", count?.lowerBound)
        schema.set("maxItems", count?.upperBound ?? max)
        return schema.using([element])
    }

    /// An object whose members all have the same schema.
    static func map(_ description: String? = nil, of value: Schema) -> Schema {
        Schema("object", description).with("additionalProperties", .object(value.members)).using([value])
    }

    /// An object. Unknown members are allowed.
    static func object(_ description: String? = nil, fields: [Field]) -> Schema {
        var schema = Schema("object", description)
        let required = fields.filter(\.isRequired).map { JSON.string($0.name) }
        if !required.isEmpty { schema.members["required"] = .array(required) }
        var properties = JSONObject()
        for field in fields { properties[field.name] = .object(field.schema.members) }
        schema.members["properties"] = .object(properties)
        return schema.using(fields.map(\.schema))
    }

    static var anyObject: Schema { Schema("object").with("additionalProperties", true) }

    static func constant(_ value: JSON) -> Schema { Schema(nil).with("const", value) }

    static func values(_ values: [String]) -> Schema { Schema(nil).with("enum", .array(values.map { .string($0) })) }

    static func oneOf(_ schemas: [Schema]) -> Schema {
        Schema(nil).with("oneOf", .array(schemas.map { .object($0.members) })).using(schemas)
    }

    static func anyOf(_ schemas: [Schema]) -> Schema {
        Schema(nil).with("anyOf", .array(schemas.map { .object($0.members) })).using(schemas)
    }
}

// Changes of a schema.
extension Schema {
    /// The schema or `null`.
    var orNull: Schema {
        guard let type = members["type"] else { return self }
        return with("type", .array([type, "null"]))
    }

    func described(_ description: String) -> Schema { with("description", .string(description)) }

    /// An object that has at least one of these members.
    func requiringAny(_ names: String...) -> Schema {
        with("anyOf", .array(names.map { .object(["required": .array([.string($0)])]) }))
    }

    /// A choice in which a member's constant value decides.
    func discriminated(by member: String) -> Schema {
        let mapping = components.filter { $0.members["properties"]?[member] != nil }.map { component in
            (component.members["properties"]?[member]?["const"]?.string ?? "", Self.reference(component.name))
        }
        var object = JSONObject()
        for (value, reference) in mapping { object[value] = reference }
        return with("discriminator", .object(["propertyName": .string(member), "mapping": .object(object)]))
    }

    /// - Parameter texts: JSON texts of valid values.
    func examples(_ texts: String...) -> Schema { examples(texts) }

    private func examples(_ texts: [String]) -> Schema { with("examples", .array(texts.map { .example($0) })) }

    /// Makes the schema a component of the document. The result refers to the component.
    static func named(_ name: String, _ schema: Schema) -> Schema {
        var reference = Schema(nil).with("$ref", Self.reference(name))
        reference.components = [Component(name: name, members: schema.members)] + schema.components
        return reference
    }

    /// Makes an object a component of the document.
    ///
    /// - Parameter examples: JSON texts of valid objects.
    static func object(
        named name: String, _ description: String? = nil, fields: [Field], examples: [String] = []
    ) -> Schema {
        let schema = object(description, fields: fields)
        return named(name, examples.isEmpty ? schema : schema.examples(examples))
    }

    private static func reference(_ name: String) -> JSON { .string("#/components/schemas/\(name)") }
}

/// A member of an object. A name that ends in `?` is the name of an optional member.
struct Field: Sendable {
    let name: String
    let isRequired: Bool
    let schema: Schema

    static func field(_ name: String, _ schema: Schema, _ description: String? = nil) -> Field {
        let isOptional = name.hasSuffix("?")
        return Field(
            name: isOptional ? String(name.dropLast()) : name, isRequired: !isOptional,
            schema: description.map(schema.described) ?? schema)
    }

    static func string(
        _ name: String, _ description: String? = nil, minLength: Int? = nil, maxLength: Int? = nil,
        pattern: String? = nil, format: String? = nil, encoding: String? = nil, values: [String]? = nil,
        default: String? = nil
    ) -> Field {
        field(
            name,
            .string(
                description, minLength: minLength, maxLength: maxLength, pattern: pattern, format: format,
                encoding: encoding, values: values, default: `default`))
    }

    static func integer(
        _ name: String, _ description: String? = nil, in range: ClosedRange<Int>? = nil, min: Int? = nil,
        default: Int? = nil
    ) -> Field {
        field(name, .integer(description, in: range, min: min, default: `default`))
    }

    static func number(
        _ name: String, _ description: String? = nil, in range: ClosedRange<Double>? = nil, min: Double? = nil,
        above: Double? = nil, default: Double? = nil
    ) -> Field {
        field(name, .number(description, in: range, min: min, above: above, default: `default`))
    }

    static func boolean(_ name: String, _ description: String? = nil, default: Bool? = nil) -> Field {
        field(name, .boolean(description, default: `default`))
    }

    static func array(
        _ name: String, _ description: String? = nil, of element: Schema, count: ClosedRange<Int>? = nil,
        max: Int? = nil
    ) -> Field {
        field(name, .array(description, of: element, count: count, max: max))
    }

    static func object(_ name: String, _ description: String? = nil, fields: [Field]) -> Field {
        field(name, .object(description, fields: fields))
    }
}

extension CaseIterable where Self: RawRepresentable, RawValue == String {
    /// The names of all cases, for the values of a schema.
    static var names: [String] { allCases.map(\.rawValue) }
}

extension JSON {
    /// Returns the value of a JSON text, or the text itself if the text is not JSON. A test reports such an example.
    static func example(_ text: String) -> JSON { (try? JSON.parse(text)) ?? .string(text) }
}
