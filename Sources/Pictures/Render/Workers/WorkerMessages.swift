import PhotoFacts

package struct RenderRequest: Sendable, Equatable {
    var size: ThumbnailSize
    var options: RenderOptions
    /// Size in bytes of the picture, which follows the request.
    var byteCount: Int

    /// Size in bytes of a request without its picture: ten numbers.
    package static let length = 10 * 8

    package func write(to frame: inout FrameWriter) {
        frame.number(size.width)
        frame.number(size.height)
        frame.number(Int(options.format.rawValue))
        frame.number(options.quality)
        frame.number(options.smallSide)
        frame.number(options.acceptsPartial ? 1 : 0)
        frame.number(options.preview?.width ?? 0)
        frame.number(options.preview?.height ?? 0)
        frame.number(Int(options.preview?.orientation.rawValue ?? 0))
        frame.number(byteCount)
    }

    package init(size: ThumbnailSize, options: RenderOptions, byteCount: Int) {
        self.size = size
        self.options = options
        self.byteCount = byteCount
    }

    package init?(_ frame: inout FrameReader) {
        guard let width = frame.number(), let height = frame.number(), let rawFormat = frame.number(),
            let format = UInt8(exactly: rawFormat).flatMap(ThumbnailFormat.init(rawValue:)),
            let quality = frame.number(), let smallSide = frame.number(), let partial = frame.number(),
            let previewWidth = frame.number(), let previewHeight = frame.number(), let previewTurn = frame.number(),
            let byteCount = frame.number()
        else { return nil }
        size = ThumbnailSize(width: width, height: height)
        options = RenderOptions(format: format, quality: quality, smallSide: smallSide, acceptsPartial: partial != 0)
        options.preview = UInt8(exactly: previewTurn).flatMap(Orientation.init).map {
            PreviewFrame(width: previewWidth, height: previewHeight, orientation: $0)
        }
        self.byteCount = byteCount
    }
}

package struct RenderResponse: Sendable, Equatable {
    var result: Result<Thumbnail, RenderError>
    /// Resident memory of the worker after the picture, in bytes.
    var residentBytes: Int

    func write(to frame: inout FrameWriter) {
        frame.number(residentBytes)
        switch result {
        case .success(let thumbnail):
            frame.number(0)
            frame.number(thumbnail.width)
            frame.number(thumbnail.height)
            frame.number(thumbnail.sourceWidth)
            frame.number(thumbnail.sourceHeight)
            frame.text(thumbnail.mediaType)
            frame.blob(thumbnail.thumbHash)
            frame.number(thumbnail.isDamaged ? 1 : 0)
            frame.blob(thumbnail.small)
            frame.blob(thumbnail.bytes)
        case .failure(let error):
            let (code, text) = error.coded
            frame.number(code)
            frame.text(text)
        }
    }

    init(result: Result<Thumbnail, RenderError>, residentBytes: Int) {
        self.result = result
        self.residentBytes = residentBytes
    }

    /// Longest side that is accepted, in pixels.
    private static let longestSide = Int(Int32.max)

    /// Reads a reply. A malicious picture may control the worker, so a size or a media type that no renderer returns is malformed.
    package init?(_ frame: inout FrameReader) {
        guard let residentBytes = frame.number(), let code = frame.number() else { return nil }
        self.residentBytes = residentBytes
        guard code == 0 else {
            guard let text = frame.text(), let error = RenderError(code: code, text: text) else { return nil }
            result = .failure(error)
            return
        }
        guard let width = frame.number(), let height = frame.number(), let sourceWidth = frame.number(),
            let sourceHeight = frame.number(), let mediaType = frame.text(), let thumbHash = frame.blob(),
            let isDamaged = frame.number(), let small = frame.blob(), let bytes = frame.blob(),
            [width, height, sourceWidth, sourceHeight].allSatisfy({ 1...Self.longestSide ~= $0 }),
            ThumbnailFormat.allCases.contains(where: { $0.mediaType == mediaType })
        else { return nil }
        result = .success(
            Thumbnail(
                width: width, height: height, mediaType: mediaType, bytes: bytes, thumbHash: thumbHash,
                sourceWidth: sourceWidth, sourceHeight: sourceHeight, small: small, isDamaged: isDamaged != 0))
    }
}

extension RenderError {
    /// Code and text of an error in a reply. Workers report only these cases. The renderer itself reports the others.
    fileprivate var coded: (Int, String) {
        switch self {
        case .notAPicture(let text): (1, text)
        case .unsupported(let text): (2, text)
        case .overLimit(let text): (3, text)
        case .truncated(let text): (4, text)
        case .broken(let text): (5, text)
        case .noWorker(let text): (6, text)
        default: (5, "\(self)")
        }
    }

    fileprivate init?(code: Int, text: String) {
        switch code {
        case 1: self = .notAPicture(text)
        case 2: self = .unsupported(text)
        case 3: self = .overLimit(text)
        case 4: self = .truncated(text)
        case 5: self = .broken(text)
        case 6: self = .noWorker(text)
        default: return nil
        }
    }
}

extension RenderLimits {
    func write(to frame: inout FrameWriter) {
        for value in [
            maxBytes, maxSide, maxPixels, maxScans, progressiveStop, maxProfileBytes, workerMemory, workerRetention,
        ] { frame.number(value) }
        frame.number(cpuTime)
        frame.number(wallTime)
    }

    init?(_ frame: inout FrameReader) {
        let fields: [WritableKeyPath<RenderLimits, Int>] = [
            \.maxBytes, \.maxSide, \.maxPixels, \.maxScans, \.progressiveStop, \.maxProfileBytes, \.workerMemory,
            \.workerRetention,
        ]
        for field in fields {
            guard let value = frame.number() else { return nil }
            self[keyPath: field] = value
        }
        guard let cpuTime = frame.double(), let wallTime = frame.double() else { return nil }
        self.cpuTime = cpuTime
        self.wallTime = wallTime
    }
}
