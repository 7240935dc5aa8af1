/// A request to a worker: a frame, bytes that follow the frame without a copy, and open files that come with it.
package struct WorkerRequest: Sendable {
    enum Kind: Int {
        /// A thumbnail of a picture. The picture's bytes follow.
        case thumbnail
        /// The preview in a file. The worker asks for the file's bytes.
        case preview
        /// The preview in a file of which only the beginning is there. The beginning follows.
        case previewInBeginning
        /// The part of a RAW file or of a video that a thumbnail needs. The worker asks for the file's bytes.
        case excerpt
        /// The position of the video in a file. The worker asks for the file's bytes.
        case video
        /// The facts of files, which come with the request as descriptors.
        case facts
    }

    package var frame = FrameWriter()
    package var descriptors: [Int32] = []
    var bytes: [UInt8] = []

    private init(_ kind: Kind) { frame.number(kind.rawValue) }

    /// - Parameter mayBeLarge: whether a picture of more than ``RenderLimits/largePixels`` is rendered. Otherwise it is refused.
    static func thumbnail(_ bytes: [UInt8], _ size: ThumbnailSize, _ options: RenderOptions, mayBeLarge: Bool) -> Self {
        var request = Self(.thumbnail)
        for value in [
            bytes.count, size.width, size.height, Int(options.format.rawValue), options.quality, options.smallSide,
            options.acceptsPartial ? 1 : 0, mayBeLarge ? 1 : 0,
        ] { request.frame.number(value) }
        request.bytes = bytes
        return request
    }

    static func preview(_ file: WorkerFile) -> Self { file.request(.preview) }

    static func preview(inBeginning beginning: [UInt8]) -> Self {
        var request = Self(.previewInBeginning)
        request.frame.number(beginning.count)
        request.bytes = beginning
        return request
    }

    static func excerpt(_ file: WorkerFile, for size: ThumbnailSize) -> Self {
        var request = file.request(.excerpt)
        request.frame.number(size.width)
        request.frame.number(size.height)
        return request
    }

    static func video(_ file: WorkerFile) -> Self { file.request(.video) }

    /// - Parameter descriptors: the open files. They stay the caller's.
    package static func facts(descriptors: [Int32]) -> Self {
        var request = Self(.facts)
        request.descriptors = descriptors
        return request
    }

    fileprivate init(_ kind: Kind, count: Int, beginning: [UInt8]) {
        self.init(kind)
        frame.number(count)
        frame.number(beginning.count)
        bytes = beginning
    }
}

/// A file that the server reads for a worker. The worker cannot open files, and a file that does not respond must not stop it.
package struct WorkerFile {
    /// Length in bytes.
    var count: Int
    /// The first bytes, which nearly every request needs.
    var beginning: [UInt8]
    /// Reads the preview that another program stored in a file beside this one. Empty if there is none.
    var readBeside: () -> [UInt8]
    private let read: (_ offset: Int, _ count: Int) -> [UInt8]

    package init(_ file: FilePieces, readBeside: @escaping () -> [UInt8] = { [] }) {
        count = file.count
        beginning = file.bytes(at: 0, JPEGHead.length)
        read = file.bytes
        self.readBeside = readBeside
    }

    fileprivate func request(_ kind: WorkerRequest.Kind) -> WorkerRequest {
        WorkerRequest(kind, count: count, beginning: beginning)
    }

    func bytes(_ need: WorkerNeed) -> [UInt8] {
        switch need {
        case .bytes(let offset, let count): read(offset, min(count, WorkerNeed.longest))
        case .beside: readBeside()
        }
    }
}

/// A part of a file that a worker asks for.
package enum WorkerNeed: Sendable, Equatable {
    case bytes(offset: Int, count: Int)
    /// The file beside it.
    case beside

    /// Maximum number of parts for one request. A worker that asks for more is replaced.
    static let maximum = FilePieces.maximumReads
    /// Maximum length of a part in bytes. A longer one is cut.
    static let longest = 128 << 20
}

/// The beginning of each frame that a worker sends.
enum WorkerReply: Equatable {
    case needs(WorkerNeed)
    /// A part of the reply. Others follow.
    case part
    /// - residentBytes: resident memory of the worker, in bytes.
    case last(residentBytes: Int)

    func write(to frame: inout FrameWriter) {
        switch self {
        case .needs(.bytes(let offset, let count)):
            for value in [0, offset, count] { frame.number(value) }
        case .needs(.beside): frame.number(1)
        case .part: frame.number(2)
        case .last(let residentBytes):
            frame.number(3)
            frame.number(residentBytes)
        }
    }

    init?(_ frame: inout FrameReader) {
        switch frame.number() {
        case 0:
            guard let offset = frame.number(), let count = frame.number(), offset >= 0, count >= 0 else { return nil }
            self = .needs(.bytes(offset: offset, count: count))
        case 1: self = .needs(.beside)
        case 2: self = .part
        case 3:
            guard let residentBytes = frame.number() else { return nil }
            self = .last(residentBytes: residentBytes)
        default: return nil
        }
    }
}

