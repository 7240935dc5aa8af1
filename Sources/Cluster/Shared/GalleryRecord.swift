/// The record of a shared gallery, without its items.
package struct GalleryRecord: Sendable, Equatable {
    package var title: String
    package var itemCount: Int
    package var chunks: Int
    /// Its maker, as limits count: an address or a network; `nil` for the operator of the servers.
    package var network: String?

    private static let magic = "LKG1"
    static let maxBytes = 4_096

    package init(title: String, itemCount: Int, chunks: Int, network: String?) {
        (self.title, self.itemCount, self.chunks, self.network) = (title, itemCount, chunks, network)
    }

    /// `LKG1 CHUNKS ITEMS`, the network and the title, a line each; the title may have more.
    package var bytes: [UInt8] { Array("\(Self.magic) \(chunks) \(itemCount)\n\(network ?? "")\n\(title)".utf8) }

    /// - Returns: `nil` where the bytes are not as ``bytes`` made them.
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
