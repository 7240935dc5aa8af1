/// Galleries that several nodes share: lists of addresses in Redis or Valkey. Each list is stored in chunks, so that no node needs
/// the whole list in memory.
///
/// The hash of a gallery's id selects its server. If a server is unavailable, methods return `nil` or `false`.
package struct SharedGalleries: Sendable {
    package enum Outcome: Sendable, Equatable {
        case kept
        case removed
        /// The server is unavailable or full, or lost a part of the gallery.
        case failed
    }

    private let shared: SharedThumbnails

    package init(_ shared: SharedThumbnails) { self.shared = shared }

    package var servers: [RedisAddress] { shared.client?.servers ?? [] }

    package func server(of id: String) -> Int { shared.server(of: GalleryScripts.record(of: id)) }

    /// Calls `onRevision` with each server's revision. A new revision means that galleries of the server changed.
    ///
    /// Calls about once a second, and immediately when a gallery is created or deleted. The calls are on the client's thread, so
    /// `onRevision` must not block.
    package func watch(_ onRevision: @escaping @Sendable (_ server: Int, _ revision: Int64) -> Void) {
        shared.state.withLock { $0.onRevision = onRevision }
        // Servers that connected earlier reported their revision to nobody: requests it again.
        for server in servers.indices { shared.beat(server) }
    }

    // MARK: Reading

    package func list(_ server: Int) async -> (revision: Int64, ids: Set<String>)? {
        let command = RedisCommand(
            script: GalleryScripts.list, keys: [GalleryScripts.ids, GalleryScripts.revision], arguments: [])
        guard let values = await reply(to: command, from: server)?.array, values.count == 2,
            let revision = values[0].integer, let ids = values[1].bytes
        else { return nil }
        let words = String(decoding: ids, as: UTF8.self).split(separator: " ")
        return (revision, Set(words.map(String.init).filter(Self.isID)))
    }

    /// Whether a text may be the id of a gallery that was created through the API: 16 hexadecimal digits.
    package static func isID(_ id: String) -> Bool {
        id.utf8.count == 16 && id.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
    }

    package enum Standing: Sendable, Equatable {
        case absent
        case kept(GalleryRecord)
        case removed
        case unknown
    }

    package func standing(of id: String) async -> Standing {
        let command = RedisCommand("GETRANGE", GalleryScripts.record(of: id), "0", "\(GalleryRecord.maxBytes)")
        guard let bytes = await reply(to: command, from: server(of: id))?.bytes else { return .unknown }
        if bytes.isEmpty { return .absent }
        if bytes == Array("removed".utf8) { return .removed }
        return GalleryRecord(bytes).map(Standing.kept) ?? .unknown
    }

    /// Reads a chunk, still compressed. Do not decode it on Swift's cooperative threads.
    package func chunk(_ number: Int, of id: String) async -> [UInt8]? {
        let command = RedisCommand(
            "GETRANGE", GalleryScripts.chunk(number, of: id), "0", "\(2 * GalleryChunk.maxBytes)")
        return await reply(to: command, from: server(of: id))?.bytes
    }

    /// Returns the name of the policy by which a full server may evict galleries. `nil` if the server evicts none, or reports no
    /// policy.
    package func evictingPolicy(_ server: Int) async -> String? {
        guard let text = await reply(to: RedisCommand("INFO", "memory"), from: server)?.bytes else { return nil }
        let lines = String(decoding: text, as: UTF8.self).split(whereSeparator: \.isNewline)
        guard !lines.contains("maxmemory:0"), let policy = lines.first(where: { $0.hasPrefix("maxmemory_policy:") })
        else { return nil }
        let name = policy.dropFirst("maxmemory_policy:".count)
        return name.hasPrefix("allkeys-") ? String(name) : nil
    }

    // MARK: Writing

    /// Stores a chunk of a new gallery. The chunk expires after ten minutes unless the gallery is committed.
    package func put(_ chunk: [UInt8], _ number: Int, of id: String) async -> Bool {
        let key = GalleryScripts.chunk(number, of: id)
        let words: [[UInt8]] = [
            Array("SET".utf8), Array(key.utf8), chunk, Array("NX".utf8), Array("PX".utf8),
            Array("\(GalleryScripts.unfinished)".utf8),
        ]
        // The reply is empty if the server has the chunk already: another node stored the same bytes.
        switch await reply(to: RedisCommand(words: words), from: server(of: id)) {
        case .bytes?, .nothing?: return true
        default: return false
        }
    }

    /// Publishes a gallery to all nodes. Its chunks must all be stored.
    package func commit(_ record: GalleryRecord, of id: String) async -> Outcome {
        guard record.bytes.count < GalleryRecord.maxBytes else { return .failed }
        let command = RedisCommand(
            script: GalleryScripts.commit,
            keys: keys(of: id) + (0..<record.chunks).map { GalleryScripts.chunk($0, of: id) },
            arguments: [Array(id.utf8), record.bytes])
        switch await reply(to: command, from: server(of: id))?.integer {
        case .some(1): return .kept
        case .some(-1): return .removed
        default: return .failed
        }
    }

    /// Deletes a gallery for all nodes.
    package func remove(_ id: String) async -> Bool {
        let command = RedisCommand(
            script: GalleryScripts.remove, keys: keys(of: id),
            arguments: [Array(id.utf8), Array("\(GalleryScripts.remembered)".utf8)])
        return await reply(to: command, from: server(of: id))?.integer == 1
    }

    private func keys(of id: String) -> [String] {
        [GalleryScripts.record(of: id), GalleryScripts.ids, GalleryScripts.revision, SharedKeys.nodes]
    }

    private func reply(to command: RedisCommand, from server: Int) async -> RedisReply? {
        await shared.client?.reply(to: command, from: server)
    }
}
