/// A JSON value (RFC 8259). Objects keep the order of their members.
public enum JSON: Sendable, Equatable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSON])
    case object(JSONObject)
}

/// The members of a JSON object, in order. A name that occurs twice keeps its last value, as most readers do.
public struct JSONObject: Sendable, Equatable, ExpressibleByDictionaryLiteral {
    public struct Member: Sendable, Equatable {
        public var name: String
        public var value: JSON
    }

    public private(set) var members: [Member] = []

    public init() {}

    public init(dictionaryLiteral elements: (String, JSON)...) {
        for (name, value) in elements { self[name] = value }
    }

    /// Value of a member, or `nil` if there is none. The search is linear, because objects of an API are small.
    public subscript(name: String) -> JSON? {
        get { members.last { $0.name == name }?.value }
        set {
            members.removeAll { $0.name == name }
            if let newValue { members.append(Member(name: name, value: newValue)) }
        }
    }

    /// Appends a member without removing an older member of that name. Used by the parser.
    mutating func append(_ name: String, _ value: JSON) {
        members.append(Member(name: name, value: value))
    }
}

extension JSON {
    public var string: String? { if case .string(let value) = self { value } else { nil } }
    public var number: Double? { if case .number(let value) = self { value } else { nil } }
    public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
    public var array: [JSON]? { if case .array(let value) = self { value } else { nil } }
    public var object: JSONObject? { if case .object(let value) = self { value } else { nil } }

    /// The number as an integer, or `nil` if it has a fraction or does not fit.
    public var integer: Int? { number.flatMap { Int(exactly: $0) } }

    public subscript(name: String) -> JSON? { object?[name] }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(stringLiteral value: String) { self = .string(value) }
    public init(floatLiteral value: Double) { self = .number(value) }
    public init(integerLiteral value: Int) { self = .number(Double(value)) }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(arrayLiteral elements: JSON...) { self = .array(elements) }
    public init(dictionaryLiteral elements: (String, JSON)...) {
        var object = JSONObject()
        for (name, value) in elements { object[name] = value }
        self = .object(object)
    }
}
