import Fetch
import Gallery
import Media
import Synchronization

/// Host names that this server accepts.
///
/// The check prevents DNS rebinding: a page of another site can let its own name resolve to this server's address, and so gets the same
/// origin as the server. Its requests still contain the other name.
package struct HostNames: Sendable {
    private let listening: String
    private let allowed: Set<String>
    private let allowsAnyAddress: Bool

    /// - Parameters:
    ///   - listening: address that the server listens on.
    ///   - allowed: names of the server at proxies and name servers, without ports.
    /// - Throws: ``SettingError`` if a text is not a name.
    package init(listening: String, allowed: [String]) throws(SettingError) {
        self.listening = listening.lowercased()
        // A server that listens on all addresses accepts all numeric hosts. DNS rebinding needs a name and cannot use an address.
        allowsAnyAddress = listening == "0.0.0.0" || listening == "::"
        var names: Set<String> = []
        for text in allowed {
            let bare = IPAddress(text) != nil && text.contains(":") ? "[\(text)]" : text
            guard let authority = Authority(header: bare), authority.port == nil else {
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

/// Cache of accepted Host headers, compared byte by byte. Nearly every request repeats one of them, and parsing is most of the cost of the
/// check.
package final class AcceptedHosts: Sendable {
    /// Maximum number of cached headers, more than the names, ports and spellings in use. Other headers are parsed for each request.
    package static let maximum = 64

    private let hosts = Mutex<Set<String>>([])

    func contains(_ host: String) -> Bool { hosts.withLock { $0.contains(host) } }

    func insert(_ host: String) {
        hosts.withLock { if $0.count < Self.maximum { $0.insert(host) } }
    }
}
