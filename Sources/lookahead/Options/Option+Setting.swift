import ArgumentParser
import Gallery

extension Option {
    /// A flag of a setting's name; where it is not given, environment, file or default decide.
    init<Number: SettingValue & ExpressibleByArgument>(_ setting: Setting<Number>) where Value == Number? {
        self.init(name: .customLong(setting.name), help: ArgumentHelp("\(setting.help)."))
    }
}
