import Fetch

/// The address of a Redis or Valkey server, with its credentials.
package struct RedisAddress: Sendable, Equatable, CustomStringConvertible {
    /// In the form of ``Authority/host``.
    package var host: String
    package var port: UInt16
    /// User in the server's access control list, or `nil` for the default user.
    package var user: String?
    package var password: String?
    /// Number of the database. Servers have 0 ... 15 by default.
    package var database: Int

    /// Parses `redis://[[USER]:PASSWORD@]HOST[:PORT][/DATABASE]`. The default port is 6379, the default database 0. User and
    /// password may be percent-encoded. `nil` if the text has another form.
    package init?(_ text: String) {
        guard text.hasPrefix("redis://") else { return nil }
        var rest = text.dropFirst("redis://".count)
        database = 0
        if let slash = rest.firstIndex(of: "/") {
            let path = rest[rest.index(after: slash)...]
            guard path.isEmpty || path.allSatisfy(\.isASCIIDigit), let number = path.isEmpty ? 0 : Int(path),
                number < 1 << 16
            else { return nil }
            database = number
            rest = rest[..<slash]
        }
        if let at = rest.lastIndex(of: "@") {
            let words = rest[..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard words.count == 2, let user = Self.decoded(words[0]), let password = Self.decoded(words[1]) else {
                return nil
            }
            self.user = user.isEmpty ? nil : user
            self.password = password
            rest = rest[rest.index(after: at)...]
        }
        guard let authority = Authority(rest), authority.host.utf8.allSatisfy({ $0 < 127 }) else { return nil }
        (host, port) = (authority.host, authority.port ?? 6379)
    }

    /// The `AUTH` command, or `nil` if there is no password.
    var authentication: RedisCommand? {
        guard let password else { return nil }
        var command = RedisCommand("AUTH")
        if let user { command.append(user) }
        command.append(password)
        return command
    }

    /// Host, port and database, without credentials. Identifies the server.
    package var description: String { "\(Authority(host: host, port: port))/\(database)" }

    private static func decoded(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard rest.count >= 2, let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else {
                return nil
            }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}

extension Character {
    fileprivate var isASCIIDigit: Bool { isASCII && isNumber }
}
