import Numbers

// Cooldowns of hosts, and the number of nodes.
extension SharedThumbnails {
    /// Reports to all nodes that a host cools down. Returns immediately.
    ///
    /// - Parameters:
    ///   - host: Name and port of the host.
    ///   - milliseconds: Duration of the cooldown, from now.
    package func pause(_ host: String, for milliseconds: Double) {
        guard let client, milliseconds >= 1 else { return }
        let rest = Array("\(Int(clamping: min(milliseconds, Self.longestPause)))".utf8)
        // Writes to every server, because a claim reads the cooldown from its own server only.
        for server in client.servers.indices {
            client.send(
                RedisCommand(script: NodeScripts.rest, keys: [SharedKeys.rest(of: host)], arguments: [rest]), to: server
            ) { _ in }
        }
    }

    /// Maximum cooldown of a host, in milliseconds, even if another node reports a longer one.
    static let longestPause = 3_600_000.0

    /// Returns the thumbnail or failure that another node stored, without a claim. `nil` if there is neither. For pictures whose host
    /// cools down.
    package func look(_ claim: Claim) async -> Outcome? {
        guard let client else { return nil }
        let base = keys.base(of: claim.storeKey)
        let command = RedisCommand(
            script: ClaimScripts.look, keys: ClaimScripts.keys(of: base),
            arguments: [
                [], Array(base.utf8), Array(node.utf8), [], Array("\(claim.newerThan)".utf8),
                Array((claim.forgives ? "1" : "0").utf8),
            ])
        let found = ClaimReply.read(await client.reply(to: command, from: server(of: base))).found
        if let found { state.withLock { $0.counts.add(.found(found)) } }
        return found
    }

    /// Calls `onChange` with the number of nodes: now, and on the client's thread after each change. `onChange` must not block.
    package func watchNodes(_ onChange: @escaping @Sendable (Int) -> Void) {
        let nodes = state.withLock { state in
            state.onNodes = onChange
            return state.nodes.nodes
        }
        onChange(nodes)
    }

    /// Registers this node at a server, and reads the count of nodes and the galleries' revision.
    func beat(_ server: Int) {
        client?.send(
            RedisCommand(
                script: NodeScripts.beat, keys: [SharedKeys.nodes, GalleryScripts.revision],
                arguments: [Array(node.utf8), Array("\(NodeScripts.silence)".utf8)]), to: server
        ) { [weak self] reply in
            guard let self, let words = reply?.array, words.count == 2, let count = words[0].integer,
                let revision = words[1].integer
            else { return }
            let onRevision = state.withLock { state in
                state.counted[server] = Int(count)
                return state.onRevision
            }
            onRevision?(server, revision)
        }
    }

    /// Updates the number of nodes from the counts that servers reported since the last call.
    func countNodes() {
        let news: (onNodes: @Sendable (Int) -> Void, nodes: Int)? = state.withLock { state in
            // Uses the highest count: a server that counts fewer nodes has lost some.
            guard let count = state.counted.compactMap(\.self).max() else { return nil }
            state.counted = state.counted.map { _ in nil }
            let before = state.nodes.nodes
            state.nodes.take(count)
            state.counts.nodes = state.nodes.nodes
            guard let onNodes = state.onNodes, before != state.nodes.nodes else { return nil }
            return (onNodes, state.nodes.nodes)
        }
        if let news { news.onNodes(news.nodes) }
    }

    /// Deregisters this node from every server.
    func leave() {
        guard let client else { return }
        for server in client.servers.indices {
            client.send(
                RedisCommand(script: NodeScripts.leave, keys: [SharedKeys.nodes], arguments: [Array(node.utf8)]),
                to: server
            ) { _ in }
        }
    }
}

/// The number of nodes, smoothed from the counts of each second.
///
/// Each count moves the number by a part of the difference, so that a node that pauses or restarts does not change limits. The
/// number rises faster than it falls, because too many requests harm hosts. Without a count the number stays the same: nodes still
/// run if they cannot reach the server.
package struct NodeCount: Sendable {
    private var average: Double?

    package init() {}

    /// Number of nodes, at least 1. 1 before the first count.
    package var nodes: Int { Int(clamping: (average ?? 1).rounded()) }

    /// Adds a count to the average.
    ///
    /// - Parameter count: Nodes counted now. Values below 1 count as 1.
    package mutating func take(_ count: Int) {
        let count = Double(min(max(1, count), 1_000_000))
        guard let before = average else {
            average = count
            return
        }
        average = before + (count - before) * (count > before ? 0.5 : 0.25)
    }
}
