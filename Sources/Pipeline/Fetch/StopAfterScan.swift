import Synchronization

extension FetchRequest {
    /// A rule for `isEnough` that ends the download of a progressive JPEG once `scan` scans are there and at least
    /// `saving` bytes are still to come: ending an HTTP/1.1 transfer costs its connection, which a short rest does not
    /// repay. Of any other file nothing is saved.
    ///
    /// - Parameters:
    ///   - scan: 1 or more. Default 4.
    ///   - saving: bytes. Default 64 KiB. Where the length was not announced, the rest is taken for long.
    public static func stop(afterScan scan: Int = 4, saving: Int = 64 << 10) -> StopRule {
        // One fetch calls its rule from one thread; the lock lets the type system know.
        let reader = JPEGReader()
        return { body, expected in
            if let expected, expected - body.count < saving { return false }
            return reader.finishedScans(of: body) >= scan
        }
    }
}

private final class JPEGReader: Sendable {
    private let state = Mutex((jpeg: ProgressiveJPEG(), count: 0))

    func finishedScans(of body: Span<UInt8>) -> Int {
        state.withLock { state in
            // A body shorter than the last is another attempt with the same request.
            if body.count < state.count { state.jpeg = ProgressiveJPEG() }
            state.count = body.count
            state.jpeg.read(body)
            return state.jpeg.kind == .progressive ? state.jpeg.finishedScans : 0
        }
    }
}
