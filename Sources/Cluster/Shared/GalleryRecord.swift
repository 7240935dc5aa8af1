import CZlib

/// The record of a shared gallery, without its items.
package struct GalleryRecord: Sendable, Equatable {
    package var title: String
    package var itemCount: Int
    package var chunks: Int
    /// Client that created the gallery, as limits count clients: an address or a network. `nil` for the operator of the servers.
    package var network: String?

    private static let magic = "LKG1"
    static let maxBytes = 4_096

    package init(title: String, itemCount: Int, chunks: Int, network: String?) {
        (self.title, self.itemCount, self.chunks, self.network) = (title, itemCount, chunks, network)
    }

    /// Stored form: one line each for `LKG1 CHUNKS ITEMS`, the network and the title. The title may contain line breaks.
    package var bytes: [UInt8] { Array("\(Self.magic) \(chunks) \(itemCount)\n\(network ?? "")\n\(title)".utf8) }

    /// Parses a record that ``bytes`` wrote. `nil` if the bytes are malformed.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count < Self.maxBytes, let text = String(validating: bytes, as: UTF8.self) else { return nil }
        let lines = text.split(separator: "\n", maxSplits: 2, omittingEmptySubsequences: false)
        guard lines.count == 3 else { return nil }
        let words = lines[0].split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 3, words[0] == Self.magic, let chunks = Int(words[1]), let items = Int(words[2]),
            chunks >= 0, items >= 0, chunks <= items
        else { return nil }
        self.init(
            title: String(lines[2]), itemCount: items, chunks: chunks,
            network: lines[1].isEmpty ? nil : String(lines[1]))
    }
}

/// A compressed part of a shared gallery's lines.
///
/// Its form is `LKC1`, the uncompressed size in four bytes (big-endian), and a zlib stream, which has a checksum.
package enum GalleryChunk {
    package static let maxItems = 4_096
    /// Uncompressed bytes from which a chunk gets no further lines. About 40 kB compressed, so that no thumbnail waits long for a
    /// chunk on the same connection.
    package static let fullBytes = 256 << 10
    /// Maximum uncompressed bytes of a chunk.
    package static let maxBytes = fullBytes + 128 << 10
    private static let magic = Array("LKC1".utf8)

    /// Compresses lines.
    ///
    /// - Returns: The chunk, or `nil` if there are more than ``maxBytes``.
    package static func encode(_ lines: [UInt8]) -> [UInt8]? {
        guard lines.count <= maxBytes else { return nil }
        var count = czlib_bound(lines.count)
        var body = [UInt8](repeating: 0, count: count)
        guard czlib_compress(lines, lines.count, &body, &count) else { return nil }
        let length = withUnsafeBytes(of: UInt32(lines.count).bigEndian) { Array($0) }
        return magic + length + Array(body.prefix(count))
    }

    /// Expands a chunk that ``encode(_:)`` compressed.
    ///
    /// - Returns: The lines, or `nil` if the bytes are malformed.
    package static func decode(_ bytes: [UInt8]) -> [UInt8]? {
        guard bytes.starts(with: magic), bytes.count > 8 else { return nil }
        let length = bytes[4..<8].reduce(0) { $0 << 8 | Int($1) }
        guard length <= maxBytes else { return nil }
        var lines = [UInt8](repeating: 0, count: max(1, length))
        var count = lines.count
        let body = Array(bytes[8...])
        guard czlib_expand(body, body.count, &lines, &count), count == length else { return nil }
        return length == lines.count ? lines : []
    }
}
