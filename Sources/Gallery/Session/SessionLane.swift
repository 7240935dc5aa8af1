import Catalog

/// What a cold session has for itself: a lane of the server's own origin, items that no other session knows, and a place
/// in the pool. So it shares neither pictures nor downloads nor what is known of the network.
struct SessionLane: Sendable {
    /// Part of the origin's bandwidth.
    var share: Double { lane.share }
    let content: GalleryContent
    /// The number the pool knows the lane by.
    let host: Int
    private let lane: any OriginLane

    /// Parts of the origin's bandwidth that a session may have for itself.
    static let shares = 0.01...1.0

    init(_ lane: any OriginLane, in galleries: GalleryList, _ thumbnails: ThumbnailService) {
        self.lane = lane
        content = galleries.makeContent(of: lane.catalog)
        host = thumbnails.openLane()
        thumbnails.transfers.openAccount(of: content.serial)
    }

    func close(_ thumbnails: ThumbnailService) {
        lane.close()
        thumbnails.closeLane()
        thumbnails.transfers.closeAccount(of: content.serial)
    }
}
