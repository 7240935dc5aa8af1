import BoundedCache
import Pictures
import Synchronization

/// A picture's file as it came.
package struct PictureBytes: Sendable {
    package var bytes: [UInt8]
    /// Whether it is as much of the file as is enough.
    var isPartial = false
    var version: SourceVersion?

    package init(bytes: [UInt8], isPartial: Bool = false, version: SourceVersion? = nil) {
        self.bytes = bytes
        self.isPartial = isPartial
        self.version = version
    }
}

/// Pictures that came whole and are not rendered yet, by the thumbnail they are for. One that nobody wants any more when
/// its turn to be rendered comes stays a while: a person who scrolls back causes no second download.
///
/// Bounded in bytes; the oldest is dropped first.
package final class UnrenderedPictures: Sendable {
    private struct State {
        var pictures: BoundedCache<String, PictureBytes>
        var taken = 0
    }

    private let state: Mutex<State>

    /// - Parameter limit: bytes of all of them; 0 keeps none.
    package init(limit: Int) { state = Mutex(State(pictures: BoundedCache(limit: limit))) }

    package var bytes: Int { state.withLock { $0.pictures.cost } }

    /// How often one was there.
    var taken: Int { state.withLock { $0.taken } }

    package func picture(for key: String) -> PictureBytes? {
        state.withLock { state in
            let picture = state.pictures[key]
            if picture != nil { state.taken += 1 }
            return picture
        }
    }

    func holds(_ key: String) -> Bool { state.withLock { $0.pictures[key] != nil } }

    /// Keeps a picture until it is rendered.
    package func keep(_ picture: PictureBytes, for key: String) {
        state.withLock { $0.pictures.insert(picture, for: key, cost: picture.bytes.count) }
    }

    package func remove(_ key: String) { state.withLock { _ = $0.pictures.remove(key) } }
}
