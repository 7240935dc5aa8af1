import Gallery
import Synchronization

/// The items of an archive, and their gallery as it was when they were named.
struct ArchiveContents: Sendable {
    /// Keeps an arrangement.
    let use: PictureGallery.Use
    let content: GalleryContent
    /// In order, none empty, none touching the next.
    let ranges: [Range<Int>]

    var itemCount: Int { ranges.reduce(0) { $0 + $1.count } }

    /// - Parameter ranges: any, also empty ones and ones that overlap.
    init(_ use: PictureGallery.Use, _ content: GalleryContent, ranges: [Range<Int>]) {
        self.use = use
        self.content = content
        var united: [Range<Int>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) where !range.isEmpty {
            if let last = united.last, range.lowerBound <= last.upperBound {
                united[united.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                united.append(range)
            }
        }
        self.ranges = united
    }
}

/// Archives that wait at an address until a browser comes for them, once. Each holds a place among those that are sent, so there are
/// no more than ``Downloads/most``.
package final class ArchiveOffers: Sendable {
    /// Time for which an address is kept.
    package static let lifetime = Duration.seconds(60)

    struct Offer: Sendable {
        let contents: ArchiveContents
        let place: Downloads.Place
        fileprivate let end: ContinuousClock.Instant
    }

    /// By their ids.
    private let offers = Mutex<[String: Offer]>([:])

    /// Keeps an archive.
    ///
    /// - Returns: its id, 128 bits that cannot be guessed, after the name of the node, if any.
    func add(
        _ contents: ArchiveContents, _ place: Downloads.Place, node: String?, at now: ContinuousClock.Instant = .now
    ) -> String {
        let id = Identifier.random(bytes: 16, of: node)
        let offer = Offer(contents: contents, place: place, end: now + Self.lifetime)
        offers.withLock { $0[id] = offer }
        return id
    }

    /// The archive of an id, which stays; `nil` where there is none, or it is another gallery's.
    func look(_ id: String, of gallery: PictureGallery, at now: ContinuousClock.Instant = .now) -> Offer? {
        offers.withLock { $0[id] }.flatMap { $0.end > now && $0.contents.use.gallery === gallery ? $0 : nil }
    }

    /// The same, for the one who gets it: it is gone then.
    func take(_ id: String, of gallery: PictureGallery, at now: ContinuousClock.Instant = .now) -> Offer? {
        offers.withLock { offers in
            guard let offer = offers[id], offer.contents.use.gallery === gallery, offer.end > now else { return nil }
            offers[id] = nil
            return offer
        }
    }

    /// Drops those that nobody came for, and gives their places back.
    package func expire(at now: ContinuousClock.Instant) {
        // A place is given back under a lock of its own: not under this one.
        let ended = offers.withLock { offers in
            let ended = offers.filter { $0.value.end <= now }
            for id in ended.keys { offers[id] = nil }
            return ended
        }
        _ = ended
    }
}
