import Foundation
import Pictures

/// The hashes that a list brings of its pictures, as they were written: they are shown before anything was downloaded.
///
/// A BlurHash takes half a millisecond to turn into a ThumbHash, so that waits until somebody is about to see the picture.
struct ListHashes: Sendable {
    enum Kind: UInt8 { case thumbHash = 1, blurHash }

    /// A byte that tells the kind, and the bytes of the hash; shorter than the list where no more follow.
    private var texts = TextColumn()

    /// Takes what an entry that was checked brings; `false` when the column is full.
    ///
    /// - Parameter position: greater than that of every entry before.
    mutating func append(_ entry: ListEntry, at position: Int) -> Bool {
        let kind: Kind
        let bytes: [UInt8]
        if let hash = entry.thumbHash.flatMap(Self.thumbHash) {
            (kind, bytes) = (.thumbHash, hash)
        } else if let hash = entry.blurHash {
            (kind, bytes) = (.blurHash, Array(hash.utf8))
        } else {
            return true
        }
        while texts.count < position { guard texts.append([]) else { return false } }
        return texts.append([kind.rawValue] + bytes)
    }

    func thumbHash(_ position: Int, aspectRatio: Double) -> [UInt8]? {
        guard let (kind, bytes) = self[position] else { return nil }
        return switch kind {
        case .thumbHash: Array(bytes)
        case .blurHash: BlurHash(String(decoding: bytes, as: UTF8.self))?.thumbHash(aspectRatio: aspectRatio)?.bytes
        }
    }

    /// The hash as lists write it; `nil` where the entry has none of the kind.
    func written(_ position: Int, _ kind: Kind) -> String? {
        guard let (own, bytes) = self[position], own == kind else { return nil }
        return kind == .thumbHash ? Data(bytes).base64EncodedString() : String(decoding: bytes, as: UTF8.self)
    }

    private subscript(position: Int) -> (Kind, ArraySlice<UInt8>)? {
        guard position < texts.count, let tag = texts[position].first, let kind = Kind(rawValue: tag) else {
            return nil
        }
        return (kind, texts[position].dropFirst())
    }

    /// Reads base64, with or without its padding; `nil` for what is no ThumbHash.
    static func thumbHash(_ text: String) -> [UInt8]? {
        guard text.utf8.count <= 40 else { return nil }
        let padded = text + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        guard let data = Data(base64Encoded: padded), let hash = ThumbHash(prefixOf: data),
            hash.bytes.count == data.count
        else { return nil }
        return hash.bytes
    }
}
