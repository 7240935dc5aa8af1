/// An item that was asked for, and how far it has come.
package struct Asked: Sendable {
    package var item: Int
    /// When its download began, in milliseconds; nil while it waits.
    package var started: Double?
    /// How much of it has come, 0 ... 1.
    package var fraction = 0.0
    /// Its size in bytes; nil until its origin has said so.
    package var bytes: Double?

    var hasBegun: Bool { started != nil || fraction > 0 || bytes != nil }
}
