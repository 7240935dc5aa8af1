/// One limit or choice an operator can set: its name, unit, default and bounds, in one place.
public struct Setting<Value: Comparable & Sendable & LosslessStringConvertible>: Sendable {
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
    public var variable: String {
        "LOOKAHEAD_" + name.uppercased().map { $0 == "-" ? "_" : String($0) }.joined()
    }

    /// One line for `--help`.
    public var help: String {
        "\(summary) (\(unit); default \(defaultValue), \(bounds.lowerBound) to \(bounds.upperBound))"
    }

    /// - Throws: ``SettingError`` that names the flag, where `value` is out of bounds.
    public func checked(_ value: Value) throws(SettingError) -> Value {
        guard bounds.contains(value) else {
            throw SettingError(
                "--\(name) must be from \(bounds.lowerBound) to \(bounds.upperBound) \(unit), not \(value)")
        }
        return value
    }

    /// The value in force: the flag's, else the environment variable's, else the default.
    ///
    /// - Throws: ``SettingError`` that names the flag or the variable.
    public func value(_ flag: Value?, _ environment: [String: String]) throws(SettingError) -> Value {
        if let flag { return try checked(flag) }
        guard let text = environment[variable] else { return defaultValue }
        guard let value = Value(text) else {
            throw SettingError("\(variable) must be a number of \(unit), not \"\(text)\"")
        }
        return try checked(value)
    }
}

/// A setting that cannot be used as given; the text names the flag and the fix.
public struct SettingError: Error, Sendable, CustomStringConvertible {
    public let description: String
    public init(_ description: String) { self.description = description }
}
