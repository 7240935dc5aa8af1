import MicroHTTP
import Thumbnails

/// Sends a download piece by piece, as quickly as its client takes the pieces. The threads of a file's folder read it: a disk that
/// hangs holds up only its own downloads. Of a file one piece is held at a time.
struct PieceSender: Sendable {
    static let length = 256 << 10

    let thumbnails: ThumbnailService
    let downloads: Downloads
    let stream: ByteStream
    let place: Downloads.Place

    /// The client has left.
    struct Left: Error {}
    /// The file has become shorter.
    private struct Shortened: Error {}

    /// Sends a part of a file as the body of an answer that told its length. Breaks the connection off if that fails.
    ///
    /// - Returns: whether all of it was sent.
    func sendBody(_ part: Range<Int>, of original: OriginalPicture) async -> Bool {
        do {
            for piece in Self.pieces(of: part) { try await send(read(piece, of: original)) }
            stream.finish(keepAlive: true)
            return true
        } catch {
            stream.abort()
            return false
        }
    }

    static func pieces(of part: Range<Int>) -> some Sequence<Range<Int>> {
        stride(from: part.lowerBound, to: part.upperBound, by: length).lazy.map {
            $0..<min($0 + length, part.upperBound)
        }
    }

    /// Reads a piece of a file on a thread that may block.
    ///
    /// - Parameter use: called on the same thread.
    func read(
        _ piece: Range<Int>, of original: OriginalPicture, use: @escaping @Sendable ([UInt8]) throws -> Void = { _ in }
    ) async throws -> [UInt8] {
        try await thumbnails.queries.threads(for: original.root).run {
            Result {
                let bytes = try original.piece(from: piece.lowerBound, count: piece.count)
                guard bytes.count == piece.count else { throw Shortened() }
                try use(bytes)
                return bytes
            }
        }.get()
    }

    /// Returns when the kernel has the bytes.
    func send(_ bytes: [UInt8]) async throws {
        guard !Task.isCancelled, !bytes.isEmpty else { throw Left() }
        guard await downloads.write(bytes, to: stream, of: place) else { throw Left() }
    }
}
