import Glibc

/// Limits for rendering one picture. Size limits are checked against the picture's header before a decoder reads the bytes. The limits from
/// ``workerMemory`` on apply to the worker process.
public struct RenderLimits: Sendable, Equatable {
    /// Maximum size of an encoded picture in bytes. Default 128 MiB.
    public var maxBytes = 128 << 20
    /// Maximum length of a side in pixels. Default one million, libpng's own limit. Some kinds have a smaller limit: ``maximumSide(of:)``.
    /// ``maxPixels`` limits the work, so a narrow picture may be long.
    public var maxSide = 1_000_000
    /// Maximum number of pixels of a picture. Default 256 million, which take two thirds of a second as a baseline JPEG. Some kinds have a
    /// smaller limit: ``maximumPixels(of:isProgressive:)``.
    public var maxPixels = 256_000_000
    /// Maximum size in bytes of a RAW file or a video that is served from a folder. Only a part of it is read to show it. Default 512 MiB.
    public var maxRAWBytes = 512 << 20
    /// Maximum number of scans of a JPEG. Default 100.
    public var maxScans = 100
    /// Number of scans after which decoding of a progressive JPEG stops. Default 4.
    public var progressiveStop = 4
    /// Maximum size of an embedded colour profile in bytes. A larger profile is ignored. Default 1 MB.
    public var maxProfileBytes = 1_000_000
    /// Maximum address space of a worker process in bytes (`RLIMIT_AS`). 0 means no limit. Default 512 MiB.
    public var workerMemory = 512 << 20
    /// Maximum address space of a worker during a HEIC, an AVIF, a JPEG XL or a video, in bytes. Default 2 GiB: a HEIC of 200 million
    /// pixels needs 1 GiB.
    public var heifWorkerMemory = 2 << 30
    /// Maximum CPU time in seconds for a picture of up to ``usualPixels``, 0.01 ... 3,600. Its worker is killed afterwards. For larger
    /// pictures, the limit grows with the number of pixels. Default 5.
    public var cpuTime = 5.0
    /// Number of pixels up to which all pictures have the same CPU time: 8 million.
    static let usualPixels = 8_000_000
    /// Number of pixels above which pictures are rendered one at a time: 64 million.
    package static let largePixels = 64_000_000
    /// Maximum duration in seconds for a picture, after which its worker is replaced. Much longer than the CPU time, because the machine
    /// may be busy with other work. Default 180.
    public var wallTime = 180.0
    /// Seconds without CPU use or a reply after which a worker is replaced. Another worker then gets its picture. Default 5.
    public var stallTime = 5.0
    /// Resident memory in bytes above which a worker is replaced after its picture. Default 192 MiB.
    public var workerRetention = 192 << 20

    public init() {}

    /// Returns the maximum CPU time for a picture in seconds. 33 million pixels of 10-bit HEVC take 4.6 s on one core, 200 million of 8
    /// bits 12.5 s.
    func cpuTime(pixels: Int) -> Double {
        cpuTime * max(1, Double(min(pixels, maxPixels)) / Double(Self.usualPixels))
    }

    /// Maximum number of pixels of a HEIC, AVIF or JPEG XL with any number of bytes. A larger picture must have at least a byte for every
    /// 4,096 pixels: even a picture of one colour takes a bit or two for each block, but a file of a kilobyte may claim any size.
    private static let unprovenPixels = 40_000_000

    /// Throws ``RenderError/overLimit(_:)`` if a picture with this header must not be decoded.
    ///
    /// - Parameter bytes: size of the picture's file, or `nil` if the file is incomplete.
    public func check(_ header: PictureHeader, bytes: Int? = nil) throws(RenderError) {
        let longest = maximumSide(of: header.kind)
        guard header.width <= longest, header.height <= longest else {
            throw .overLimit(
                "\(header.name) of \(header.width) x \(header.height) pixels is over the limit of \(longest) a side")
        }
        let maximum = maximumPixels(of: header.kind, isProgressive: header.isProgressive)
        guard header.pixels <= maximum else {
            throw .overLimit(
                "\(header.name) of \(header.width) x \(header.height) pixels is over the limit of "
                    + "\(decimal(Double(maximum) / 1e6)) megapixels")
        }
        guard let bytes, [.heic, .avif, .jxl].contains(header.kind), header.pixels > Self.unprovenPixels else { return }
        guard header.pixels / 4_096 <= bytes else {
            throw .overLimit(
                "\(header.name) of \(header.width) x \(header.height) pixels in \(bytes) bytes: too few bytes for this size"
            )
        }
    }

    /// Returns the maximum length of a side for a kind of picture, in pixels. Decoders have their own limits.
    func maximumSide(of kind: PictureKind) -> Int {
        let maximum =
            switch kind {
            // JPEG_MAX_DIMENSION of libjpeg.
            case .jpeg: 65_500
            // AV1 stores a side in 16 bits. The same limit is used for HEIC.
            case .heic, .avif: 65_536
            case .png, .webp, .gif, .tiff, .bmp, .raw, .video, .jxl: Int.max
            }
        return min(maximum, maxSide)
    }

    /// Returns the maximum number of pixels for a kind of picture, or for a frame of the picture.
    ///
    /// - Parameter isProgressive: whether a JPEG is progressive or a PNG interlaced.
    func maximumPixels(of kind: PictureKind, isProgressive: Bool = false) -> Int {
        let maximum =
            switch kind {
            // The decoder stores all coefficients of a progressive JPEG, 3 to 6 bytes per pixel.
            case .jpeg: isProgressive ? 40_000_000 : Int.max
            // The whole picture is in memory, 4 bytes per pixel.
            case .png: isProgressive ? 16_000_000 : 64_000_000
            case .bmp: 64_000_000
            case .webp: 40_000_000
            // Applies to the canvas and to the first frame.
            case .gif: 16_000_000
            // The decoder stores the picture twice, and returns a smaller copy.
            case .heic: 256_000_000
            // The decoder stores several copies.
            case .avif, .jxl: 64_000_000
            // The decoder stores several frames. The limit is the size of an 8K frame.
            case .video: 36_000_000
            // Only a strip of the TIFF, or the preview of the RAW file, is in memory.
            case .tiff, .raw: Int.max
            }
        return min(maximum, maxPixels)
    }
}

/// Tests whether memory for a picture is available before a decoder allocates it.
///
/// Swift ends the process if it cannot allocate an array. A picture must not do that in a process with an address space limit.
enum Memory {
    /// - Throws: ``RenderError/overLimit(_:)`` if `bytes` are not available.
    static func expect(_ bytes: Int) throws(RenderError) {
        // Small amounts are nearly always available, so the system call is skipped.
        guard bytes > 8 << 20 else { return }
        // Not `malloc`, because the compiler removes an allocation that is only freed again.
        guard let memory = mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
            memory != MAP_FAILED
        else {
            throw .overLimit("not enough memory: the picture needs \(bytes >> 20) MB")
        }
        munmap(memory, bytes)
    }
}
