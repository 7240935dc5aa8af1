import Media
import MicroHTTP
import Synchronization
import TaskPool
import Thumbnails

/// Fetches the pictures at the top of a gallery as soon as a browser requests the page. While the page loads, the pictures are
/// already being fetched or rendered. The page's session wants the same pictures and finds them in flight or ready.
///
/// The number and size of the pictures are those that the gallery's last session at the top displayed. Before the first
/// session, the defaults of a window of usual size apply. Wants that no session confirms within ``patience`` are cancelled.
package final class FirstScreens: Sendable {
    private struct Screen: Sendable {
        var size = ThumbnailSize(width: 256, height: 192)
        var count = 36
    }

    private struct State {
        /// Screens of the last sessions, by gallery id.
        var seen: [String: Screen] = [:]
        var wanted: [String: SessionID] = [:]
    }

    /// Maximum time from the page request to the session request.
    private static let patience = Duration.seconds(5)
    /// Maximum number of galleries whose last screen is remembered, and of pages awaited at the same time.
    private static let capacity = 64
    private static let maximumPictures = 100
    /// Query parameters that open another position than the top, change the size of the pictures, or forbid prefetching.
    private static let elsewhere = ["item", "layout", "size", "prefetching", "race", "follow"]

    private let thumbnails: ThumbnailService
    private let state = Mutex(State())

    package init(_ thumbnails: ThumbnailService) {
        self.thumbnails = thumbnails
    }

    /// Begins to fetch the first screen when a browser requests a gallery's page.
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

    /// Ends the wants of the page's request when the page's session has opened. The session wants its visible items on its own.
    package func opened(_ session: Session) {
        guard session.lane == nil else { return }
        let (visible, size) = session.screen
        guard visible.lowerBound == 0, !visible.isEmpty else { return }
        let gallery = session.gallery.id
        let wanted = state.withLock { state in
            if state.seen.count >= Self.capacity { state.seen = [:] }
            state.seen[gallery] = Screen(size: size, count: min(visible.count, Self.maximumPictures))
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
