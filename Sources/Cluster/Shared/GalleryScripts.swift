/// Lua scripts of shared galleries; each runs on the server in one step. A gallery's keys are its record's, and for each chunk that with `:c:` and
/// its number. They never expire; the record of one that was deleted says so for a week, to nodes that were away.
package enum GalleryScripts {
    static let list = NodeScripts.rest + NodeScripts.all.count
    static let commit = list + 1
    static let remove = list + 2

    static let all = [
        // Keys: ids, revision. Answers {revision, "id id…"}: one string, since a reply has a limit of elements.
        """
        return {tonumber(redis.call('GET', KEYS[2]) or 0), table.concat(redis.call('SMEMBERS', KEYS[1]), ' ')}
        """,
        // Keys: record, ids, revision, nodes, then all chunks. Arguments: id, record. Answers 1; 0 where a chunk is not there;
        // -1 where it was deleted.
        tell + """
            local known = redis.call('GET', KEYS[1])
            if known == 'removed' then return -1 end
            for i = 5, #KEYS do if redis.call('EXISTS', KEYS[i]) == 0 then return 0 end end
            for i = 5, #KEYS do redis.call('PERSIST', KEYS[i]) end
            if not known then redis.call('SET', KEYS[1], ARGV[2]) end
            if redis.call('SADD', KEYS[2], ARGV[1]) == 1 then tell() end
            return 1
            """,
        // Keys: record, ids, revision, nodes. Arguments: id, milliseconds to remember it for.
        tell + """
            local known = redis.call('GET', KEYS[1])
            local chunks = known and tonumber(string.match(known, '^LKG1 (%d+) ')) or 0
            redis.call('SET', KEYS[1], 'removed', 'PX', ARGV[2])
            for i = 0, chunks - 1 do redis.call('UNLINK', KEYS[1] .. ':c:' .. i) end
            if redis.call('SREM', KEYS[2], ARGV[1]) == 1 then tell() end
            return 1
            """,
    ]

    /// The revision counts what was changed; `G` tells all nodes to ask for it.
    private static let tell = """
        local function tell()
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

    /// Milliseconds that a deleted gallery is remembered: longer than a node is away that still has it.
    static let remembered = 7 * 86_400_000
    /// Milliseconds that chunks are kept of a gallery that is never completed.
    static let unfinished = 600_000
}
