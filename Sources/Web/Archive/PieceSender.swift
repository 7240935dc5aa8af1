import MicroHTTP
import Thumbnails

/// Sends a download in pieces, as fast as the client reads. The threads of the file's folder read the file, so a disk that hangs delays
/// only its own downloads. At most one piece of a file is in memory.
struct PieceSender: Sendable {
    static let length = 256 << 10

    let thumbnails: ThumbnailService
    let downloads: Downloads
    let stream: ByteStream
    let place: Downloads.Place

    struct Left: Error {}
    /// The file is shorter than before.
    private struct Shortened: Error {}

    /// Sends a part of a file as the body of a response with a declared length. Cuts the connection on failure.
    ///
    /// - Returns: whether the part was sent completely.
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
    /// - Parameter use: called with the bytes on the same thread.
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

    /// Returns once the kernel has accepted the bytes.
    func send(_ bytes: [UInt8]) async throws {
        guard !Task.isCancelled, !bytes.isEmpty else { throw Left() }
        guard await downloads.write(bytes, to: stream, of: place) else { throw Left() }
    }
}
