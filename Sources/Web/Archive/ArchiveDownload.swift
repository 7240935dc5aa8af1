import Catalog
import Gallery
import MicroHTTP
import Pictures
import Thumbnails

/// Sends the originals of some items, and the files that are one picture with them, as one ZIP archive, piece by piece, as quickly as the client takes them. At most two
/// pieces are held at a time, and, of a picture that comes over the network, its file.
///
/// Items without an original, or whose original is no picture, are left out and listed in a text at the end.
struct ArchiveDownload: Sendable {
    private static let pieceLength = 256 << 10
    private static let listName = "not included.txt"

    let items: [Int]
    /// The gallery of the items.
    let content: GalleryContent
    let thumbnails: ThumbnailService
    let archives: Archives
    let stream: ByteStream
    let place: Archives.Place
    /// Whether the client understands chunks; otherwise the end of the connection is that of the archive.
    let isChunked: Bool

    /// Sends all of it after the head of the answer; breaks the connection off where it cannot be sent to its end.
    ///
    /// - Returns: whether it was sent to its end.
    func run(head: [UInt8]) async -> Bool {
        do {
            try await send(head)
            let zip = try ZipStream()
            var names = ArchiveNames()
            var missing: [String] = []
            for (item, isCompanion) in items.lazy.flatMap(files) {
                do throws(ItemFailure) {
                    var options = OriginalOptions()
                    options.isCompanion = isCompanion
                    options.readThrough = { _ in 0..<0 }
                    let original = try await thumbnails.original(of: item.originalLocator, for: place.network, options)
                    let own = item.fileName ?? item.title
                    let name = names.name(isCompanion ? own : API.fileName(own, kind: try original.kind))
                    let file = File(name: name, original: original)
                    guard await succeeds({ try await send(file, zip) }) else { return broken() }
                } catch {
                    guard stream.isOpen, !Task.isCancelled else { return broken() }
                    missing.append("\(item.fileName ?? item.title): \(error.reason)")
                }
            }
            if !missing.isEmpty {
                let text = Array((missing.joined(separator: "\n") + "\n").utf8)
                let name = names.name(Self.listName)
                try await send(body: try zip.begin(name, size: text.count, modified: OriginalPicture.now))
                try await send(body: try zip.write(text))
            }
            try await send(body: try zip.end())
            if isChunked { try await send(Array("0\r\n\r\n".utf8)) }
            stream.finish()
            return true
        } catch {
            return broken()
        }
    }

    private func broken() -> Bool {
        stream.abort()
        return false
    }

    /// An item, and what lies beside it that belongs to it.
    private func files(_ index: Int) -> [(item: Item, isCompanion: Bool)] {
        guard let item = content.item(index) else { return [] }
        guard case .file(let path, let root) = item.locator, let slash = path.lastIndex(of: "/") else {
            return [(item, false)]
        }
        return [(item, false)]
            + content.catalog.companions(index).map { name in
                (Item(locator: .file(path: path[...slash] + name, root: root), title: name), true)
            }
    }

    private struct File: Sendable {
        let name: String
        let original: OriginalPicture
    }

    /// The client has left.
    private struct Left: Error {}

    private func succeeds(_ work: () async throws -> Void) async -> Bool {
        do {
            try await work()
            return true
        } catch {
            return false
        }
    }

    private func send(_ file: File, _ zip: ZipStream) async throws {
        let size = file.original.size
        try await send(
            body: try await blocking {
                try zip.begin(file.name, size: size, modified: file.original.modified)
            })
        for offset in stride(from: 0, to: size, by: Self.pieceLength) {
            let count = min(Self.pieceLength, size - offset)
            try await send(
                body: try await blocking {
                    let piece = try file.original.piece(from: offset, count: count)
                    // The file has become shorter.
                    guard piece.count == count else { throw ZipStream.Failure() }
                    return try zip.write(piece)
                })
        }
    }

    /// Runs file access on a thread that may block.
    private func blocking(_ work: @escaping @Sendable () throws -> [UInt8]) async throws -> [UInt8] {
        try await thumbnails.queries.threads(for: content.root).run { Result { try work() } }.get()
    }

    private func send(body bytes: [UInt8]) async throws {
        guard isChunked else { return try await send(bytes) }
        // A chunk without bytes would be the end.
        guard !bytes.isEmpty else { return }
        try await send(Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + Array("\r\n".utf8))
    }

    /// Returns when the kernel has the bytes.
    private func send(_ bytes: [UInt8]) async throws {
        guard !Task.isCancelled, !bytes.isEmpty else { throw Left() }
        guard await archives.write(bytes, to: stream, of: place) else { throw Left() }
    }
}
