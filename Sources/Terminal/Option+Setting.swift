import ArgumentParser
import Gallery

extension Option {
    /// A flag of a setting's name; where it is not given, environment, file or default decide.
    package init<Number: SettingValue & ExpressibleByArgument>(_ setting: Setting<Number>) where Value == Number? {
        self.init(name: .customLong(setting.name), help: ArgumentHelp("\(setting.help)."))
    }
}

extension Option where Value: SettingValue {
    /// A flag of a command without other settings: the setting's default where it is not given, refused out of bounds.
    package init(_ setting: Setting<Value>) {
        self.init(
            wrappedValue: setting.defaultValue, name: .customLong(setting.name),
            help: ArgumentHelp("\(setting.help)."),
            transform: { text in
                guard let number = Value(text) else { throw SettingError("give a number of \(setting.unit)") }
                return try setting.checked(number)
            })
    }
}
