import Catalog
import Fetch
import Media

/// The stage in which a worker renders a picture.
struct RenderStage: Sendable {
    let services: MakerServices
    let keeping: KeepStage

    func render(
        _ source: PictureBytes, _ key: ThumbnailKey, _ picture: TaskPicture, in slot: inout ThumbnailMaker.Slot
    ) async throws(ItemFailure) -> Thumbnail {
        let transfers = services.transfers
        do throws(RenderError) {
            var began = transfers.now
            var thumbnail = try await services.renderer.render(
                source.bytes, size: key.size,
                options: RenderOptions(smallSide: services.smallSide, acceptsPartial: source.isPartial)
            ) { () throws(CancellationError) in
                // A large picture that waits for its turn must not keep the slot of a small one.
                try await slot.take(.largeRender, holding: source.bytes.count)
                began = transfers.now
            }
            transfers.worked(transfers.now - began, for: key)
            if let storeKey = picture.storeKey { services.unrendered.remove(storeKey) }
            services.failures.succeeded(picture)
            thumbnail.version = source.version
            if case .url(let url) = picture.item.locator {
                services.previews?.remoteFiles.withLock {
                    $0.rendered(
                        from: Authority.name(in: url), size: source.bytes.count, hasPreview: thumbnail.hasPreview)
                }
            }
            keeping.keep(thumbnail, of: picture)
            return thumbnail
        } catch {
            throw services.failures.take(error, of: picture)
        }
    }
}
