/// What the servers run for us, each in one step. All keys of a picture have one hash tag, so that they are on one server.
///
/// Keys are the thumbnail, the failure, the lease and the set of nodes that wait; the first argument is the lease's token,
/// `NODE:INCARNATION:NUMBER`, and the second the picture's base key, which words to nodes carry.
enum ClaimScripts {
    static let claim = 0
    static let finish = 1
    static let release = 2
    static let keep = 3
    static let drop = 4
    static let look = 5

    static let all = [
        // Arguments: token, base, own node, lease in ms, the time a thumbnail must be newer than, "1" to forget a failure.
        // Answers: {"T", thumbnail}, {"N", failure, ms}, {"L", others that wait}, {"W", ms of the lease}.
        tell + find + """
            local found = find()
            if found then return found end
            if redis.call('SET', KEYS[3], ARGV[1], 'NX', 'PX', ARGV[4]) then
              redis.call('SREM', KEYS[4], ARGV[3])
              return {'L', redis.call('SCARD', KEYS[4])}
            end
            if redis.call('SADD', KEYS[4], ARGV[3]) == 1 then
              tell(string.match(redis.call('GET', KEYS[3]), '^[^:]+'), 'W')
            end
            redis.call('PEXPIRE', KEYS[4], 60000)
            return {'W', redis.call('PTTL', KEYS[3])}
            """,
        // Arguments: token, base, "T" or "N", value, lifetime in ms. Answers 1 where the lease was still ours.
        tell + """
            if ARGV[3] == 'T' then
              redis.call('SET', KEYS[1], ARGV[4], 'PX', ARGV[5])
              redis.call('DEL', KEYS[2])
            else
              redis.call('SET', KEYS[2], ARGV[4], 'PX', ARGV[5])
              redis.call('DEL', KEYS[1])
            end
            local ours = redis.call('GET', KEYS[3]) == ARGV[1]
            if ours then redis.call('DEL', KEYS[3]) end
            tell_all('D')
            return ours and 1 or 0
            """,
        // Arguments: token, base.
        tell + """
            if redis.call('GET', KEYS[3]) ~= ARGV[1] then return 0 end
            redis.call('DEL', KEYS[3])
            tell_all('R')
            return 1
            """,
        // Arguments: token, base, lease in ms. Answers 0 where the lease is not ours any more.
        tell + """
            if redis.call('GET', KEYS[3]) ~= ARGV[1] then return 0 end
            return redis.call('PEXPIRE', KEYS[3], ARGV[3])
            """,
        // Arguments: none, base, own node.
        tell + """
            redis.call('SREM', KEYS[4], ARGV[3])
            local f = redis.call('GET', KEYS[3])
            if f and redis.call('SCARD', KEYS[4]) == 0 then tell(string.match(f, '^[^:]+'), 'A') end
            return 1
            """,
        // Arguments as of a claim, of which it answers the first two. Answers {"0"} where there is neither.
        find + """
            return find() or {'0'}
            """,
    ]

    /// What is there of a picture.
    private static let find = """
        local function find()
          local t = redis.call('GET', KEYS[1])
          if t and #t >= 8 and struct.unpack('>d', t) > tonumber(ARGV[5]) then return {'T', t} end
          if ARGV[6] == '1' then redis.call('DEL', KEYS[2]) end
          local n = redis.call('GET', KEYS[2])
          if n then return {'N', n, redis.call('PTTL', KEYS[2])} end
        end

        """

    /// Words go to a node's channel: `D` done, `R` released, `W` somebody waits, `A` nobody waits.
    private static let tell = """
        local function tell(node, word)
          if node then redis.call('PUBLISH', 'lk1:n:' .. node, word .. ' ' .. ARGV[2]) end
        end
        local function tell_all(word)
          for _, node in ipairs(redis.call('SMEMBERS', KEYS[4])) do tell(node, word) end
          redis.call('DEL', KEYS[4])
        end

        """

    /// The channel of a node.
    static func channel(of node: String) -> String { "lk1:n:\(node)" }

    /// The keys of a picture, in the order in which all scripts take them.
    static func keys(of base: String) -> [String] { ["t", "n", "f", "w"].map { "\(base):\($0)" } }
}
