import Pictures
import Store

/// Lua scripts of claims; each runs on the server in one step. All keys of a picture have one hash tag, so that they are on one server.
///
/// Keys are the thumbnail, the failure, the lease and the set of nodes that wait; the first argument is the lease's token,
/// `NODE:INCARNATION:NUMBER`, and the second the picture's base key, which words to nodes carry.
package enum ClaimScripts {
    static let claim = 0
    static let finish = 1
    static let release = 2
    static let keep = 3
    static let drop = 4
    static let look = 5

    static let all = [
        // Arguments: token, base, own node, lease in ms, the time a thumbnail must be newer than, "1" to forget a failure.
        // Answers: {"T", thumbnail}, {"N", failure, ms}, {"L", others that wait}, {"W", ms of the lease}.
        find + tell + """
            local found, lease = find(redis.call('MGET', KEYS[1], KEYS[2], KEYS[3]))
            if found then return found end
            if not lease then
              redis.call('SET', KEYS[3], ARGV[1], 'PX', ARGV[4])
              local others = redis.call('SCARD', KEYS[4])
              if others > 0 and redis.call('SREM', KEYS[4], ARGV[3]) == 1 then others = others - 1 end
              return {'L', others}
            end
            if redis.call('SADD', KEYS[4], ARGV[3]) == 1 and redis.call('SCARD', KEYS[4]) == 1 then
              tell(string.match(lease, '^[^:]+'), 'W')
              redis.call('PEXPIRE', KEYS[4], 60000)
            end
            return {'W', redis.call('PTTL', KEYS[3])}
            """,
        // Arguments: token, base, "T" or "N", value, lifetime in ms. Answers 1 where the lease was still ours.
        tell + """
            local new, old = KEYS[1], KEYS[2]
            if ARGV[3] == 'N' then new, old = old, new end
            redis.call('SET', new, ARGV[4], 'PX', ARGV[5])
            local ours = redis.call('GET', KEYS[3]) == ARGV[1]
            tell_all('D', ARGV[3] == 'T' and #ARGV[4] <= 65536 and ' ' .. ARGV[4] or '')
            redis.call('DEL', old, KEYS[4], ours and KEYS[3] or old)
            return ours and 1 or 0
            """,
        // Arguments: token, base.
        tell + """
            if redis.call('GET', KEYS[3]) ~= ARGV[1] then return 0 end
            tell_all('R', '')
            redis.call('DEL', KEYS[3], KEYS[4])
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
        // Takes the arguments of a claim. Answers as a claim does that finds a picture or a failure; {"0"} where there is neither.
        find + """
            return find(redis.call('MGET', KEYS[1], KEYS[2], KEYS[3])) or {'0'}
            """,
    ]

    /// The stored answer for a picture, or nothing and the lease. A value that is no text, or longer than any of ours
    /// and than a reply may be, counts as nothing, and is written over.
    private static let find = """
        local function find(values)
          local t, n = values[1], values[2]
          if t and #t >= 8 and #t <= 8000000 and struct.unpack('>d', t) > tonumber(ARGV[5]) then return {'T', t} end
          if n and (ARGV[6] == '1' or #n > 1024) then
            redis.call('DEL', KEYS[2])
            n = false
          end
          if n then return {'N', n, redis.call('PTTL', KEYS[2])} end
          return nil, values[3]
        end

        """

    /// Messages on a node's channel: `D` done, with the thumbnail where it is not large, `R` released, `W` a node waits, `A`
    /// none waits any more.
    private static let tell = """
        local function tell(node, word, more)
          if node then redis.call('PUBLISH', 'lk1:n:' .. node, word .. ' ' .. ARGV[2] .. (more or '')) end
        end
        local function tell_all(word, more)
          for _, node in ipairs(redis.call('SMEMBERS', KEYS[4])) do tell(node, word, more) end
        end

        """

    /// The channel of a node.
    static func channel(of node: String) -> String { "lk1:n:\(node)" }

    /// The keys of a picture, in the order in which all scripts take them.
    package static func keys(of base: String) -> [String] { ["t", "n", "f", "w"].map { "\(base):\($0)" } }
}

/// Reads the reply of the claim's script. Treats malformed replies as no reply: each server then works alone and overwrites the
/// value.
package enum ClaimReply {
    package static func read(_ reply: RedisReply?) -> (ClaimAnswer, found: SharedThumbnails.Answer?) {
        guard let words = reply?.array, words.count >= 2, let kind = words[0].bytes else { return (.away, nil) }
        switch String(decoding: kind, as: UTF8.self) {
        case "T":
            guard let thumbnail = words[1].bytes.flatMap(ThumbnailRecord.decode) else { return (.away, nil) }
            return (.found, .thumbnail(thumbnail))
        case "N":
            guard words.count == 3, let failure = words[1].bytes.flatMap({ SharedFailure($0) }),
                let rest = words[2].integer
            else { return (.away, nil) }
            return (.found, .failure(failure, milliseconds: min(max(0, Double(rest)), SharedFailure.longestLife)))
        case "L": return words[1].integer.map { (.lead(othersWait: $0 > 0), nil) } ?? (.away, nil)
        case "W": return words[1].integer.map { (.taken(rest: Double($0)), nil) } ?? (.away, nil)
        default: return (.away, nil)
        }
    }
}

extension LeaseWord {
    /// As the scripts publish it.
    init?(letter: UInt8?) {
        switch letter {
        case UInt8(ascii: "D"): self = .done
        case UInt8(ascii: "R"): self = .released
        case UInt8(ascii: "W"): self = .othersWait
        case UInt8(ascii: "A"): self = .nobodyWaits
        default: return nil
        }
    }
}
