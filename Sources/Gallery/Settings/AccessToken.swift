import Glibc

/// The secret that grants access to a person or a script.
///
/// A bearer header (RFC 6750) and a cookie accept all its characters without quoting.
public struct AccessToken: Sendable, Equatable {
    /// Minimum length in bytes. A shorter token could be guessed.
    public static let minLength = 16
    static let maxLength = 512

    private let bytes: [UInt8]
    /// Name of the token's cookie. Cookies ignore ports, so a separate name per token keeps servers on one machine apart.
    package let cookieName: String

    /// - Throws: ``SettingError`` if the token is too short, too long, or has other characters.
    public init(_ text: String) throws(SettingError) {
        bytes = Array(text.utf8)
        guard (Self.minLength...Self.maxLength).contains(bytes.count), bytes.allSatisfy(Self.isAllowed) else {
            throw SettingError(
                "the token must be \(Self.minLength) to \(Self.maxLength) letters, digits or -._~+/=: "
                    + "create one with openssl rand -hex 16")
        }
        // The name reveals a 32-bit hash of the token, but only to a holder of the cookie, which contains the token itself.
        var hash: UInt32 = 0x811c_9dc5
        for byte in bytes { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
        cookieName = "lookahead-\(String(hash, radix: 36))"
    }

    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Returns whether a given text is the token. The time depends only on the given text's length.
    func matches(_ given: some StringProtocol) -> Bool {
        var difference = bytes.count ^ given.utf8.count
        var index = 0
        for byte in given.utf8 {
            difference |= Int(byte ^ bytes[index])
            index = index + 1 == bytes.count ? 0 : index + 1
        }
        return difference == 0
    }

    /// Whether the token deserves a warning, because it has less than 64 estimated bits.
    package var isGuessable: Bool { estimatedBits < 64 }

    /// Upper bound of the bits to guess, from the token's length and kinds of characters. A repeated text counts once, a run
    /// (1234, abcd, aaaa) counts as its first three characters, and a common word counts as two characters.
    package var estimatedBits: Double {
        let period = (1...bytes.count / 2).first { bytes.dropFirst($0).elementsEqual(bytes.dropLast($0)) }
        let unit = bytes.prefix(period ?? bytes.count)
        let ranges: [(bytes: ClosedRange<UInt8>, count: Int)] = [
            (0x30...0x39, 10), (0x61...0x7a, 26), (0x41...0x5a, 26),
        ]
        var kinds = ranges.filter { range in unit.contains { range.bytes.contains($0) } }.reduce(0) { $0 + $1.count }
        if !unit.allSatisfy({ byte in ranges.contains { $0.bytes.contains(byte) } }) { kinds += 7 }
        if unit.allSatisfy({ "0123456789abcdef".utf8.contains($0) }) { kinds = min(kinds, 16) }

        var rest = String(decoding: unit, as: UTF8.self).lowercased()
        var count = 0
        for word in Self.commonWords {
            let parts = rest.split(separator: word, omittingEmptySubsequences: false)
            count += 2 * (parts.count - 1)
            rest = parts.joined()
        }
        var (last, step, run) = (Int.min, 0, 1)
        for byte in rest.utf8.map({ Int($0) }) {
            let next = last == .min ? .max : byte - last
            run = abs(next) > 1 ? 1 : next == step ? run + 1 : 2
            (last, step) = (byte, next)
            if run <= 3 { count += 1 }
        }
        return Double(count) * log2(Double(kinds))
    }

    private static let commonWords = [
        "password", "passwort", "lookahead", "gallery", "pictures", "photos", "secret", "token", "admin", "letmein",
        "welcome", "qwerty", "changeme",
    ]

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._~+/=".utf8.contains(byte)
        }
    }
}

/// The tokens of a server and the access that each gives.
package struct AccessTokens: Sendable {
    let full: AccessToken
    /// Token of viewers, who may look and scroll but change nothing of others. `nil` if there is none.
    let view: AccessToken?

    package init(full: AccessToken, view: AccessToken?) {
        self.full = full
        self.view = view
    }

    private var all: [(token: AccessToken, access: Caller.Access)] {
        [(full, .full)] + (view.map { [($0, .view)] } ?? [])
    }

    /// Returns the token that equals a given text, or `nil` if none does.
    package func match(_ given: some StringProtocol) -> (token: AccessToken, access: Caller.Access)? {
        all.first { $0.token.matches(given) }
    }

    /// Returns the access that a header's cookies give, and whether a cookie has a token's name but a wrong value.
    package func read(cookies header: String) -> (access: Caller.Access?, isWrong: Bool) {
        var (best, isWrong) = (Caller.Access?.none, false)
        for pair in header.split(separator: ";") {
            let pair = pair.drop { $0 == " " }
            guard let equals = pair.firstIndex(of: "=") else { continue }
            for (token, access) in all where pair[..<equals] == token.cookieName {
                if token.matches(pair[pair.index(after: equals)...]) {
                    best = max(best ?? access, access)
                } else {
                    isWrong = true
                }
            }
        }
        return (best, isWrong)
    }
}
