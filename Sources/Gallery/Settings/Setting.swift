/// One limit or choice an operator can set: its name, unit, default and bounds, in one place.
public struct Setting<Value: SettingValue>: Sendable {
    /// Kebab-case; the flag is `--name`, the environment variable `LOOKAHEAD_NAME`.
    public let name: String
    public let summary: String
    public let unit: String
    public let defaultValue: Value
    public let bounds: ClosedRange<Value>

    public init(
        _ name: String, _ summary: String, unit: String, default defaultValue: Value, in bounds: ClosedRange<Value>
    ) {
        self.name = name
        self.summary = summary
        self.unit = unit
        self.defaultValue = defaultValue
        self.bounds = bounds
    }

    /// The environment variable that sets it where the flag does not.
    public var variable: String { SettingsReader.variable(name) }

    /// One line for `--help`.
    public var help: String {
        "\(summary) (\(unit); default \(defaultValue.text), \(bounds.lowerBound.text) to \(bounds.upperBound.text))"
    }

    /// - Parameter place: where the value stands; the flag where it is nil.
    /// - Throws: ``SettingError`` that names the place, where `value` is out of bounds.
    public func checked(_ value: Value, from place: String? = nil) throws(SettingError) -> Value {
        guard bounds.contains(value) else {
            throw SettingError(
                "\(place ?? "--\(name)") must be from \(bounds.lowerBound.text) to \(bounds.upperBound.text) \(unit), "
                    + "not \(value.text)"
            )
        }
        return value
    }
}

/// A setting that cannot be used as given; the text names the flag and the fix.
public struct SettingError: Error, Sendable, CustomStringConvertible {
    public let description: String
    public init(_ description: String) { self.description = description }
}
