import Catalog
import Thumbnails

/// The resources of a cold session: items that no other session knows. A cold session shares neither pictures nor knowledge of
/// the network with other sessions. On the server's own origin it also has a part of the bandwidth and a place in the pool.
///
/// On other origins, its downloads count as those of their hosts, whose limits apply to all sessions together. Comparing two
/// policies therefore puts no more load on a site than one viewer does.
package struct SessionLane: Sendable {
    package let content: GalleryContent
    /// Part of the bandwidth of the server's own origin. `nil` for other origins and for folders.
    var share: Double? { lane?.share }
    /// The pool's number for the lane. `nil` if downloads count as those of their hosts.
    let host: Int?
    /// Lane to the server's own origin. `nil` for other origins and for folders.
    let lane: (any OriginLane)?

    /// Allowed parts of the origin's bandwidth that a session may have for itself.
    package static let shares = 0.01...1.0

    package init(_ lane: any OriginLane, in galleries: GalleryList, _ thumbnails: ThumbnailService) {
        self.lane = lane
        content = galleries.makeContent(of: lane.catalog)
        host = thumbnails.openLane()
        thumbnails.transfers.openAccount(of: content.serial)
    }

    /// Creates a lane for a cold session of any gallery.
    ///
    /// - Throws: 429 if there are already ``ThumbnailService/maxColdSessions`` cold sessions.
    package init(coldOf catalog: Catalog, in galleries: GalleryList, _ thumbnails: ThumbnailService) throws(Problem) {
        guard thumbnails.openColdSession() else {
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
            thumbnails.closeColdSession()
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

    /// - Parameters:
    ///   - share: part of the bandwidth, `0.01 ... 1`.
    ///   - network: conditions of this lane only. The origin's conditions apply otherwise.
    /// - Returns: `nil` if the pictures are not from this origin.
    /// - Throws: 422 that names the wrong field of the network.
    func openLane(to catalog: Catalog, share: Double, network: FieldReader?) throws(Problem) -> (any OriginLane)?
}

/// One session's own connection to a ``ThrottledOrigin``, with a part of the bandwidth that no other session uses.
package protocol OriginLane: Sendable {
    /// Part of the bandwidth, `0.01 ... 1`.
    var share: Double { get }
    /// The same pictures, fetched through the lane.
    var catalog: Catalog { get }
    /// Changes conditions of this lane only.
    ///
    /// - Throws: 422 that names the wrong field.
    func change(_ network: FieldReader) throws(Problem)
    /// Aborts the requests in flight. Afterwards the lane's addresses return 404.
    func close()
}
