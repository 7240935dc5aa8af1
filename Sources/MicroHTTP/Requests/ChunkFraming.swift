/// Checks the framing of a chunked body byte by byte (RFC 9112, section 7.1). libmicrohttpd 0.9.75 accepts a bare LF as the end of a line.
/// If a proxy in front does not, the two disagree about the end of a request. libmicrohttpd also accepts chunks of any size.
package struct ChunkFraming: Sendable {
    private enum State {
        /// In or after the digits of a chunk's size.
        case size(UInt64, digits: Int)
        case afterSize(UInt64)
        /// After the CR that ends a chunk's size.
        case sizeEnd(UInt64)
        case data(UInt64)
        case dataEnd
        case dataLineEnd
        /// In a line of the trailer. The value is the number of its bytes so far.
        case trailer(Int)
        case trailerEnd(Int)
        case complete
        case malformed
        case fieldsTooLarge
    }
    private var state = State.size(0, digits: 0)
    /// Total of all chunk sizes received, including chunks whose data has not arrived yet.
    private var announced: UInt64 = 0
    /// Received bytes of extensions and trailers.
    private var fieldBytes = 0
    /// Maximum number of bytes in extensions and trailers, which nobody reads.
    static let maxFieldBytes = 4096

    package init() {}

    /// Returns the error in the part of the body received so far, or `nil`. The body may have at most `limit` bytes.
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

    /// Processes the next bytes of the connection. Ignores bytes after the end of the body.
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
                // More than 16 digits are too many, even if they are zeros.
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

    /// Counts a byte of an extension or trailer and returns the next state.
    private mutating func field(_ byte: UInt8, _ next: State) -> State {
        guard byte >= 0x20 && byte != 0x7f || byte == UInt8(ascii: "\t") else { return .malformed }
        fieldBytes += 1
        return fieldBytes > Self.maxFieldBytes ? .fieldsTooLarge : next
    }
}
