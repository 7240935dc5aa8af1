import Synchronization

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
