import Media
import Store

/// Lua scripts for claims. Each runs on the server in one step. All keys of a picture share a hash tag, so that one server has them
/// all.
///
/// The keys are the thumbnail, the failure, the lease and the set of waiting nodes. The first argument is the lease's token,
/// `NODE:INCARNATION:NUMBER`. The second is the picture's base key, which messages to nodes contain.
package enum ClaimScripts {
    static let claim = 0
    static let finish = 1
    static let release = 2
    static let keep = 3
    static let drop = 4
    static let look = 5

    static let all = [
        // Claim. Arguments: token, base, own node, lease in ms, time a thumbnail must be newer than, "1" to forget a failure.
        // Returns {"T", thumbnail}, {"N", failure, remaining ms}, {"L", number of other waiting nodes} or {"W", remaining ms of the
        // lease}.
        find + notify + """
            local found, lease = find(redis.call('MGET', KEYS[1], KEYS[2], KEYS[3]))
            if found then return found end
            if not lease then
              redis.call('SET', KEYS[3], ARGV[1], 'PX', ARGV[4])
              local others = redis.call('SCARD', KEYS[4])
              if others > 0 and redis.call('SREM', KEYS[4], ARGV[3]) == 1 then others = others - 1 end
              return {'L', others}
            end
            if redis.call('SADD', KEYS[4], ARGV[3]) == 1 and redis.call('SCARD', KEYS[4]) == 1 then
              notify(string.match(lease, '^[^:]+'), 'W')
              redis.call('PEXPIRE', KEYS[4], 60000)
            end
            return {'W', redis.call('PTTL', KEYS[3])}
            """,
        // Finish. Arguments: token, base, "T" or "N", value, lifetime in ms. Returns 1 if the token still had the lease, else 0.
        notify + """
            local new, old = KEYS[1], KEYS[2]
            if ARGV[3] == 'N' then new, old = old, new end
            redis.call('SET', new, ARGV[4], 'PX', ARGV[5])
            local ours = redis.call('GET', KEYS[3]) == ARGV[1]
            notify_all('D', ARGV[3] == 'T' and #ARGV[4] <= 65536 and ' ' .. ARGV[4] or '')
            redis.call('DEL', old, KEYS[4], ours and KEYS[3] or old)
            return ours and 1 or 0
            """,
        // Release. Arguments: token, base. Returns 1 if the token still had the lease, else 0.
        notify + """
            if redis.call('GET', KEYS[3]) ~= ARGV[1] then return 0 end
            notify_all('R', '')
            redis.call('DEL', KEYS[3], KEYS[4])
            return 1
            """,
        // Keep (renew). Arguments: token, base, lease in ms. Returns 0 if the token no longer has the lease.
        notify + """
            if redis.call('GET', KEYS[3]) ~= ARGV[1] then return 0 end
            return redis.call('PEXPIRE', KEYS[3], ARGV[3])
            """,
        // Drop: removes a waiting node. Arguments: an empty one, base, own node.
        notify + """
            redis.call('SREM', KEYS[4], ARGV[3])
            local f = redis.call('GET', KEYS[3])
            if f and redis.call('SCARD', KEYS[4]) == 0 then notify(string.match(f, '^[^:]+'), 'A') end
            return 1
            """,
        // Look: reads without a claim. Arguments as for a claim. Returns "T" or "N" as a claim does, or {"0"} if the server has
        // neither a thumbnail nor a failure.
        find + """
            return find(redis.call('MGET', KEYS[1], KEYS[2], KEYS[3])) or {'0'}
            """,
    ]

    /// Lua function that returns the stored thumbnail or failure of a picture, or `nil` and the lease.
    ///
    /// Values that are not strings, or longer than nodes write, count as missing. A node overwrites them.
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

    /// Lua functions that publish messages on nodes' channels.
    ///
    /// The messages are `D` (done, with the thumbnail if it has at most 64 KiB), `R` (released), `W` (a node waits) and `A` (no node
    /// waits any more).
    private static let notify = """
        local function notify(node, message, more)
          if node then redis.call('PUBLISH', 'lk1:n:' .. node, message .. ' ' .. ARGV[2] .. (more or '')) end
        end
        local function notify_all(message, more)
          for _, node in ipairs(redis.call('SMEMBERS', KEYS[4])) do notify(node, message, more) end
        end

        """

    static func channel(of node: String) -> String { "lk1:n:\(node)" }

    /// Returns the keys of a picture, in the order that all scripts use.
    package static func keys(of base: String) -> [String] { ["t", "n", "f", "w"].map { "\(base):\($0)" } }
}

/// Reads the reply of the claim script. Treats malformed replies as no reply: the node then works without a lease and overwrites
/// the value.
package enum ClaimReply {
    package static func read(_ reply: RedisReply?) -> (ClaimResult, found: SharedThumbnails.Outcome?) {
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

extension LeaseMessage {
    /// Parses the first letter of a message that the scripts publish. `nil` if the letter is unknown.
    init?(code: UInt8?) {
        switch code {
        case UInt8(ascii: "D"): self = .done
        case UInt8(ascii: "R"): self = .released
        case UInt8(ascii: "W"): self = .othersWait
        case UInt8(ascii: "A"): self = .nobodyWaits
        default: return nil
        }
    }
}
