import ArgumentParser
import Gallery

extension Option where Value: SettingValue {
    /// Creates the option of a bounded number. The default applies if the option is not given. A value out of bounds is
    /// refused.
    package init(_ number: BoundedNumber<Value>) {
        self.init(
            wrappedValue: number.standard, name: .customLong(number.name), help: ArgumentHelp(number.help),
            transform: { try number.value(Double($0), given: $0) })
    }
}

/// An error with a message for people: the command prints it as one line on standard error and exits with status 1.
package struct CommandFailure: Error, CustomStringConvertible {
    package let description: String
    package init(_ description: String) { self.description = description }
}
