import JSON
import Media

/// Reads the fields of a JSON object, and names a wrong field by its JSON pointer.
///
/// Ignores unknown fields. Throws a ``Problem`` with status 422 if a field has the wrong type or is out of range.
package struct FieldReader: Sendable {
    package let object: JSONObject
    /// JSON pointer (RFC 6901) to the object. Empty for the whole document.
    package let pointer: String

    /// - Throws: 400 if the body is not JSON, 422 if the JSON is not an object.
    package init(body: [UInt8]) throws(Problem) {
        let value: JSON
        do { value = try JSON.parse(body) } catch { throw Problem(400, "The body is not JSON: \(error).") }
        try self.init(value, at: "")
    }

    package init(_ value: JSON, at pointer: String) throws(Problem) {
        guard case .object(let object) = value else {
            throw Problem.outOfRange(pointer.isEmpty ? "/" : pointer, "a JSON object")
        }
        self.object = object
        self.pointer = pointer
    }

    package func path(_ name: String) -> String { "\(pointer)/\(name)" }

    /// Returns the field's value, or `nil` if the field is missing or `null`.
    private func present(_ name: String) -> JSON? {
        switch object[name] {
        case nil, .null: nil
        case let value: value
        }
    }

    package func number(_ name: String, in range: ClosedRange<Double>? = nil) throws(Problem) -> Double? {
        guard let value = present(name) else { return nil }
        guard let number = value.number else { throw .outOfRange(path(name), "a number") }
        if let range, !range.contains(number) {
            throw .outOfRange(
                path(name), "from \(JSON.number(range.lowerBound).text) to \(JSON.number(range.upperBound).text)")
        }
        return number
    }

    package func integer(_ name: String, in range: ClosedRange<Int>) throws(Problem) -> Int? {
        guard let value = present(name) else { return nil }
        guard let integer = value.integer, range.contains(integer) else {
            throw .outOfRange(path(name), "an integer from \(range.lowerBound) to \(range.upperBound)")
        }
        return integer
    }

    package func bool(_ name: String) throws(Problem) -> Bool? {
        guard let value = present(name) else { return nil }
        guard let bool = value.bool else { throw .outOfRange(path(name), "true or false") }
        return bool
    }

    package func string(_ name: String, maxLength: Int) throws(Problem) -> String? {
        guard let value = present(name) else { return nil }
        guard let string = value.string, string.utf8.count <= maxLength else {
            throw .outOfRange(path(name), "a string of at most \(maxLength) bytes")
        }
        return string
    }

    package func name<Name: HashName>(_ name: String, _: Name.Type) throws(Problem) -> Name? {
        guard let value = present(name) else { return nil }
        return try Self.name(value, at: path(name))
    }

    private static func name<Name: HashName>(_ value: JSON, at path: String) throws(Problem) -> Name {
        guard let name = value.string.flatMap(Name.init) else { throw .outOfRange(path, "11 characters of base64url") }
        return name
    }

    package func names<Name: HashName>(_ name: String, _: Name.Type, maxCount: Int) throws(Problem) -> [Name]? {
        guard let value = present(name) else { return nil }
        guard let elements = value.array, elements.count <= maxCount else {
            throw .outOfRange(path(name), "a list of at most \(maxCount) ids")
        }
        var names: [Name] = []
        for (index, element) in elements.enumerated() {
            names.append(try Self.name(element, at: "\(path(name))/\(index)"))
        }
        return names
    }

    package func choice<Choice: RawRepresentable & CaseIterable>(_ name: String, _: Choice.Type) throws(Problem)
        -> Choice?
    where Choice.RawValue == String {
        guard let value = present(name) else { return nil }
        guard let choice = value.string.flatMap(Choice.init(rawValue:)) else {
            let names = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw .outOfRange(path(name), "one of \(names)")
        }
        return choice
    }

    package func object(_ name: String) throws(Problem) -> FieldReader? {
        guard let value = present(name) else { return nil }
        return try FieldReader(value, at: path(name))
    }

    package func strings(_ name: String, maxCount: Int) throws(Problem) -> [String]? {
        guard let value = present(name) else { return nil }
        guard let elements = value.array, elements.count <= maxCount else {
            throw .outOfRange(path(name), "a list of at most \(maxCount) strings")
        }
        var strings: [String] = []
        for (index, element) in elements.enumerated() {
            guard let string = element.string else { throw .outOfRange("\(path(name))/\(index)", "a string") }
            strings.append(string)
        }
        return strings
    }

    package func integers(_ name: String, in range: Range<Int>, maxCount: Int) throws(Problem) -> [Int]? {
        guard let value = present(name) else { return nil }
        guard let elements = value.array, elements.count <= maxCount else {
            throw .outOfRange(path(name), "a list of at most \(maxCount) integers")
        }
        var integers: [Int] = []
        integers.reserveCapacity(elements.count)
        for (index, element) in elements.enumerated() {
            guard let integer = element.integer, range.contains(integer) else {
                throw .outOfRange(
                    "\(path(name))/\(index)", "an integer from \(range.lowerBound) to below \(range.upperBound)")
            }
            integers.append(integer)
        }
        return integers
    }

    /// Returns a list of `{"from","to"}` ranges, each inside `range`. A range may be empty.
    package func ranges(_ name: String, within range: Range<Int>, maxCount: Int) throws(Problem) -> [Range<Int>]? {
        guard let value = present(name) else { return nil }
        guard let elements = value.array, elements.count <= maxCount else {
            throw .outOfRange(path(name), "a list of at most \(maxCount) ranges")
        }
        var ranges: [Range<Int>] = []
        for (index, element) in elements.enumerated() {
            let reader = try FieldReader(element, at: "\(path(name))/\(index)")
            let from = try reader.required("from", try reader.integer("from", in: range.lowerBound...range.upperBound))
            ranges.append(from..<(try reader.required("to", try reader.integer("to", in: from...range.upperBound))))
        }
        return ranges
    }

    package func required<Value>(_ name: String, _ value: Value?) throws(Problem) -> Value {
        guard let value else { throw Problem(422, "\(path(name)) is missing.", field: path(name)) }
        return value
    }
}

extension JSON {
    fileprivate var text: String { String(decoding: bytes, as: UTF8.self) }
}
