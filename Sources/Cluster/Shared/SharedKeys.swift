import CCrypto

/// Names of the Redis keys that nodes share.
package struct SharedKeys: Sendable {
    private let prefix: String

    /// - Parameter agreement: The settings that two nodes must have in common to use each other's thumbnails. Nodes with other
    ///   settings have other keys.
    package init(agreement: String) { prefix = "lk1:\(Self.digest(agreement, bytes: 4))" }

    /// Returns the base of a picture's keys. The base is a hash, because the address may contain a secret, and is also the hash tag.
    package func base(of storeKey: String) -> String { "\(prefix):{\(Self.digest(storeKey, bytes: 16))}" }

    /// Returns the key that exists while a host cools down. Nodes of all agreements share this key.
    package static func rest(of host: String) -> String { "lk1:{o:\(digest(host, bytes: 16))}:r" }

    /// Key of the sorted set of live nodes. Scores are the times of their last report.
    static let nodes = "lk1:nodes"

    /// Returns the first bytes of the SHA-256 as hexadecimal digits.
    package static func digest(_ text: String, bytes count: Int) -> String {
        var digest = [UInt8](repeating: 0, count: 32)
        let text = Array(text.utf8)
        ccrypto_sha256(text, text.count, &digest)
        let digits = Array("0123456789abcdef".utf8)
        return String(
            decoding: digest.prefix(count).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}

/// The reason a thumbnail failed, in the form that nodes share.
package struct SharedFailure: Sendable, Equatable {
    /// Reason for people to read.
    package var reason: String
    package var isRetryable: Bool

    package init(reason: String, isRetryable: Bool) {
        self.reason = reason
        self.isRetryable = isRetryable
    }

    private static let magic = Array("LKN1".utf8)
    private static let longestReason = 512
    /// Maximum lifetime of a shared failure, in milliseconds: a week.
    static let longestLife = 604_800_000.0

    /// The value: `LKN1`, then a byte that is 1 if a retry may succeed, else 0, then the reason.
    package var bytes: [UInt8] {
        // Cuts between characters.
        var reason = reason
        while reason.utf8.count > Self.longestReason { reason.removeLast() }
        return Self.magic + [isRetryable ? 1 : 0] + Array(reason.utf8)
    }

    /// Parses a value that ``bytes`` wrote. `nil` if the value is malformed.
    package init?(_ bytes: [UInt8]) {
        guard bytes.starts(with: Self.magic), bytes.count >= 5, bytes[4] <= 1, bytes.count <= 5 + Self.longestReason,
            let reason = String(validating: bytes[5...], as: UTF8.self),
            !reason.unicodeScalars.contains(where: { $0.value < 32 })
        else { return nil }
        self.reason = reason
        isRetryable = bytes[4] == 1
    }
}