/// A worker's reply to a request for a preview: the picture's size, and the preview.
package struct PicturePreview: Sendable, Equatable {
    /// Width of the upright picture in pixels. 0 if unknown.
    package var width = 0
    /// Height of the upright picture in pixels. 0 if unknown.
    package var height = 0
    /// The preview, upright and in the shape of the picture. `nil` if there is none, or if it does not show the current picture.
    package var thumbnail: Thumbnail?

    func write(to frame: inout FrameWriter) {
        for value in [width, height, thumbnail == nil ? 0 : 1] { frame.number(value) }
        thumbnail?.write(to: &frame)
    }

    init(width: Int = 0, height: Int = 0, thumbnail: Thumbnail? = nil) {
        (self.width, self.height, self.thumbnail) = (width, height, thumbnail)
    }

    init?(_ frame: inout FrameReader) {
        guard let width = frame.number(), let height = frame.number(), let hasPreview = frame.number(),
            [width, height].allSatisfy({ 0...Thumbnail.longestSource ~= $0 })
        else { return nil }
        self.init(width: width, height: height)
        guard hasPreview != 0 else { return }
        guard let thumbnail = Thumbnail(&frame) else { return nil }
        self.thumbnail = thumbnail
    }
}

extension Thumbnail {
    /// Longest side of a picture that is accepted from a worker, in pixels.
    fileprivate static let longestSource = Int(Int32.max)

    func write(to frame: inout FrameWriter) {
        for value in [width, height, sourceWidth, sourceHeight, isDamaged ? 1 : 0, hasPreview ? 1 : 0] {
            frame.number(value)
        }
        frame.text(mediaType)
        for blob in [thumbHash, small, bytes] { frame.blob(blob) }
    }

    /// Reads a thumbnail from a worker. A malicious picture may control the worker, so a size or a media type that no renderer returns is
    /// malformed.
    package init?(_ frame: inout FrameReader) {
        guard let width = frame.number(), let height = frame.number(), let sourceWidth = frame.number(),
            let sourceHeight = frame.number(), let isDamaged = frame.number(), let hasPreview = frame.number(),
            let mediaType = frame.text(), let thumbHash = frame.blob(), let small = frame.blob(),
            let bytes = frame.blob(),
            [width, height, sourceWidth, sourceHeight].allSatisfy({ 1...Self.longestSource ~= $0 }),
            ThumbnailFormat.allCases.contains(where: { $0.mediaType == mediaType })
        else { return nil }
        self.init(
            width: width, height: height, mediaType: mediaType, bytes: bytes, thumbHash: thumbHash,
            sourceWidth: sourceWidth, sourceHeight: sourceHeight, small: small, isDamaged: isDamaged != 0)
        self.hasPreview = hasPreview != 0
    }
}

/// A worker's reply to a request for a thumbnail.
enum ThumbnailReply {
    case thumbnail(Thumbnail)
    case failure(RenderError)
    /// The picture has more than ``RenderLimits/largePixels``, and the request does not allow that.
    case large

    func write(to frame: inout FrameWriter) {
        switch self {
        case .thumbnail(let thumbnail):
            frame.number(0)
            thumbnail.write(to: &frame)
        case .failure(let error):
            let (code, text) = error.coded
            frame.number(code)
            frame.text(text)
        case .large: frame.number(7)
        }
    }

    init?(_ frame: inout FrameReader) {
        switch frame.number() {
        case 0:
            guard let thumbnail = Thumbnail(&frame) else { return nil }
            self = .thumbnail(thumbnail)
        case 7: self = .large
        case let code?:
            guard let text = frame.text(), let error = RenderError(code: code, text: text) else { return nil }
            self = .failure(error)
        case nil: return nil
        }
    }
}

extension RenderError {
    /// Code and text of an error in a reply. Workers report only these cases. The server itself reports the others.
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
    private static var numbers: [WritableKeyPath<RenderLimits, Int>] {
        [
            \.maxBytes, \.maxSide, \.maxPixels, \.maxScans, \.progressiveStop, \.maxProfileBytes, \.workerMemory,
            \.heifWorkerMemory, \.workerRetention,
        ]
    }

    func write(to frame: inout FrameWriter) {
        for number in Self.numbers { frame.number(self[keyPath: number]) }
        frame.number(cpuTime)
        frame.number(wallTime)
    }

    init?(_ frame: inout FrameReader) {
        self.init()
        for number in Self.numbers {
            guard let value = frame.number() else { return nil }
            self[keyPath: number] = value
        }
        guard let cpuTime = frame.double(), let wallTime = frame.double() else { return nil }
        self.cpuTime = cpuTime
        self.wallTime = wallTime
    }
}
