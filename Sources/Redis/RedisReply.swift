import CHiredis

/// A reply of Redis.
package enum RedisReply: Sendable, Equatable {
    case nothing
    case integer(Int64)
    case bytes([UInt8])
    /// Beginning with a word in capitals, such as `OOM`.
    case error(String)
    case array([RedisReply])

    package var bytes: [UInt8]? { if case .bytes(let bytes) = self { bytes } else { nil } }

    package var integer: Int64? { if case .integer(let number) = self { number } else { nil } }

    package var array: [RedisReply]? { if case .array(let elements) = self { elements } else { nil } }

    /// Copies a reply of hiredis. One that is nested deeper than any answer to our commands counts as none.
    init(_ reply: UnsafeRawPointer, depth: Int = 4) {
        func text() -> UnsafeRawBufferPointer {
            var count = 0
            let bytes = chiredis_reply_bytes(reply, &count)
            return UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : count)
        }
        switch chiredis_reply_kind(reply) {
        case CHIREDIS_INTEGER: self = .integer(chiredis_reply_integer(reply))
        case CHIREDIS_BYTES: self = .bytes([UInt8](text()))
        case CHIREDIS_ERROR: self = .error(String(decoding: text(), as: UTF8.self))
        case CHIREDIS_ARRAY where depth > 0:
            self = .array(
                (0..<chiredis_reply_count(reply)).map { index in
                    chiredis_reply_element(reply, index).map { RedisReply($0, depth: depth - 1) } ?? .nothing
                })
        default: self = .nothing
        }
    }
}
