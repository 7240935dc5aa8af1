import Catalog
import Thumbnails

/// The resources of a cold session: items that no other session knows, so that it shares neither pictures nor what is
/// known of the network; on the server's own origin also a part of the bandwidth and a place in the pool.
///
/// Elsewhere its downloads are among those of its hosts, whose limits hold for all sessions together: comparing two ways
/// of fetching asks no more of a site at once than one person does.
package struct SessionLane: Sendable {
    package let content: GalleryContent
    /// Part of the bandwidth of the server's own origin; `nil` for the origins of others and for folders.
    var share: Double? { lane?.share }
    /// The number the pool knows the lane by; `nil` where downloads are among those of their hosts.
    let host: Int?
    /// Lane to the server's own origin; `nil` for the origins of others and for folders.
    let lane: (any OriginLane)?

    /// Parts of the origin's bandwidth that a session may have for itself.
    package static let shares = 0.01...1.0

    package init(_ lane: any OriginLane, in galleries: GalleryList, _ thumbnails: ThumbnailService) {
        self.lane = lane
        content = galleries.makeContent(of: lane.catalog)
        host = thumbnails.openLane()
        thumbnails.transfers.openAccount(of: content.serial)
    }

    /// A cold session of any gallery.
    ///
    /// - Throws: 429 where there are ``ThumbnailService/maxColdSessions`` already.
    package init(coldOf catalog: Catalog, in galleries: GalleryList, _ thumbnails: ThumbnailService) throws(Problem) {
        guard thumbnails.openCold() else {
            throw Problem(
                429, "Too many cold sessions: the limit is \(ThumbnailService.maxColdSessions). Close one first.",
                retryAfter: 30)
        }
        lane = nil
        content = galleries.makeContent(of: catalog, isCold: true)
        host = nil
        thumbnails.transfers.openAccount(of: content.serial)
    }

    package func close(_ thumbnails: ThumbnailService) {
        if let lane {
            lane.close()
            if let host { thumbnails.closeLane(host) }
        } else {
            thumbnails.closeCold()
        }
        thumbnails.transfers.closeAccount(of: content.serial)
    }
}

/// An origin that the server itself runs behind a deliberately slow network, for the demo.
package protocol ThrottledOrigin: Sendable {
    /// Returns the conditions, counts and latest requests: the body of `GET demo/origin`.
    ///
    /// - Parameters:
    ///   - concurrency: maximum number of the server's simultaneous downloads.
    ///   - isChangeable: whether the client may change the conditions.
    func document(concurrency: Int, isChangeable: Bool) -> [UInt8]

    /// Changes the conditions that the fields name.
    ///
    /// - Throws: 422 that names the wrong field.
    func change(_ fields: FieldReader) throws(Problem)

    /// Opens a lane to the pictures of a gallery.
    ///
    /// - Parameters:
    ///   - share: part of the bandwidth, `0.01 ... 1`.
    ///   - network: conditions of this lane alone. The others are those of the origin.
    /// - Returns: `nil` if the pictures are not from this origin.
    /// - Throws: 422 that names the wrong field of the network.
    func openLane(to catalog: Catalog, share: Double, network: FieldReader?) throws(Problem) -> (any OriginLane)?
}

/// One session's own line to a ``ThrottledOrigin``, with a part of the bandwidth that no other session uses.
package protocol OriginLane: Sendable {
    /// Part of the bandwidth, `0.01 ... 1`.
    var share: Double { get }
    /// The same pictures, fetched through the lane.
    var catalog: Catalog { get }
    /// Changes conditions of this lane alone.
    ///
    /// - Throws: 422 that names the wrong field.
    func change(_ network: FieldReader) throws(Problem)
    /// Aborts the requests in flight. Afterwards the lane's addresses return 404.
    func close()
}
