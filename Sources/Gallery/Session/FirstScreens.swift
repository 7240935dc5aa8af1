import MicroHTTP
import Pictures
import Synchronization
import TaskPool
import Thumbnails

/// The pictures at the beginning of a gallery, wanted as soon as a browser asks for the page: they are on their way while it
/// loads, and its session, which wants the same ones, finds them begun or made.
///
/// How many they are, and how large, is what the gallery's last session at its beginning saw; before the first, what a
/// window of usual size shows. What no session confirms within ``patience`` is let go.
package final class FirstScreens: Sendable {
    private struct Screen: Sendable {
        var size = ThumbnailSize(width: 256, height: 192)
        var count = 36
    }

    private struct State {
        /// By the gallery's id.
        var seen: [String: Screen] = [:]
        var wanted: [String: SessionID] = [:]
    }

    /// How long a page may take to ask for its session.
    private static let patience = Duration.seconds(5)
    /// Galleries whose last screen is remembered, and pages awaited at once.
    private static let capacity = 64
    private static let mostPictures = 100
    /// Query parameters that lead elsewhere than to the beginning, change how large the pictures are, or forbid
    /// to fetch ahead.
    private static let elsewhere = ["item", "layout", "size", "prefetching", "race", "follow"]

    private let thumbnails: ThumbnailService
    private let state = Mutex(State())

    package init(_ thumbnails: ThumbnailService) {
        self.thumbnails = thumbnails
    }

    /// A browser asks for a gallery's page.
    package func begin(_ gallery: PictureGallery, for request: Request) {
        guard request.header("Accept")?.contains("text/html") == true,
            Self.elsewhere.allSatisfy({ request.query($0) == nil })
        else { return }
        let wanted: (id: SessionID, screen: Screen)? = state.withLock { state in
            guard state.wanted[gallery.id] == nil, state.wanted.count < Self.capacity else { return nil }
            let id = thumbnails.open { _, _ in }
            state.wanted[gallery.id] = id
            return (id, state.seen[gallery.id] ?? Screen())
        }
        guard let wanted else { return }
        want(wanted.screen, of: gallery.content, as: wanted.id)
        thumbnails.timers.call(after: Self.patience) { [weak self, id = gallery.id] in self?.end(id, wanted.id) }
    }

    /// A session of the page has begun, and wants by itself what it shows.
    package func opened(_ session: Session) {
        guard session.lane == nil else { return }
        let (visible, size) = session.screen
        guard visible.lowerBound == 0, !visible.isEmpty else { return }
        let gallery = session.gallery.id
        let wanted = state.withLock { state in
            if state.seen.count >= Self.capacity { state.seen = [:] }
            state.seen[gallery] = Screen(size: size, count: min(visible.count, Self.mostPictures))
            return state.wanted[gallery]
        }
        if let wanted { end(gallery, wanted) }
    }

    private func want(_ screen: Screen, of content: GalleryContent, as id: SessionID) {
        let items = 0..<min(screen.count, content.itemCount)
        let hosts = content.hosts(of: items, number: thumbnails.host)
        let wants = zip(items, hosts).map { item, host in
            PoolWant(
                key: content.thumbnailKey(item, size: screen.size), host: host, visible: false)
        }
        thumbnails.pool.want(wants, session: id)
    }

    private func end(_ gallery: String, _ id: SessionID) {
        let isWanted = state.withLock { state in
            guard state.wanted[gallery] == id else { return false }
            state.wanted[gallery] = nil
            return true
        }
        if isWanted { thumbnails.close(id) }
    }
}
