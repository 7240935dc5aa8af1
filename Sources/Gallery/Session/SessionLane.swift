import Catalog

/// What a cold session has for itself: a lane of the demo's origin, items that no other session knows, and a place of its
/// own in the pool. So it shares neither pictures nor downloads nor what is known of the network.
struct SessionLane: Sendable {
    /// Part of the origin's bandwidth.
    var share: Double { lane.share }
    let content: GalleryContent
    /// The number the pool knows the lane by.
    let host: Int
    private let lane: DemoOrigin.Lane

    /// Parts of the origin's bandwidth that a session may have for itself.
    static let shares = 0.01...1.0

    init(
        _ catalog: DemoCatalog, of origin: DemoOrigin, share: Double, in galleries: GalleryList,
        _ thumbnails: ThumbnailService
    ) {
        lane = origin.openLane(share: share)
        content = galleries.makeContent(of: catalog.through(lane))
        host = thumbnails.openLane()
        thumbnails.transfers.openAccount(of: content.serial)
    }

    func close(_ thumbnails: ThumbnailService) {
        lane.close()
        thumbnails.closeLane()
        thumbnails.transfers.closeAccount(of: content.serial)
    }
}
