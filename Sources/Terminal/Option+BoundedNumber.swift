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

/// An error whose text is for a person: one line on standard error, status 1.
package struct CommandFailure: Error, CustomStringConvertible {
    package let description: String
    package init(_ description: String) { self.description = description }
}
