extension Outlet {
    package enum Kind: Sendable {
        /// An event stream: bounded, with heartbeats; what the peer sends is thrown away.
        case events
        /// A raw stream: what the peer sends is left in the kernel for the next request.
        case bytes
        /// An answer to a request that was not read to its end: what the peer still sends is thrown away until it has
        /// seen the answer. Closing at once would make the kernel reset the connection, and the answer be lost.
        case lingering
    }

    struct Configuration: Sendable {
        var limits = EventQueue.Limits.none
        var heartbeat = Duration.seconds(Int64.max)
        var stuckTimeout: Duration
        /// The most bytes that are read from the peer and discarded.
        static func patience(_ kind: Kind) -> Int { kind == .lingering ? 16 << 20 : 64 << 10 }
    }
}
