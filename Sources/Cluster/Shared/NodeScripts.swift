/// Lua scripts of nodes and resting hosts; each runs on the server in one step.
enum NodeScripts {
    static let rest = ClaimScripts.all.count
    static let beat = rest + 1
    static let leave = rest + 2

    static let all = [
        // Key: of a host. Arguments: milliseconds that it rests. The longest rest counts.
        """
        if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[1]) then redis.call('SET', KEYS[1], '1', 'PX', ARGV[1]) end
        return 1
        """,
        // Keys: of all nodes, revision of the galleries. Arguments: own node, milliseconds after which a node that is silent
        // counts no more. Answers how many nodes there are, and the revision. The time is the server's: clocks of nodes differ.
        """
        local time = redis.call('TIME')
        local now = time[1] * 1000 + math.floor(time[2] / 1000)
        redis.call('ZADD', KEYS[1], now, ARGV[1])
        redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ARGV[2])
        redis.call('PEXPIRE', KEYS[1], ARGV[2])
        local revision = redis.pcall('GET', KEYS[2])
        return {redis.call('ZCARD', KEYS[1]), type(revision) == 'string' and tonumber(revision) or 0}
        """,
        // Key: of all nodes. Arguments: own node.
        """
        return redis.call('ZREM', KEYS[1], ARGV[1])
        """,
    ]

    /// Milliseconds after which a node that is silent counts no more: it says that it is there each second.
    static let silence = 5_000
}

/// All scripts that servers run for us, in the order in which the client names them.
enum SharedScripts {
    static let all = ClaimScripts.all + NodeScripts.all + GalleryScripts.all
}
