/// Galleries that several nodes share: lists of addresses, in Redis or Valkey, in chunks that no node holds at once.
///
/// Each server has the galleries whose ids fall to it. Nothing is answered (`nil`, `false`) by a server that is away.
package struct SharedGalleries: Sendable {
    package enum Outcome: Sendable, Equatable {
        case kept
        /// It was deleted.
        case removed
        /// The server is away, full, or has lost a part of it.
        case failed
    }

    private let shared: SharedThumbnails

    package init(_ shared: SharedThumbnails) { self.shared = shared }

    package var servers: [RedisAddress] { shared.client?.servers ?? [] }

    package func server(of id: String) -> Int { shared.server(of: GalleryScripts.record(of: id)) }

    /// Calls `onRevision` with a server's revision, about once a second and at once when a gallery was made or deleted, on the
    /// client's thread, which it must not hold up. Galleries have changed where the revision has.
    package func watch(_ onRevision: @escaping @Sendable (_ server: Int, _ revision: Int64) -> Void) {
        shared.state.withLock { $0.onRevision = onRevision }
        // Those that were open before are asked anew.
        for server in servers.indices { shared.beat(server) }
    }

    // MARK: Looking

    /// The galleries of a server, and its revision.
    package func list(_ server: Int) async -> (revision: Int64, ids: Set<String>)? {
        let command = RedisCommand(
            script: GalleryScripts.list, keys: [GalleryScripts.ids, GalleryScripts.revision], arguments: [])
        guard let answer = await reply(to: command, from: server)?.array, answer.count == 2,
            let revision = answer[0].integer, let ids = answer[1].bytes
        else { return nil }
        let words = String(decoding: ids, as: UTF8.self).split(separator: " ")
        return (revision, Set(words.map(String.init).filter(Self.isID)))
    }

    /// Whether a text may be the id of a gallery that was made through the API.
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

    /// A chunk as it was put there. Decode it elsewhere than on Swift's threads.
    package func chunk(_ number: Int, of id: String) async -> [UInt8]? {
        let command = RedisCommand(
            "GETRANGE", GalleryScripts.chunk(number, of: id), "0", "\(2 * GalleryChunk.maxBytes)")
        return await reply(to: command, from: server(of: id))?.bytes
    }

    /// The policy by which a server may throw galleries away when it is full; `nil` where it has none such, or does not tell.
    package func evictingPolicy(_ server: Int) async -> String? {
        guard let text = await reply(to: RedisCommand("INFO", "memory"), from: server)?.bytes else { return nil }
        let lines = String(decoding: text, as: UTF8.self).split(whereSeparator: \.isNewline)
        guard !lines.contains("maxmemory:0"), let policy = lines.first(where: { $0.hasPrefix("maxmemory_policy:") })
        else { return nil }
        let name = policy.dropFirst("maxmemory_policy:".count)
        return name.hasPrefix("allkeys-") ? String(name) : nil
    }

    // MARK: Changing

    /// Puts a chunk of a gallery that is not there yet; what nobody commits is gone after ten minutes.
    package func put(_ chunk: [UInt8], _ number: Int, of id: String) async -> Bool {
        let key = GalleryScripts.chunk(number, of: id)
        let words: [[UInt8]] = [
            Array("SET".utf8), Array(key.utf8), chunk, Array("NX".utf8), Array("PX".utf8),
            Array("\(GalleryScripts.unfinished)".utf8),
        ]
        // Nothing where the chunk is there already: another node has put the same.
        switch await reply(to: RedisCommand(words: words), from: server(of: id)) {
        case .bytes?, .nothing?: return true
        default: return false
        }
    }

    /// Makes a gallery, all chunks of which are there, known to all nodes.
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
