import Catalog
import Gallery
import MicroHTTP
import PhotoFacts
import Pictures
import Thumbnails

/// Sends the originals of some items, and the files that are one picture with them, as one ZIP archive, piece by piece, as quickly as
/// the client takes them. At most two pieces are held at a time, and, of a picture that comes over the network, its file. Until the end
/// it keeps about 60 bytes of each file: its name, size, time and checksum, and a hash of the name. Files keep their folders.
///
/// Items without an original, or whose original is no picture, are left out and listed in a text at the end.
struct ArchiveDownload: Sendable {
    private static let listName = "not included.txt"
    /// Items that are listed as left out; the others are counted.
    private static let maxListed = 10_000
    /// Bytes of the path of one of them.
    private static let maxListedBytes = 400

    /// Ranges of items, apart from each other.
    let ranges: [Range<Int>]
    /// The gallery of the items.
    let content: GalleryContent
    let sender: PieceSender
    /// Whether the client understands chunks; otherwise the end of the connection is that of the archive.
    let isChunked: Bool
    /// Written and not sent yet, so that small files do not each wait for the kernel.
    private var unsent: [UInt8] = []

    init(_ contents: ArchiveContents, by sender: PieceSender, isChunked: Bool) {
        ranges = contents.ranges
        content = contents.content
        self.sender = sender
        self.isChunked = isChunked
    }

    /// Sends all of it after the head of the answer; breaks the connection off where it cannot be sent to its end.
    ///
    /// - Returns: whether it was sent to its end.
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
                    let file = isCompanion ? own : API.fileName(own, kind: try original.kind)
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

    private mutating func send(_ original: OriginalPicture, as name: String, _ zip: ZipStream) async throws {
        try await add(zip.begin(name, size: original.size, modified: original.modified))
        for piece in PieceSender.pieces(of: 0..<original.size) {
            try await add(sender.read(piece, of: original) { try zip.count($0) })
        }
    }

    /// Sends what there is once it is a piece.
    private mutating func add(_ bytes: [UInt8]) async throws {
        if unsent.isEmpty { unsent = bytes } else { unsent += bytes }
        if unsent.count >= PieceSender.length { try await sendRest() }
    }

    private mutating func sendRest() async throws {
        let bytes = unsent
        unsent = []
        // A chunk without bytes would be the end.
        guard !bytes.isEmpty else { return }
        guard isChunked else { return try await sender.send(bytes) }
        try await sender.send(Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + Array("\r\n".utf8))
    }
}
