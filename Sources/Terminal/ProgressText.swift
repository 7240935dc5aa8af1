import Numbers

/// The progress of long work: a bar on a terminal, redrawn in place; elsewhere a plain line now and then. Short work shows
/// none. Pure: time, in seconds of any clock, is an argument.
package struct ProgressText {
    /// Silence before the first word, seconds.
    package static let patience = (terminal: 0.3, log: 2.0)
    /// From one word to the next, seconds.
    package static let pause = (terminal: 0.1, log: 5.0)
    private static let barLength = 24
    /// Goes to the start of the line and clears it (ECMA-48: carriage return, erase in line).
    package static let clear = "\r\u{1B}[K"

    private let title: String
    private let unit: String
    private let isTerminal: Bool
    private let began: Double
    private var told: Double?

    /// - Parameters:
    ///   - title: what is being done: "Reading list.ndjson".
    ///   - unit: of what is counted: "items".
    package init(_ title: String, unit: String, isTerminal: Bool, at now: Double) {
        self.title = title.onOneLine
        self.unit = unit
        self.isTerminal = isTerminal
        began = now
    }

    /// - Parameters:
    ///   - done: how many so far.
    ///   - share: how much of the whole that is, 0 ... 1; nil where the whole is not known.
    /// - Returns: what to write; nil while there is nothing to say.
    package mutating func update(_ done: Int, share: Double?, at now: Double) -> String? {
        let wait =
            isTerminal
            ? (told == nil ? Self.patience : Self.pause).terminal : (told == nil ? Self.patience : Self.pause).log
        guard now - (told ?? began) >= wait else { return nil }
        told = now
        let percent = share.map { Int(clamping: (min(max($0, 0), 1) * 100).rounded(.down)) }
        guard isTerminal else {
            return "lookahead: \(title): \(done.grouped) \(unit)\(percent.map { ", \($0)%" } ?? "")\n"
        }
        let bar = share.map { "  [\(Self.bar($0))]" } ?? ""
        return "\(Self.clear)\(title)\(bar)\(percent.map { " \($0)%" } ?? "")  \(done.grouped) \(unit)"
    }

    /// The last word: nothing where there was none before.
    package func end(_ done: Int, at now: Double) -> String? {
        guard told != nil else { return nil }
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
    /// With a comma after every three digits: 1,000,000.
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
