import CMicroHTTPD
import Glibc
import Numbers

/// Connection and stream limits of a server, reduced to fit the available file descriptors.
struct DescriptorLimit {
    let connections: Int
    let streams: Int
    /// Warning if the descriptors do not suffice for the configured limits.
    let note: String?

    /// Raises the soft descriptor limit to the hard limit, then fits the configuration into it.
    static func raised(for configuration: ServerConfiguration) throws(ServerError) -> DescriptorLimit {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
            throw ServerError.system("the limit of file descriptors is unknown", code: errno)
        }
        if limit.rlim_cur < limit.rlim_max {
            limit.rlim_cur = limit.rlim_max
            _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            _ = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        }
        return fit(configuration, descriptors: Int(clamping: limit.rlim_cur))
    }

    /// Number of descriptors that a server needs for itself, including its start-up test.
    private static let own = 24

    /// Checks that the descriptors for a server without any client are available.
    /// - Throws: ``ServerError`` if too few are left. Without this check the start-up test would fail and blame the library.
    static func requireOwn() throws(ServerError) {
        var held: [Int32] = []
        defer { for descriptor in held { close(descriptor) } }
        while held.count < own {
            let descriptor = micro_eventfd()
            guard descriptor >= 0 else {
                throw ServerError.system(
                    "only \(held.count) file descriptors are left; a server needs \(own) and one for each "
                        + "connection: raise ulimit -n", code: errno)
            }
            held.append(descriptor)
        }
    }

    static func fit(_ configuration: ServerConfiguration, descriptors: Int) -> DescriptorLimit {
        // The server itself uses two epolls, two eventfds, the listening socket, a spare, and a copy of one socket during a handoff.
        let free = max(2, descriptors - configuration.reservedDescriptors - 16)
        let wanted = configuration.maxConnections + configuration.maxStreams
        if wanted <= free {
            return DescriptorLimit(
                connections: configuration.maxConnections, streams: configuration.maxStreams, note: nil)
        }
        let connections = max(1, Int(clamping: Double(free) * Double(configuration.maxConnections) / Double(wanted)))
        let streams = min(configuration.maxStreams, max(1, free - connections))
        return DescriptorLimit(
            connections: connections, streams: streams,
            note:
                "the limit is \(descriptors) file descriptors: only \(connections) connections and \(streams) "
                + "streams fit; raise ulimit -n")
    }
}
