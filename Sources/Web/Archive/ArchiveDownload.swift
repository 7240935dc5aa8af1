import Catalog
import Gallery
import Media
import MicroHTTP
import Thumbnails

/// Sends the originals of selected items as a ZIP archive, in pieces and as fast as the client reads. Files that belong to the same picture
/// are included. Memory holds at most two pieces and, for a picture from the network, its file. About 60 bytes per file stay in memory
/// until the end: name, size, time, checksum, and a hash of the name. Files keep their folders.
///
/// Items without an original, or whose original is not a picture, are omitted and listed in a text file at the end.
struct ArchiveDownload: Sendable {
    private static let listName = "not included.txt"
    /// Maximum number of omitted items that are listed. The others are only counted.
    private static let maxListed = 10_000
    /// Maximum length of a listed path in bytes.
    private static let maxListedBytes = 400

    /// Ranges of items, which do not touch each other.
    let ranges: [Range<Int>]
    let content: GalleryContent
    let sender: PieceSender
    /// Whether the client accepts chunks. If not, the end of the connection marks the end of the archive.
    let isChunked: Bool
    /// Bytes collected before sending, so that small files do not each wait for the kernel.
    private var unsent: [UInt8] = []

    init(_ contents: ArchiveContents, by sender: PieceSender, isChunked: Bool) {
        ranges = contents.ranges
        content = contents.content
        self.sender = sender
        self.isChunked = isChunked
    }

    /// Sends the head of the response and the whole archive. Cuts the connection if the archive cannot be completed.
    ///
    /// - Returns: whether the archive was sent completely.
    mutating func run(head: [UInt8]) async -> Bool {
        do {
            try await sender.send(head)
            try await sendArchive()
            if isChunked { try await sender.send(Array("0\r\n\r\n".utf8)) }
            sender.stream.finish()
            return true
        } catch {
            sender.stream.abort()
            return false
        }
    }

    private mutating func sendArchive() async throws {
        let zip = ZipStream()
        let tree = await ArchiveFolders(content, ranges: ranges)
        var names = ArchiveNames()
        var missing: [String] = []
        var missingCount = 0
        for index in ranges.lazy.joined() {
            let folders = tree.folders(of: index)
            for (item, isCompanion) in files(index) {
                let original: OriginalPicture
                let name: String
                do throws(ItemFailure) {
                    var options = OriginalOptions()
                    options.isCompanion = isCompanion
                    original = try await sender.thumbnails.original(
                        of: item.originalLocator, for: sender.place.network, options)
                    let own = item.fileName ?? item.title
                    let file = isCompanion ? own : API.fileName(own, kind: try original.kind(named: own))
                    name = names.name(file, in: folders)
                } catch {
                    guard sender.stream.isOpen, !Task.isCancelled else { throw PieceSender.Left() }
                    missingCount += 1
                    if missingCount <= Self.maxListed {
                        let path = (folders + [item.fileName ?? item.title]).joined(separator: "/")
                        missing.append("\(path.prefix(bytes: Self.maxListedBytes)): \(error.reason)")
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

    private mutating func send(_ original: OriginalPicture, as name: String, _ zip: ZipStream) async throws {
        try await add(zip.begin(name, size: original.size, modified: original.modified))
        for piece in PieceSender.pieces(of: 0..<original.size) {
            try await add(sender.read(piece, of: original) { try zip.count($0) })
        }
    }

    /// Collects bytes, and sends them once they fill a piece.
    private mutating func add(_ bytes: [UInt8]) async throws {
        if unsent.isEmpty { unsent = bytes } else { unsent += bytes }
        if unsent.count >= PieceSender.length { try await sendRest() }
    }

    private mutating func sendRest() async throws {
        let bytes = unsent
        unsent = []
        // An empty chunk would end the body.
        guard !bytes.isEmpty else { return }
        guard isChunked else { return try await sender.send(bytes) }
        try await sender.send(Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + Array("\r\n".utf8))
    }
}
