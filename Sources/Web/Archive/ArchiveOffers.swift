import Gallery
import Synchronization

/// Items of an archive, and the content of their gallery at the time of the request.
struct ArchiveContents: Sendable {
    /// Keeps an arrangement alive.
    let use: PictureGallery.Use
    let content: GalleryContent
    /// Sorted ranges. None is empty, and none touches the next.
    let ranges: [Range<Int>]

    var itemCount: Int { ranges.reduce(0) { $0 + $1.count } }

    /// - Parameter ranges: any ranges. They may be empty or overlap.
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

/// Prepared archives, each of which waits at an address for a single download. Each holds a download place, so there are at most
/// ``Downloads/most``.
package final class ArchiveOffers: Sendable {
    /// How long an address is valid.
    package static let lifetime = Duration.seconds(60)

    struct Offer: Sendable {
        let contents: ArchiveContents
        let place: Downloads.Place
        fileprivate let end: ContinuousClock.Instant
    }

    private let offers = Mutex<[String: Offer]>([:])

    /// - Returns: the id: 128 random bits that cannot be guessed, after the name of the node, if any.
    func add(
        _ contents: ArchiveContents, _ place: Downloads.Place, node: String?, at now: ContinuousClock.Instant = .now
    ) -> String {
        let id = Identifier.random(bytes: 16, of: node)
        let offer = Offer(contents: contents, place: place, end: now + Self.lifetime)
        offers.withLock { $0[id] = offer }
        return id
    }

    /// Returns the archive with this id and keeps it stored. Returns `nil` if there is none, or if it belongs to another gallery.
    func look(_ id: String, of gallery: PictureGallery, at now: ContinuousClock.Instant = .now) -> Offer? {
        offers.withLock { $0[id] }.flatMap { $0.end > now && $0.contents.use.gallery === gallery ? $0 : nil }
    }

    /// Removes and returns the archive with this id. Returns `nil` if there is none, or if it belongs to another gallery.
    func take(_ id: String, of gallery: PictureGallery, at now: ContinuousClock.Instant = .now) -> Offer? {
        offers.withLock { offers in
            guard let offer = offers[id], offer.contents.use.gallery === gallery, offer.end > now else { return nil }
            offers[id] = nil
            return offer
        }
    }

    /// Drops the expired archives and releases their places.
    package func expire(at now: ContinuousClock.Instant) {
        // Release the places after this lock is released, because releasing takes another lock.
        let ended = offers.withLock { offers in
            let ended = offers.filter { $0.value.end <= now }
            for id in ended.keys { offers[id] = nil }
            return ended
        }
        _ = ended
    }
}
