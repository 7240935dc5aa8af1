import JSON

/// Gathers settings from where they may stand: a flag goes before an environment variable, that before the settings file,
/// and that before the default.
public struct SettingsReader {
    private let flags: [String: [String]]
    private let environment: [String: String]
    private let file: SettingsFile?
    /// Every setting that was read, by its name, as it is in force. Valid as a settings file.
    public private(set) var effective = JSONObject()

    /// - Parameter flags: What the command line gives, by name, in its order; a switch that is on by no text.
    public init(flags: [String: [String]] = [:], environment: [String: String], file: SettingsFile?) {
        self.flags = flags
        self.environment = environment
        self.file = file
    }

    /// Reads every setting.
    ///
    /// - Throws: ``SettingError`` that names the flag, variable or file at fault, also for a name of the file that is no
    ///   setting's.
    public mutating func read(_ settings: inout Settings) throws(SettingError) {
        try file?.requireKnown(Set(Setting.all.map(\.name)))
        for setting in Setting.all { try setting.read(&self, &settings) }
    }

    /// A text.
    ///
    /// - Parameter isSecret: keeps it out of ``effective``.
    public mutating func text(
        _ name: String, default standard: String? = nil, isSecret: Bool = false
    ) throws(SettingError) -> String? {
        let text: String?
        switch given(name) {
        case nil: text = standard
        case .flag(let words): text = words.last
        case .variable(let word): text = word
        case .file(let json):
            guard let written = json.string else { throw SettingError("\(place(of: name)) must be a string") }
            text = written
        }
        if !isSecret, let text { effective[name] = .string(text) }
        return text
    }

    mutating func number<Value: SettingValue>(_ number: BoundedNumber<Value>) throws(SettingError) -> Value {
        let value =
            switch given(number.name) {
            case nil: number.standard
            case .flag(let words):
                try number.value(Double(words.last ?? ""), given: words.last ?? "", at: place(of: number.name))
            case .variable(let word): try number.value(Double(word), given: word, at: place(of: number.name))
            case .file(let json): try number.value(json.number, given: json.text, at: place(of: number.name))
            }
        effective[number.name] = .number(value.asDouble)
        return value
    }

    mutating func choice<Value: RawRepresentable<String> & CaseIterable>(
        _ name: String, default standard: Value
    ) throws(SettingError) -> Value {
        let text = try text(name, default: standard.rawValue) ?? ""
        guard let value = Value(rawValue: text) else {
            let all = Value.allCases.map(\.rawValue).joined(separator: ", ")
            throw SettingError("\(place(of: name)) must be one of \(all), not \"\(text)\"")
        }
        return value
    }

    /// A switch that is off by default: `1` or `0`, `true` or `false` in the environment.
    mutating func toggle(_ name: String) throws(SettingError) -> Bool {
        let isOn: Bool
        switch given(name) {
        case nil: isOn = false
        case .flag: isOn = true
        case .variable(let word):
            guard let known = ["1": true, "true": true, "0": false, "false": false, "": false][word] else {
                throw SettingError("\(place(of: name)) must be true or false, not \"\(word)\"")
            }
            isOn = known
        case .file(let json):
            guard let written = json.bool else { throw SettingError("\(place(of: name)) must be true or false") }
            isOn = written
        }
        effective[name] = .bool(isOn)
        return isOn
    }

    /// A flag that may be repeated; a list separated by commas in the environment; an array of strings in the file.
    ///
    /// - Parameters:
    ///   - byLine: separates by line breaks in the environment instead, for texts that may hold commas and spaces.
    ///   - isSecret: keeps it out of ``effective``.
    mutating func list(
        _ name: String, byLine: Bool = false, isSecret: Bool = false
    ) throws(SettingError) -> [String] {
        let list: [String]
        switch given(name) {
        case nil: list = []
        case .flag(let words): list = words
        case .variable(let word) where byLine: list = word.split(whereSeparator: \.isNewline).map(String.init)
        case .variable(let word): list = word.split(separator: ",").map { $0.filter { !$0.isWhitespace } }
        case .file(let json):
            guard let array = json.array, array.allSatisfy({ $0.string != nil }) else {
                throw SettingError("\(place(of: name)) must be an array of strings")
            }
            list = array.compactMap(\.string)
        }
        if !isSecret { effective[name] = .array(list.map(JSON.string)) }
        return list
    }

    private enum Given {
        case flag([String])
        case variable(String)
        case file(JSON)
    }

    /// The text from the source that takes precedence; nil leaves the default.
    private func given(_ name: String) -> Given? {
        if let words = flags[name] { return .flag(words) }
        if let word = environment[Setting.variable(name)] { return .variable(word) }
        return file?.members[name].map(Given.file)
    }

    /// Where that stands, for errors.
    func place(of name: String) -> String {
        switch given(name) {
        case nil, .flag: "--\(name)"
        case .variable: Setting.variable(name)
        case .file: file?.place(of: name) ?? name
        }
    }
}

extension JSON {
    fileprivate var text: String { String(decoding: bytes, as: UTF8.self) }
}
