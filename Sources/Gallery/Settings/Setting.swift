import Numbers

/// One limit or choice that an operator can set. The flag, the environment variable, `--help` and the table in the article on
/// settings are all generated from it.
public struct Setting: Sendable {
    public enum Kind: Sendable, Equatable {
        /// A number. `bounds` are its bounds and unit as text.
        case number(bounds: String)
        case text, file, folder
        case choice([String])
        /// A switch that is off by default.
        case toggle
        /// A list of texts. The flag may be repeated.
        case list
    }

    /// Name in kebab case. The flag is `--name`, the environment variable `LOOKAHEAD_NAME`.
    public let name: String
    public let summary: String
    public let kind: Kind
    /// The default as text. Empty if there is none.
    public let standard: String
    /// One line for `--help`.
    public let help: String
    /// Reads the setting from the command line or the environment.
    let read: @Sendable (SettingsReader, inout Settings) throws(SettingError) -> Void

    init(
        _ name: String, _ summary: String, _ kind: Kind, standard: String = "", help: String? = nil,
        read: @escaping @Sendable (SettingsReader, inout Settings) throws(SettingError) -> Void
    ) {
        self.name = name
        self.summary = summary
        self.kind = kind
        self.standard = standard
        self.help =
            help ?? summary + (standard.isEmpty ? "" : " (default \(standard))")
            + (kind == .list ? "; repeatable." : ".")
        self.read = read
    }

    /// Every setting, in the order of `--help`.
    public static let all = groups.flatMap { $0.flags }

    public static func variable(_ name: String) -> String {
        "LOOKAHEAD_" + name.uppercased().map { $0 == "-" ? "_" : String($0) }.joined()
    }
}

/// A group of related settings: a section of `--help`.
public protocol SettingGroup: Sendable {
    static var title: String { get }
    @SettingBuilder static var flags: [Setting] { get }
}

/// Builds a group's list of settings. Each row is type-checked separately, because one array literal compiles slowly.
@resultBuilder public enum SettingBuilder {
    public static func buildBlock(_ settings: Setting...) -> [Setting] { settings }
}

extension SettingGroup {
    static func number<Value: SettingValue>(
        _ name: String, _ path: any WritableKeyPath<Settings, Value> & Sendable, _ bounds: ClosedRange<Value>,
        _ unit: String, _ summary: String
    ) -> Setting {
        let number = BoundedNumber(name, summary, unit: unit, default: Settings.standard[keyPath: path], in: bounds)
        func text(_ value: Value) -> String {
            unit == "bytes" ? binary(Int(clamping: value.asDouble)) : grouped(value.text)
        }
        let range =
            "\(text(bounds.lowerBound)) to \(text(bounds.upperBound))"
            + (unit == "bytes" || unit.isEmpty ? "" : " \(unit)")
        return Setting(
            name, summary, .number(bounds: range), standard: text(number.standard), help: number.help
        ) { reader, settings throws(SettingError) in
            settings[keyPath: path] = try reader.number(number)
        }
    }

    static func toggle(
        _ name: String, _ path: any WritableKeyPath<Settings, Bool> & Sendable, _ summary: String
    ) -> Setting {
        Setting(name, summary, .toggle) { reader, settings throws(SettingError) in
            settings[keyPath: path] = try reader.toggle(name)
        }
    }

    static func list(
        _ name: String, _ path: any WritableKeyPath<Settings, [String]> & Sendable, _ summary: String
    ) -> Setting {
        Setting(name, summary, .list) { reader, settings in
            settings[keyPath: path] = reader.list(name)
        }
    }

    /// Creates a setting whose text the command reads from the ``SettingsReader`` itself.
    static func text(_ name: String, _ summary: String, _ kind: Setting.Kind) -> Setting {
        Setting(name, summary, kind) { _, _ in }
    }

    /// Formats a number of bytes: 32 MiB, 16 bytes.
    private static func binary(_ bytes: Int) -> String {
        for (unit, shift) in [("TiB", 40), ("GiB", 30), ("MiB", 20), ("KiB", 10)]
        where bytes > 0 && bytes % (1 << shift) == 0 {
            return "\(bytes >> shift) \(unit)"
        }
        return bytes == 0 ? "0" : "\(bytes) bytes"
    }

    /// Groups the digits of numbers above four digits: 8080, but 10,000.
    private static func grouped(_ number: String) -> String {
        guard number.count > 4, number.allSatisfy(\.isNumber) else { return number }
        return number.enumerated().map { ($0 > 0 && (number.count - $0) % 3 == 0 ? "," : "") + String($1) }.joined()
    }
}
