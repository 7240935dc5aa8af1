import ArgumentParser
import Gallery

extension Option where Value: SettingValue {
    /// A number's flag: its default where it is not given, refused out of bounds.
    package init(_ number: BoundedNumber<Value>) {
        self.init(
            wrappedValue: number.standard, name: .customLong(number.name), help: ArgumentHelp(number.help),
            transform: { try number.value(Double($0), given: $0) })
    }
}
