import Foundation
import Media

/// The ThumbHashes and BlurHashes in a list, as written there. They are shown before a picture is downloaded.
///
/// Converting a BlurHash to a ThumbHash takes half a millisecond, so this is delayed until somebody is about to see the picture.
struct ListHashes: Sendable {
    enum Kind: UInt8 { case thumbHash = 1, blurHash }

    /// One byte for the kind, then the bytes of the hash. Shorter than the list if the last items have no hash.
    private var texts = TextColumn()

    /// Adds the hash of a checked entry. Returns `false` if the column is full.
    ///
    /// - Parameter position: must be greater than the positions of all previous entries.
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

    /// Returns the hash in the form used in lists, or `nil` if the entry has no hash of this kind.
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

    /// Decodes base64 with or without padding. Returns `nil` if the text is not a ThumbHash.
    static func thumbHash(_ text: String) -> [UInt8]? {
        guard text.utf8.count <= 40 else { return nil }
        let padded = text + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        guard let data = Data(base64Encoded: padded), let hash = ThumbHash(prefixOf: data),
            hash.bytes.count == data.count
        else { return nil }
        return hash.bytes
    }
}
