import BoundedCache
import Synchronization

/// The pictures painted last, bounded in bytes: what is asked for again soon is not painted again.
final class PictureShelf: Sendable {
    private let pictures: Mutex<BoundedCache<DemoPicture, [UInt8]>>

    init(limit: Int) { pictures = Mutex(BoundedCache(limit: limit)) }

    /// The picture as JPEG; `nil` when it cannot be encoded.
    func jpeg(_ picture: DemoPicture) -> [UInt8]? {
        if let known = pictures.withLock({ $0[picture] }) { return known }
        guard let bytes = picture.jpeg() else { return nil }
        pictures.withLock { $0.insert(bytes, for: picture, cost: bytes.count) }
        return bytes
    }
}
