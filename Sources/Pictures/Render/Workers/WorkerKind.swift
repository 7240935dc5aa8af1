import PhotoFacts

/// The kind of work that a worker does.
package enum WorkerKind: String, Sendable, CaseIterable {
    case common = "render"
    /// HEIC and AVIF, whose decoders are those of videos: they hold a picture several times, and have other faults.
    case heif
    /// The first frames of videos, by a library of hundreds of decoders.
    case video

    init(of bytes: [UInt8]) {
        switch try? PictureKind(bytes) {
        case .heic, .avif: self = .heif
        case .video: self = .video
        default: self = .common
        }
    }
}
