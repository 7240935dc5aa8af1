import Synchronization

/// Host headers that were found to name this server, letter by letter: nearly every request repeats one of them, and
/// taking it apart is the greater part of looking at it.
final class AcceptedHosts: Sendable {
    /// As many as the names, ports and spellings in use; beyond them each is taken apart anew.
    static let most = 64

    private let hosts = Mutex<Set<String>>([])

    func contains(_ host: String) -> Bool { hosts.withLock { $0.contains(host) } }

    func insert(_ host: String) {
        hosts.withLock { if $0.count < Self.most { $0.insert(host) } }
    }
}
