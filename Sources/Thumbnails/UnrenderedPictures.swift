import BoundedCache
import Media
import Synchronization

package struct PictureBytes: Sendable {
    package var bytes: [UInt8]
    /// Whether the download stopped early because the bytes were enough.
    var isPartial = false
    var version: SourceVersion?

    package init(bytes: [UInt8], isPartial: Bool = false, version: SourceVersion? = nil) {
        self.bytes = bytes
        self.isPartial = isPartial
        self.version = version
    }
}

/// Downloaded pictures that are not rendered yet, by the thumbnail they are for. If nobody wants a picture when it could be
/// rendered, its bytes stay for a while, so that scrolling back causes no second download.
///
/// Bounded in bytes. Evicts the oldest first.
package final class UnrenderedPictures: Sendable {
    private struct State {
        var pictures: BoundedCache<String, PictureBytes>
        var taken = 0
    }

    private let state: Mutex<State>

    /// - Parameter limit: Maximum bytes of all pictures. 0 stores none.
    package init(limit: Int) { state = Mutex(State(pictures: BoundedCache(limit: limit))) }

    package var bytes: Int { state.withLock { $0.pictures.cost } }

    /// Number of hits so far.
    var taken: Int { state.withLock { $0.taken } }

    package func picture(for key: String) -> PictureBytes? {
        state.withLock { state in
            let picture = state.pictures[key]
            if picture != nil { state.taken += 1 }
            return picture
        }
    }

    func holds(_ key: String) -> Bool { state.withLock { $0.pictures[key] != nil } }

    /// Stores a picture until it is rendered.
    package func keep(_ picture: PictureBytes, for key: String) {
        state.withLock { $0.pictures.insert(picture, for: key, cost: picture.bytes.count) }
    }

    package func remove(_ key: String) { state.withLock { _ = $0.pictures.remove(key) } }
}
