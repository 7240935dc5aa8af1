import Foundation

/// Writes lines to standard error. Control characters in names of files or hosts can neither begin a line nor control the
/// terminal.
package struct ErrorLines: TextOutputStream, Sendable {
    package init() {}

    /// - Parameter line: the whole line. A missing line break at the end is added.
    package func write(_ line: String) {
        let scalars = line.unicodeScalars
        let text = String(scalars.last == "\n" ? scalars.dropLast() : scalars[...])
        // Ignore errors, because standard error may be closed.
        try? FileHandle.standardError.write(contentsOf: Data((text.onOneLine + "\n").utf8))
    }
}

extension String {
    /// The text with its control characters escaped like `\u{1b}`, so that a terminal shows the text on one line and in order.
    /// Control characters include line and paragraph separators and the controls of the writing direction (Unicode Standard
    /// Annex 9).
    package var onOneLine: String {
        guard unicodeScalars.contains(where: Self.isControl) else { return self }
        return unicodeScalars.reduce(into: "") { text, scalar in
            if Self.isControl(scalar) {
                text += "\\u{\(String(scalar.value, radix: 16))}"
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F...0x9F, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
