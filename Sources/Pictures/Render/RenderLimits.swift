import PhotoFacts

/// What a picture may cost. Every limit is checked against the picture's header, before a decoder sees its bytes,
/// except the last four, which bound the worker process itself.
public struct RenderLimits: Sendable, Equatable {
    /// Bytes of an encoded picture. Default 32 MiB.
    public var maxBytes = 32 << 20
    /// Pixels of a side. Default 20 000.
    public var maxSide = 20_000
    /// Pixels of a baseline JPEG. Default 100 million: a quarter of a second.
    public var maxJPEGPixels = 100_000_000
    /// Pixels of a progressive JPEG, whose coefficients are all held, at 3 to 6 bytes a pixel. Default 40 million.
    public var maxProgressivePixels = 40_000_000
    /// Pixels of a PNG or BMP, held at 4 bytes a pixel. Default 64 million.
    public var maxPNGPixels = 64_000_000
    /// Pixels of an interlaced PNG. Default 16 million.
    public var maxInterlacedPNGPixels = 16_000_000
    /// Pixels of a WebP. Default 40 million.
    public var maxWebPPixels = 40_000_000
    /// Pixels of a GIF's screen, and of its first frame. Default 16 million.
    public var maxGIFPixels = 16_000_000
    /// Pixels of a HEIC or AVIF, of which a decoder holds several copies. Default 64 million.
    public var maxHEIFPixels = 64_000_000
    /// Pixels of a video's frame, several of which a decoder holds. Default 36 million: 8K.
    public var maxVideoPixels = 36_000_000
    /// Pixels of a TIFF, of which a strip is held. Default 100 million.
    public var maxTIFFPixels = 100_000_000
    /// Bytes of a RAW file or a video in a folder that is handed out; only a part of it is read to show it. Default 512 MiB.
    public var maxRAWBytes = 512 << 20
    /// Scans of a JPEG. Default 100.
    public var maxScans = 100
    /// The scan after which a progressive JPEG is shown as it is. Default 4.
    public var progressiveStop = 4
    /// Bytes of an embedded colour profile; a larger one is ignored. Default 1 MB.
    public var maxProfileBytes = 1_000_000
    /// Bytes of address space of a worker process (`RLIMIT_AS`); 0 for no limit. Default 512 MiB.
    public var workerMemory = 512 << 20
    /// The same of a worker for HEIC and AVIF, or for videos. Default 1 GiB.
    public var heifWorkerMemory = 1 << 30
    /// Seconds of CPU time a picture may take before its worker is killed, 0.01 ... 3,600. Default 5.
    public var cpuTime = 5.0
    /// Seconds in all, after which a worker is replaced; a machine that is busy with other things is no fault of a
    /// picture's. Default 60.
    public var wallTime = 60.0
    /// Seconds without any work or answer after which a worker is replaced and its picture given to another. Default 5.
    public var stallTime = 5.0
    /// Bytes of resident memory above which a worker is replaced once its picture is done. Default 192 MiB.
    public var workerRetention = 192 << 20

    public init() {}

    /// Throws ``RenderError/overLimit(_:)`` when a picture of this header must not reach a decoder.
    public func check(_ header: PictureHeader) throws(RenderError) {
        guard header.width <= maxSide, header.height <= maxSide else {
            throw .overLimit(
                "\(header.name) of \(header.width) x \(header.height) pixels is over the limit of \(maxSide) a side")
        }
        let most = maxPixels(header)
        // Sides of at most 20 000 cannot overflow, but the limits are the operator's to set.
        let (pixels, overflow) = header.width.multipliedReportingOverflow(by: header.height)
        guard !overflow, pixels <= most else {
            throw .overLimit(
                "\(header.name) of \(header.width) x \(header.height) pixels is over the limit of "
                    + "\(decimal(Double(most) / 1e6)) megapixels")
        }
    }

    private func maxPixels(_ header: PictureHeader) -> Int {
        switch header.kind {
        case .jpeg: header.isProgressive ? min(maxProgressivePixels, maxJPEGPixels) : maxJPEGPixels
        case .png: header.isProgressive ? min(maxInterlacedPNGPixels, maxPNGPixels) : maxPNGPixels
        case .webp: maxWebPPixels
        case .gif: maxGIFPixels
        case .heic, .avif: maxHEIFPixels
        case .tiff: maxTIFFPixels
        case .bmp: maxPNGPixels
        case .raw: maxJPEGPixels
        case .video: maxVideoPixels
        }
    }
}
