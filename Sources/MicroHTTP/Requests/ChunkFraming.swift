/// How a chunked body is framed on the wire (RFC 9112 section 7.1), byte by byte: libmicrohttpd 0.9.75 takes a bare LF for the
/// end of a line, which a proxy in front may not, so that the two would not agree where a request ends. And it waits for a chunk of
/// any size.
package struct ChunkFraming: Sendable {
    private enum State {
        /// In the digits of a chunk's size, or after them.
        case size(UInt64, digits: Int)
        case afterSize(UInt64)
        /// After the CR that ends a chunk's size.
        case sizeEnd(UInt64)
        case data(UInt64)
        case dataEnd
        case dataLineEnd
        /// In a line of the trailer that has so many bytes.
        case trailer(Int)
        case trailerEnd(Int)
        case complete
        case malformed
        case fieldsTooLarge
    }
    private var state = State.size(0, digits: 0)
    /// Bytes of all the chunks whose size came, whether they did or not.
    private var announced: UInt64 = 0
    /// Bytes of extensions and trailers that came.
    private var fieldBytes = 0
    /// Bytes of extensions and trailers that a body may have. Nobody reads them.
    static let maxFieldBytes = 4096

    package init() {}

    /// The error in a body of at most `limit` bytes, as far as it was received.
    package func fault(limit: Int) -> RequestError? {
        switch state {
        case .malformed: RequestError(status: 400, detail: "the chunks of the body are malformed")
        case .fieldsTooLarge:
            RequestError(
                status: 431, detail: "chunk extensions and trailers are larger than \(Self.maxFieldBytes) bytes")
        default:
            announced > UInt64(clamping: limit)
                ? RequestError(status: 413, detail: "the body is larger than \(limit) bytes") : nil
        }
    }

    package var isComplete: Bool { if case .complete = state { true } else { false } }

    /// Takes the next bytes of the connection; what comes after the body is left alone.
    package mutating func take(_ bytes: UnsafeRawBufferPointer) {
        var at = 0
        while at < bytes.count {
            switch state {
            case .complete, .malformed, .fieldsTooLarge: return
            case .data(let left):
                let taken = Int(min(left, UInt64(bytes.count - at)))
                at += taken
                state = left > UInt64(taken) ? .data(left - UInt64(taken)) : .dataEnd
            default:
                step(bytes[at])
                at += 1
            }
        }
    }

    private static let (cr, lf) = (UInt8(ascii: "\r"), UInt8(ascii: "\n"))

    private mutating func step(_ byte: UInt8) {
        switch state {
        case .size(let size, let digits):
            if let digit = ASCII.hexValue(byte) {
                // More digits than fit are too many, zeros or not.
                state = digits < 16 ? .size(size << 4 | UInt64(digit), digits: digits + 1) : .malformed
            } else if digits == 0 {
                state = .malformed
            } else {
                state = byte == UInt8(ascii: ";") ? .afterSize(size) : byte == Self.cr ? .sizeEnd(size) : .malformed
            }
        case .afterSize(let size): state = byte == Self.cr ? .sizeEnd(size) : field(byte, state)
        case .sizeEnd(let size):
            state = byte != Self.lf ? .malformed : size > 0 ? .data(size) : .trailer(0)
            announced = announced > .max - size ? .max : announced + size
        case .dataEnd: state = byte == Self.cr ? .dataLineEnd : .malformed
        case .dataLineEnd: state = byte == Self.lf ? .size(0, digits: 0) : .malformed
        case .trailer(let count):
            state = byte == Self.cr ? .trailerEnd(count) : field(byte, .trailer(count + 1))
        case .trailerEnd(let count): state = byte != Self.lf ? .malformed : count > 0 ? .trailer(0) : .complete
        case .data, .complete, .malformed, .fieldsTooLarge: break
        }
    }

    /// Counts a byte of an extension or a trailer, after which comes `next`.
    private mutating func field(_ byte: UInt8, _ next: State) -> State {
        guard byte >= 0x20 && byte != 0x7f || byte == UInt8(ascii: "\t") else { return .malformed }
        fieldBytes += 1
        return fieldBytes > Self.maxFieldBytes ? .fieldsTooLarge : next
    }
}
