import Synchronization

extension FetchRequest {
    /// A rule for `isEnough` that ends the download of a progressive JPEG once its thumbnail can be made (see
    /// ``ProgressiveStop``) and at least `saving` bytes are still to come: ending an HTTP/1.1 transfer costs its
    /// connection, which a short rest does not repay. Of any other file nothing is saved.
    ///
    /// The received bytes render with ``RenderOptions/acceptsPartial``.
    ///
    /// - Parameters:
    ///   - size: the box to cover, as it will be asked of the renderer.
    ///   - saving: bytes. Default 64 KiB. Where the length was not announced, the rest is taken for long.
    public static func stop(
        rendering size: ThumbnailSize, limits: RenderLimits = RenderLimits(), saving: Int = 64 << 10
    ) -> StopRule {
        // One fetch calls its rule from one thread; the lock lets the type system know.
        let reader = Mutex((stop: ProgressiveStop(size: size, limits: limits), count: 0))
        return { body, expected in
            reader.withLock { reader in
                // A body shorter than the last is another attempt with the same request.
                if body.count < reader.count { reader = (ProgressiveStop(size: size, limits: limits), 0) }
                body.withUnsafeBufferPointer { _ = reader.stop.append($0[reader.count...]) }
                reader.count = body.count
                if let expected, expected - body.count < saving { return false }
                return reader.stop.isEnough
            }
        }
    }
}
