/// Why there is no thumbnail, as nodes tell each other.
package struct SharedFailure: Sendable, Equatable {
    /// For a person.
    package var reason: String
    /// Whether trying again may help.
    package var isRetryable: Bool

    package init(reason: String, isRetryable: Bool) {
        self.reason = reason
        self.isRetryable = isRetryable
    }

    private static let magic = Array("LKN1".utf8)
    private static let longestReason = 512
    /// Milliseconds that one is believed at most: a week.
    static let longestLife = 604_800_000.0

    /// `LKN1`, then 1 or 0, then the reason.
    package var bytes: [UInt8] {
        // Cut between characters.
        var reason = reason
        while reason.utf8.count > Self.longestReason { reason.removeLast() }
        return Self.magic + [isRetryable ? 1 : 0] + Array(reason.utf8)
    }

    /// - Returns: `nil` where the bytes are not as ``bytes`` made them.
    package init?(_ bytes: [UInt8]) {
        guard bytes.starts(with: Self.magic), bytes.count >= 5, bytes[4] <= 1, bytes.count <= 5 + Self.longestReason,
            let reason = String(validating: bytes[5...], as: UTF8.self),
            !reason.unicodeScalars.contains(where: { $0.value < 32 })
        else { return nil }
        self.reason = reason
        isRetryable = bytes[4] == 1
    }
}
