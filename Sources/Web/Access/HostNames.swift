import Fetch
import Gallery
import Pictures
import Synchronization
import Thumbnails

/// The names this server answers to.
///
/// A page of another site can have its own name resolve to this server's address (DNS rebinding) and would then be of
/// the same origin; but its requests still carry its name.
package struct HostNames: Sendable {
    private let listening: String
    private let allowed: Set<String>
    private let allowsAnyAddress: Bool

    /// - Parameters:
    ///   - listening: the address the server listens on.
    ///   - allowed: names that proxies and name servers know it by, without ports.
    /// - Throws: ``SettingError`` for a name that is none.
    package init(listening: String, allowed: [String]) throws(SettingError) {
        self.listening = listening.lowercased()
        // Listening on every address it answers to each of them; a name is needed to rebind, an address cannot be.
        allowsAnyAddress = listening == "0.0.0.0" || listening == "::"
        var names: Set<String> = []
        for text in allowed {
            let bare = IPAddress(text) != nil && text.contains(":") ? "[\(text)]" : text
            guard let authority = Authority(bare), authority.port == nil, !authority.host.contains("/") else {
                throw SettingError("--allow-host must be a host name without scheme and port, not \"\(text)\"")
            }
            names.insert(authority.host)
        }
        self.allowed = names
    }

    func contains(_ authority: Authority) -> Bool {
        authority.isLoopback || authority.host == listening || allowed.contains(authority.host)
            || allowsAnyAddress && IPAddress(authority.host) != nil
    }
}

/// Host headers known to name this server, compared byte by byte: nearly every request repeats one of them, and
/// parsing is most of the cost of the check.
package final class AcceptedHosts: Sendable {
    /// More than the names, ports and spellings in use; beyond these each is parsed again.
    package static let most = 64

    private let hosts = Mutex<Set<String>>([])

    func contains(_ host: String) -> Bool { hosts.withLock { $0.contains(host) } }

    func insert(_ host: String) {
        hosts.withLock { if $0.count < Self.most { $0.insert(host) } }
    }
}
