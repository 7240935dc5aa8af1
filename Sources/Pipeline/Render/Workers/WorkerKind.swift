/// What a worker renders.
enum WorkerKind: Sendable {
    case common
    /// HEIC and AVIF, whose decoders are those of videos: they hold a picture several times, and have other faults.
    case heif

    init(of bytes: [UInt8]) {
        let kind = try? PictureKind(bytes)
        self = kind == .heic || kind == .avif ? .heif : .common
    }
}
