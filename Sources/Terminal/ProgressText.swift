import Numbers

/// Text that shows the progress of long work: on a terminal a bar that is redrawn in place, elsewhere a plain line now and
/// then. Short work shows nothing. Reads no clock: callers pass the time, in seconds of any clock.
package struct ProgressText {
    /// Time before the first output, in seconds.
    package static let patience = (terminal: 0.3, log: 2.0)
    /// Time between two outputs, in seconds.
    package static let pause = (terminal: 0.1, log: 5.0)
    private static let barLength = 24
    /// Moves to the start of the line and clears the line (ECMA-48: carriage return, erase in line).
    package static let clear = "\r\u{1B}[K"

    private let title: String
    private let unit: String
    private let isTerminal: Bool
    private let began: Double
    private var shownAt: Double?

    /// - Parameters:
    ///   - title: description of the work, such as "Reading list.ndjson".
    ///   - unit: unit of the count, such as "items".
    package init(_ title: String, unit: String, isTerminal: Bool, at now: Double) {
        self.title = title.onOneLine
        self.unit = unit
        self.isTerminal = isTerminal
        began = now
    }

    /// - Parameter share: finished share of the whole, 0 ... 1, or `nil` if the whole is unknown.
    /// - Returns: the text to write, or `nil` if nothing is due.
    package mutating func update(_ done: Int, share: Double?, at now: Double) -> String? {
        let wait =
            isTerminal
            ? (shownAt == nil ? Self.patience : Self.pause).terminal : (shownAt == nil ? Self.patience : Self.pause).log
        guard now - (shownAt ?? began) >= wait else { return nil }
        shownAt = now
        let percent = share.map { Int(clamping: (min(max($0, 0), 1) * 100).rounded(.down)) }
        guard isTerminal else {
            return "lookahead: \(title): \(done.grouped) \(unit)\(percent.map { ", \($0)%" } ?? "")\n"
        }
        let bar = share.map { "  [\(Self.bar($0))]" } ?? ""
        return "\(Self.clear)\(title)\(bar)\(percent.map { " \($0)%" } ?? "")  \(done.grouped) \(unit)"
    }

    /// Returns the final line, or `nil` if nothing was written before.
    package func end(_ done: Int, at now: Double) -> String? {
        guard shownAt != nil else { return nil }
        let tenths = Int(clamping: ((now - began) * 10).rounded())
        let line = "lookahead: \(title): \(done.grouped) \(unit) in \(tenths / 10).\(tenths % 10) s\n"
        return isTerminal ? Self.clear + line : line
    }

    private static func bar(_ share: Double) -> String {
        let full = Int(clamping: min(max(share, 0), 1) * Double(barLength))
        return String(repeating: "#", count: full) + String(repeating: "-", count: barLength - full)
    }
}

extension Int {
    /// The number with a comma before every three digits: 1,000,000.
    package var grouped: String {
        let digits = String(magnitude)
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { text.append(",") }
            text.append(digit)
        }
        return (self < 0 ? "-" : "") + text
    }
}
