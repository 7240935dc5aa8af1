import Catalog
import Gallery
import MicroHTTP
import PhotoFacts
import Pictures
import Thumbnails

/// Sends the originals of some items, and the files that are one picture with them, as one ZIP archive, piece by piece, as quickly as
/// the client takes them. At most two pieces are held at a time, and, of a picture that comes over the network, its file. Until the end
/// it keeps about 60 bytes of each file: its name, size, time and checksum, and a hash of the name.
///
/// Items without an original, or whose original is no picture, are left out and listed in a text at the end.
struct ArchiveDownload: Sendable {
    private static let pieceLength = 256 << 10
    private static let listName = "not included.txt"
    /// Items that are listed as left out; the others are counted.
    private static let maxListed = 10_000

    /// Ranges of items, apart from each other.
    let ranges: [Range<Int>]
    /// The gallery of the items.
    let content: GalleryContent
    let thumbnails: ThumbnailService
    let archives: Archives
    let stream: ByteStream
    let place: Archives.Place
    /// Whether the client understands chunks; otherwise the end of the connection is that of the archive.
    let isChunked: Bool
    /// Written and not sent yet, so that small files do not each wait for the kernel.
    private var unsent: [UInt8] = []

    init(
        _ contents: ArchiveContents, thumbnails: ThumbnailService, archives: Archives, stream: ByteStream,
        place: Archives.Place, isChunked: Bool
    ) {
        ranges = contents.ranges
        content = contents.content
        self.thumbnails = thumbnails
        self.archives = archives
        self.stream = stream
        self.place = place
        self.isChunked = isChunked
    }

    /// Sends all of it after the head of the answer; breaks the connection off where it cannot be sent to its end.
    ///
    /// - Returns: whether it was sent to its end.
    mutating func run(head: [UInt8]) async -> Bool {
        do {
            try await send(head)
            try await sendArchive()
            if isChunked { try await send(Array("0\r\n\r\n".utf8)) }
            stream.finish()
            return true
        } catch {
            return broken()
        }
    }

    private mutating func sendArchive() async throws {
        let zip = ZipStream()
        var names = ArchiveNames()
        var missing: [String] = []
        var missingCount = 0
        for index in ranges.lazy.joined() {
            for (item, isCompanion) in files(index) {
                let original: OriginalPicture
                let name: String
                do throws(ItemFailure) {
                    var options = OriginalOptions()
                    options.isCompanion = isCompanion
                    options.readThrough = { _ in 0..<0 }
                    original = try await thumbnails.original(of: item.originalLocator, for: place.network, options)
                    let own = item.fileName ?? item.title
                    name = names.name(isCompanion ? own : API.fileName(own, kind: try original.kind))
                } catch {
                    guard stream.isOpen, !Task.isCancelled else { throw Left() }
                    missingCount += 1
                    if missingCount <= Self.maxListed {
                        missing.append("\((item.fileName ?? item.title).prefix(bytes: 200)): \(error.reason)")
                    }
                    continue
                }
                try await send(original, as: name, zip)
            }
        }
        if missingCount > Self.maxListed { missing.append("and \(missingCount - Self.maxListed) more") }
        if !missing.isEmpty {
            let text = Array((missing.joined(separator: "\n") + "\n").utf8)
            try await add(zip.begin(names.name(Self.listName), size: text.count, modified: OriginalPicture.now))
            try zip.count(text)
            try await add(text)
        }
        while true {
            let piece = try zip.end()
            if piece.isEmpty { break }
            try await add(piece)
        }
        try await sendRest()
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

    /// The client has left.
    private struct Left: Error {}

    private mutating func send(_ original: OriginalPicture, as name: String, _ zip: ZipStream) async throws {
        let size = original.size
        try await add(zip.begin(name, size: size, modified: original.modified))
        for offset in stride(from: 0, to: size, by: Self.pieceLength) {
            let count = min(Self.pieceLength, size - offset)
            try await add(
                blocking {
                    let piece = try original.piece(from: offset, count: count)
                    // The file has become shorter.
                    guard piece.count == count else { throw ZipStream.Failure() }
                    try zip.count(piece)
                    return piece
                })
        }
    }

    /// Runs file access on a thread that may block.
    private func blocking(_ work: @escaping @Sendable () throws -> [UInt8]) async throws -> [UInt8] {
        try await thumbnails.queries.threads(for: content.root).run { Result { try work() } }.get()
    }

    /// Sends what there is once it is a piece.
    private mutating func add(_ bytes: [UInt8]) async throws {
        if unsent.isEmpty { unsent = bytes } else { unsent += bytes }
        if unsent.count >= Self.pieceLength { try await sendRest() }
    }

    private mutating func sendRest() async throws {
        let bytes = unsent
        unsent = []
        // A chunk without bytes would be the end.
        guard !bytes.isEmpty else { return }
        guard isChunked else { return try await send(bytes) }
        try await send(Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + Array("\r\n".utf8))
    }

    /// Returns when the kernel has the bytes.
    private func send(_ bytes: [UInt8]) async throws {
        guard !Task.isCancelled, !bytes.isEmpty else { throw Left() }
        guard await archives.write(bytes, to: stream, of: place) else { throw Left() }
    }
}
