import Glibc
import PhotoFacts

/// Limits of rendering one picture. Every limit is checked against the picture's header, before a decoder sees its bytes,
/// except the last four, which bound the worker process itself.
public struct RenderLimits: Sendable, Equatable {
    /// Bytes of an encoded picture. Default 128 MiB.
    public var maxBytes = 128 << 20
    /// Pixels of a side; of some kinds fewer are allowed: ``mostSide(of:)``. Default one million, which is libpng's own limit.
    /// ``maxPixels`` bounds the work, so that a picture may be long if it is narrow.
    public var maxSide = 1_000_000
    /// Pixels of a picture of any kind; of some kinds fewer are allowed: ``mostPixels(of:isProgressive:)``. Default 256 million: as a
    /// baseline JPEG, two thirds of a second.
    public var maxPixels = 256_000_000
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
    /// The same of a worker for HEIC, AVIF and JPEG XL, or for videos. Default 2 GiB: a HEIC of 200 million pixels takes one.
    public var heifWorkerMemory = 2 << 30
    /// Seconds of CPU time a picture of up to ``usualPixels`` may take before its worker is killed, 0.01 ... 3,600; a larger one may
    /// take as much more as it has more. Default 5.
    public var cpuTime = 5.0
    /// Pixels of pictures that all have the same time: 8 million.
    static let usualPixels = 8_000_000
    /// Seconds in all, after which a worker is replaced; a machine that is busy with other things is no fault of a
    /// picture's. Default 180.
    public var wallTime = 180.0
    /// Seconds without any work or answer after which a worker is replaced and its picture given to another. Default 5.
    public var stallTime = 5.0
    /// Bytes of resident memory above which a worker is replaced once its picture is done. Default 192 MiB.
    public var workerRetention = 192 << 20

    public init() {}

    /// Seconds of CPU time that a picture may take. 33 million pixels of 10-bit HEVC take 4.6 s on one core, 200 million of 8 bits 12.5 s.
    func cpuTime(of bytes: [UInt8]) -> Double {
        let pixels = (try? PictureHeader(bytes))?.pixels ?? 0
        return cpuTime * max(1, Double(min(pixels, maxPixels)) / Double(Self.usualPixels))
    }

    /// Pixels of a HEIC, AVIF or JPEG XL of any number of bytes. A larger one has a byte for 4,096 pixels at least: even a picture
    /// of one colour takes a bit or two for each block, but a file of a kilobyte may claim to be as large as it likes.
    private static let unprovenPixels = 40_000_000

    /// Throws ``RenderError/overLimit(_:)`` when a picture of this header must not reach a decoder.
    ///
    /// - Parameter bytes: of its file; `nil` if there are not all of them.
    public func check(_ header: PictureHeader, bytes: Int? = nil) throws(RenderError) {
        let longest = mostSide(of: header.kind)
        guard header.width <= longest, header.height <= longest else {
            throw .overLimit(
                "\(header.name) of \(header.width) x \(header.height) pixels is over the limit of \(longest) a side")
        }
        let most = mostPixels(of: header.kind, isProgressive: header.isProgressive)
        guard header.pixels <= most else {
            throw .overLimit(
                "\(header.name) of \(header.width) x \(header.height) pixels is over the limit of "
                    + "\(decimal(Double(most) / 1e6)) megapixels")
        }
        guard let bytes, [.heic, .avif, .jxl].contains(header.kind), header.pixels > Self.unprovenPixels else { return }
        guard header.pixels / 4_096 <= bytes else {
            throw .overLimit(
                "\(header.name) of \(header.width) x \(header.height) pixels in \(bytes) bytes: so few cannot hold so many"
            )
        }
    }

    /// The most pixels of a side of a picture of some kind: as many as its decoder takes.
    func mostSide(of kind: PictureKind) -> Int {
        let most =
            switch kind {
            // JPEG_MAX_DIMENSION of libjpeg.
            case .jpeg: 65_500
            // AV1 writes sides of 16 bits. HEIC gets no longer ones.
            case .heic, .avif: 65_536
            case .png, .webp, .gif, .tiff, .bmp, .raw, .video, .jxl: Int.max
            }
        return min(most, maxSide)
    }

    /// The most pixels of a picture of some kind, or of a frame of it.
    ///
    /// - Parameter isProgressive: of a JPEG or an interlaced PNG.
    func mostPixels(of kind: PictureKind, isProgressive: Bool = false) -> Int {
        let most =
            switch kind {
            // A progressive JPEG's coefficients are all held, at 3 to 6 bytes a pixel.
            case .jpeg: isProgressive ? 40_000_000 : Int.max
            // Held whole, at 4 bytes a pixel.
            case .png: isProgressive ? 16_000_000 : 64_000_000
            case .bmp: 64_000_000
            case .webp: 40_000_000
            // Of its canvas and of its first frame.
            case .gif: 16_000_000
            // A decoder holds it twice, and hands a smaller one over.
            case .heic: 256_000_000
            // A decoder holds several copies.
            case .avif, .jxl: 64_000_000
            // A decoder holds several frames; as many as 8K has.
            case .video: 36_000_000
            // A strip at a time, or the preview alone.
            case .tiff, .raw: Int.max
            }
        return min(most, maxPixels)
    }
}

/// Tests whether memory for a picture is available before a decoder allocates it.
///
/// Swift ends the process if it cannot allocate an array. A picture must not do that in a process with an address space limit.
enum Memory {
    /// Checks that so much memory is available now.
    ///
    /// - Throws: ``RenderError/overLimit(_:)`` if `bytes` are not available.
    static func expect(_ bytes: Int) throws(RenderError) {
        // Small amounts are nearly always available, and not worth a system call.
        guard bytes > 8 << 20 else { return }
        // Not malloc: the compiler removes an allocation that is only freed again.
        guard let memory = mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
            memory != MAP_FAILED
        else {
            throw .overLimit("not enough memory: the picture needs \(bytes >> 20) MB")
        }
        munmap(memory, bytes)
    }
}
