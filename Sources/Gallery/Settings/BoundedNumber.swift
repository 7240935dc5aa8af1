/// A number that an operator or a command's user may choose, with its name, unit, default and bounds.
public struct BoundedNumber<Value: SettingValue>: Sendable {
    /// Name in kebab case. The flag is `--name`.
    public let name: String
    public let summary: String
    /// Unit of the number. Empty for a number without a unit, such as a port.
    public let unit: String
    public let standard: Value
    public let bounds: ClosedRange<Value>

    public init(
        _ name: String, _ summary: String, unit: String, default standard: Value, in bounds: ClosedRange<Value>
    ) {
        self.name = name
        self.summary = summary
        self.unit = unit
        self.standard = standard
        self.bounds = bounds
    }

    /// One line for `--help`.
    public var help: String {
        let unit = unit.isEmpty ? "" : "\(unit); "
        return "\(summary) (\(unit)default \(standard.text), \(bounds.lowerBound.text) to \(bounds.upperBound.text))."
    }

    /// - Parameters:
    ///   - number: the given number, or `nil` if the text is not a number.
    ///   - given: the text as given.
    ///   - place: the place of the text, for errors. `nil` means the flag.
    /// - Throws: ``SettingError`` that names the place if the number is missing, out of bounds, or fractional although it must
    ///   be whole.
    public func value(
        _ number: Double?, given: String, at place: String? = nil
    ) throws(SettingError) -> Value {
        let place = place ?? "--\(name)"
        guard let number else { throw SettingError("\(place) must be a number\(ofUnit), not \"\(given)\"") }
        guard (bounds.lowerBound.asDouble...bounds.upperBound.asDouble).contains(number) else {
            throw SettingError(
                "\(place) must be from \(bounds.lowerBound.text) to \(bounds.upperBound.text)"
                    + "\(unit.isEmpty ? "" : " \(unit)"), not \(given)")
        }
        guard let value = Value(exactly: number) else {
            throw SettingError("\(place) must be a whole number\(ofUnit), not \(given)")
        }
        return value
    }

    private var ofUnit: String { unit.isEmpty ? "" : " of \(unit)" }
}

/// A type of number that a setting may have.
public protocol SettingValue: Comparable, Sendable {
    init?(exactly number: Double)
    var asDouble: Double { get }
}

extension SettingValue {
    /// The number as a person writes it: 250, not 250.0.
    public var text: String { Int(exactly: asDouble).map(String.init) ?? "\(asDouble)" }
}

extension Int: SettingValue { public var asDouble: Double { Double(self) } }
extension UInt16: SettingValue { public var asDouble: Double { Double(self) } }
extension Double: SettingValue { public var asDouble: Double { self } }

/// An error about a setting that cannot be used as given. The text names the flag and the fix.
public struct SettingError: Error, Sendable, CustomStringConvertible {
    public let description: String
    public init(_ description: String) { self.description = description }
}
