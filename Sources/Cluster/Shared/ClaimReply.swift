import Pictures

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
