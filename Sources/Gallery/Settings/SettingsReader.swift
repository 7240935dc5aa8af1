import JSON

/// Gathers settings from where they may stand: a flag goes before an environment variable, that before the settings file,
/// and that before the default.
public struct SettingsReader {
    private let environment: [String: String]
    private let file: SettingsFile?
    private var names: Set<String> = []
    /// Every setting that was read, by its flag's name, as it is in force. Valid as a settings file.
    public private(set) var effective = JSONObject()

    public init(environment: [String: String], file: SettingsFile?) {
        self.environment = environment
        self.file = file
    }

    /// The environment variable of a setting.
    public static func variable(_ name: String) -> String {
        "LOOKAHEAD_" + name.uppercased().map { $0 == "-" ? "_" : String($0) }.joined()
    }

    /// A number within its bounds.
    ///
    /// - Throws: ``SettingError`` that names where the value stands and what is wrong with it.
    public mutating func number<Value: SettingValue>(
        _ flag: Value?, _ setting: Setting<Value>
    ) throws(SettingError) -> Value {
        names.insert(setting.name)
        var value = setting.defaultValue
        if let flag {
            value = try setting.checked(flag)
        } else if let text = environment[setting.variable] {
            guard let parsed = Value(text) else {
                throw SettingError("\(setting.variable) must be a number of \(setting.unit), not \"\(text)\"")
            }
            value = try setting.checked(parsed, from: setting.variable)
        } else if let file, let json = file.members[setting.name] {
            guard let parsed = json.number.flatMap(Value.init(exactly:)) else {
                throw SettingError("\(file.path): \(setting.name) must be a number of \(setting.unit)")
            }
            value = try setting.checked(parsed, from: "\(file.path): \(setting.name)")
        }
        effective[setting.name] = .number(value.asDouble)
        return value
    }

    /// A text.
    ///
    /// - Parameter isSecret: keeps it out of ``effective``.
    public mutating func text(
        _ flag: String?, _ name: String, default standard: String? = nil, isSecret: Bool = false
    ) throws(SettingError) -> String? {
        names.insert(name)
        var text = flag ?? environment[Self.variable(name)]
        if text == nil, let file, let json = file.members[name] {
            guard let written = json.string else { throw SettingError("\(file.path): \(name) must be a string") }
            text = written
        }
        text = text ?? standard
        if !isSecret, let text { effective[name] = .string(text) }
        return text
    }

    /// A switch that is off by default: `1` or `0`, `true` or `false` in the environment.
    public mutating func toggle(_ flag: Bool, _ name: String) throws(SettingError) -> Bool {
        names.insert(name)
        var isOn = flag
        if !flag {
            if let text = environment[Self.variable(name)] {
                guard let known = ["1": true, "true": true, "0": false, "false": false, "": false][text] else {
                    throw SettingError("\(Self.variable(name)) must be true or false, not \"\(text)\"")
                }
                isOn = known
            } else if let file, let json = file.members[name] {
                guard case .bool(let written) = json else {
                    throw SettingError("\(file.path): \(name) must be true or false")
                }
                isOn = written
            }
        }
        effective[name] = .bool(isOn)
        return isOn
    }

    /// A flag that may be repeated; a list separated by commas in the environment; an array of strings in the file.
    public mutating func list(_ flags: [String], _ name: String) throws(SettingError) -> [String] {
        names.insert(name)
        var list = flags
        if list.isEmpty {
            if let text = environment[Self.variable(name)] {
                list = text.split(separator: ",").map { String($0).filter { !$0.isWhitespace } }
            } else if let file, let json = file.members[name] {
                guard let array = json.array, array.allSatisfy({ $0.string != nil }) else {
                    throw SettingError("\(file.path): \(name) must be an array of strings")
                }
                list = array.compactMap(\.string)
            }
        }
        effective[name] = .array(list.map(JSON.string))
        return list
    }

    /// Call it when all is read.
    ///
    /// - Throws: ``SettingError`` for a name of the file that was not read.
    public func finish() throws(SettingError) { try file?.requireKnown(names) }
}

/// A number that a setting may have.
public protocol SettingValue: Comparable, Sendable, LosslessStringConvertible {
    init?(exactly number: Double)
    var asDouble: Double { get }
}

extension SettingValue {
    /// As a person writes it: 250, not 250.0.
    var text: String {
        asDouble == asDouble.rounded() ? Int(exactly: asDouble).map(String.init) ?? "\(self)" : "\(self)"
    }
}

extension Int: SettingValue { public var asDouble: Double { Double(self) } }
extension Double: SettingValue { public var asDouble: Double { self } }
