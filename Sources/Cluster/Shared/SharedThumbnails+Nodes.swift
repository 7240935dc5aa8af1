import Numbers

// Hosts that rest, and the other nodes.
extension SharedThumbnails {
    /// Tells all nodes that a host rests. Returns at once.
    ///
    /// - Parameters:
    ///   - host: its name and port.
    ///   - milliseconds: from now on.
    package func rest(_ host: String, for milliseconds: Double) {
        guard let client, milliseconds >= 1 else { return }
        let rest = Array("\(Int(clamping: min(milliseconds, Self.longestRest)))".utf8)
        // On every server: a claim asks the one that it is put to, and waits for no other.
        for server in client.servers.indices {
            client.send(
                RedisCommand(script: NodeScripts.rest, keys: [SharedKeys.rest(of: host)], arguments: [rest]), to: server
            ) { _ in }
        }
    }

    /// Milliseconds that a host rests at most, whatever another node says.
    static let longestRest = 3_600_000.0

    /// The thumbnail another node made, used while the host of the picture rests; `nil`: nothing.
    package func look(_ claim: Claim) async -> Answer? {
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

    /// Has `onChange` told how many nodes there are, whenever that changes, on the client's thread, which it must not hold up.
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

    /// Takes what was counted in the last second.
    func countNodes() {
        let news: (onNodes: @Sendable (Int) -> Void, nodes: Int)? = state.withLock { state in
            // A server that counts few nodes is one that lost the others.
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

    /// Deregisters this node at all servers.
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

/// How many nodes there are, from what was counted each second.
///
/// It follows the count by a part of the difference each time, so that a node that pauses or starts again moves no limits: faster
/// upwards, since hosts suffer from too much, slower downwards. While nothing is counted it stays: nodes that cannot hear of each
/// other are there none the less.
package struct NodeCount: Sendable {
    private var average: Double?

    package init() {}

    /// 1 or more; 1 until something was counted.
    package var nodes: Int { Int(clamping: (average ?? 1).rounded()) }

    /// - Parameter count: counted now; below 1 it counts as 1.
    package mutating func take(_ count: Int) {
        let count = Double(min(max(1, count), 1_000_000))
        guard let before = average else {
            average = count
            return
        }
        average = before + (count - before) * (count > before ? 0.5 : 0.25)
    }
}
