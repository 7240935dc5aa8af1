/// All Lua scripts that the servers run. The client identifies a script by its index here.
enum SharedScripts {
    static let all = ClaimScripts.all + NodeScripts.all + GalleryScripts.all
}

/// Lua scripts for nodes and for hosts that cool down. Each runs on the server in one step.
enum NodeScripts {
    static let rest = ClaimScripts.all.count
    static let beat = rest + 1
    static let leave = rest + 2

    static let all = [
        // Key: host. Argument: cooldown of the host in ms. The longest cooldown counts.
        """
        if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[1]) then redis.call('SET', KEYS[1], '1', 'PX', ARGV[1]) end
        return 1
        """,
        // Keys: nodes, revision of the galleries. Arguments: own node, ms of silence after which a node no longer counts. Returns
        // the number of nodes, and the revision. Uses the server's time, because clocks of nodes differ.
        """
        local time = redis.call('TIME')
        local now = time[1] * 1000 + math.floor(time[2] / 1000)
        redis.call('ZADD', KEYS[1], now, ARGV[1])
        redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ARGV[2])
        redis.call('PEXPIRE', KEYS[1], ARGV[2])
        local revision = redis.pcall('GET', KEYS[2])
        return {redis.call('ZCARD', KEYS[1]), type(revision) == 'string' and tonumber(revision) or 0}
        """,
        // Key: nodes. Argument: own node.
        """
        return redis.call('ZREM', KEYS[1], ARGV[1])
        """,
    ]

    /// Silence after which a node no longer counts, in milliseconds. Each node reports once a second.
    static let silence = 5_000
}

/// Lua scripts for shared galleries. Each runs on the server in one step.
///
/// A gallery has one key for its record, and one key for each chunk: the record's key, `:c:` and the chunk's number. The keys of a
/// committed gallery never expire. The record of a deleted gallery says `removed` for a week, for nodes that were disconnected.
package enum GalleryScripts {
    static let list = NodeScripts.rest + NodeScripts.all.count
    static let commit = list + 1
    static let remove = list + 2

    static let all = [
        // Keys: ids, revision. Returns {revision, "id id…"}: one string, because a reply has a limit of elements.
        """
        return {tonumber(redis.call('GET', KEYS[2]) or 0), table.concat(redis.call('SMEMBERS', KEYS[1]), ' ')}
        """,
        // Keys: record, ids, revision, nodes, then all chunks. Arguments: id, record. Returns 1, 0 if a chunk is missing, or -1 if
        // the gallery was deleted.
        notify + """
            local known = redis.call('GET', KEYS[1])
            if known == 'removed' then return -1 end
            for i = 5, #KEYS do if redis.call('EXISTS', KEYS[i]) == 0 then return 0 end end
            for i = 5, #KEYS do redis.call('PERSIST', KEYS[i]) end
            if not known then redis.call('SET', KEYS[1], ARGV[2]) end
            if redis.call('SADD', KEYS[2], ARGV[1]) == 1 then notify() end
            return 1
            """,
        // Keys: record, ids, revision, nodes. Arguments: id, ms to remember the deleted gallery.
        notify + """
            local known = redis.call('GET', KEYS[1])
            local chunks = known and tonumber(string.match(known, '^LKG1 (%d+) ')) or 0
            redis.call('SET', KEYS[1], 'removed', 'PX', ARGV[2])
            for i = 0, chunks - 1 do redis.call('UNLINK', KEYS[1] .. ':c:' .. i) end
            if redis.call('SREM', KEYS[2], ARGV[1]) == 1 then notify() end
            return 1
            """,
    ]

    /// The revision counts changes. The message `G` asks all nodes to read the revision.
    private static let notify = """
        local function notify()
          redis.call('INCR', KEYS[3])
          for _, node in ipairs(redis.call('ZRANGE', KEYS[4], 0, -1)) do
            redis.call('PUBLISH', 'lk1:n:' .. node, 'G ' .. ARGV[1])
          end
        end

        """

    package static let ids = "lk1:g"
    package static let revision = "lk1:g:rev"

    package static func record(of id: String) -> String { "lk1:{g:\(id)}" }

    package static func chunk(_ number: Int, of id: String) -> String { "\(record(of: id)):c:\(number)" }

    /// Time for which a deleted gallery is remembered, in milliseconds: longer than any node with a copy stays disconnected.
    static let remembered = 7 * 86_400_000
    /// Lifetime of the chunks of an unfinished gallery, in milliseconds.
    static let unfinished = 600_000
}
