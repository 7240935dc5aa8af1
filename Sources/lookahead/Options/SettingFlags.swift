import ArgumentParser
import Gallery

/// The flags of a group of settings, generated from its table.
struct SettingFlags<Group: SettingGroup>: ParsableArguments, CustomReflectable {
    /// The values from the command line, by name. A switch that is on has no text.
    private(set) var given: [String: [String]] = [:]

    init() {}

    /// ArgumentParser reads a type's flags from the children of its mirror, usually one per property.
    var customMirror: Mirror {
        Mirror(self, children: Group.flags.map { (label: $0.name, value: Self.argument($0)) })
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Name.self)
        for setting in Group.flags {
            let name = Name(stringValue: setting.name)
            switch setting.kind {
            case .toggle:
                if try values.decode(Flag<Bool>.self, forKey: name).wrappedValue { given[setting.name] = [] }
            case .list:
                let texts = try values.decode(Option<[String]>.self, forKey: name).wrappedValue
                if !texts.isEmpty { given[setting.name] = texts }
            case .number, .text, .file, .folder, .choice:
                given[setting.name] = try values.decode(Option<String?>.self, forKey: name).wrappedValue.map { [$0] }
            }
        }
    }

    private static func argument(_ setting: Setting) -> Any {
        let name = NameSpecification.customLong(setting.name)
        let help = ArgumentHelp(setting.help)
        let completion: CompletionKind? =
            switch setting.kind {
            case .file: .file()
            case .folder: .directory
            case .choice(let words): .list(words)
            case .number, .text, .toggle, .list: nil
            }
        return switch setting.kind {
        case .toggle: Flag<Bool>(wrappedValue: false, name: name, help: help)
        case .list: Option<[String]>(wrappedValue: [], name: name, help: help)
        case .number, .text, .file, .folder, .choice:
            Option<String?>(wrappedValue: nil, name: name, help: help, completion: completion)
        }
    }

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}
