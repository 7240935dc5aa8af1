/// Reads settings from the command line and the environment. A flag overrides its environment variable, and the variable
/// overrides the default.
public struct SettingsReader {
    private let flags: [String: [String]]
    private let environment: [String: String]

    /// - Parameter flags: Values from the command line by name, in the given order. A switch that is on has no value.
    public init(flags: [String: [String]] = [:], environment: [String: String]) {
        self.flags = flags
        self.environment = environment
    }

    /// - Throws: ``SettingError`` that names the flag or variable at fault.
    public func read(_ settings: inout Settings) throws(SettingError) {
        for setting in Setting.all { try setting.read(self, &settings) }
    }

    /// Returns a text, or `nil` if neither flag nor variable gives it.
    public func text(_ name: String) -> String? { flags[name]?.last ?? environment[Setting.variable(name)] }

    func number<Value: SettingValue>(_ number: BoundedNumber<Value>) throws(SettingError) -> Value {
        guard let text = text(number.name) else { return number.standard }
        return try number.value(Double(text), given: text, at: place(of: number.name))
    }

    func choice<Value: RawRepresentable<String> & CaseIterable>(
        _ name: String, default standard: Value
    ) throws(SettingError) -> Value {
        guard let text = text(name) else { return standard }
        guard let value = Value(rawValue: text) else {
            let all = Value.allCases.map(\.rawValue).joined(separator: ", ")
            throw SettingError("\(place(of: name)) must be one of \(all), not \"\(text)\"")
        }
        return value
    }

    /// Returns the state of a switch that is off by default. In the environment, `1` or `true` is on, and `0`, `false` or an
    /// empty text is off.
    func toggle(_ name: String) throws(SettingError) -> Bool {
        if flags[name] != nil { return true }
        let text = environment[Setting.variable(name)] ?? ""
        guard let isOn = ["1": true, "true": true, "0": false, "false": false, "": false][text] else {
            throw SettingError("\(place(of: name)) must be true or false, not \"\(text)\"")
        }
        return isOn
    }

    /// Returns a list. The flag may be repeated. In the environment, commas separate the entries.
    ///
    /// - Parameter byLine: Whether line breaks separate the entries in the environment instead, for texts that may contain
    ///   commas and spaces.
    func list(_ name: String, byLine: Bool = false) -> [String] {
        if let texts = flags[name] { return texts }
        let text = environment[Setting.variable(name)] ?? ""
        if byLine { return text.split(whereSeparator: \.isNewline).map(String.init) }
        return text.split(separator: ",").map { $0.filter { !$0.isWhitespace } }
    }

    /// Returns the flag or variable that gives a setting, for errors.
    func place(of name: String) -> String {
        let variable = Setting.variable(name)
        return flags[name] == nil && environment[variable] != nil ? variable : "--\(name)"
    }
}
