import Glibc
import Media

/// A picture's file and the files beside it that describe it, all open. All facts are read from these files.
struct FactFile {
    struct Part {
        var descriptor: Int32
        var count: Int

        var pieces: FilePieces { FilePieces(descriptor: descriptor, count: count) }

        /// The whole content. Empty if it is longer than a sidecar may be.
        var bytes: [UInt8] { count <= SidecarFiles.longest ? pieces.bytes(at: 0, count) : [] }
    }

    /// Path relative to the gallery's folder.
    var path: String
    /// Modification time in nanoseconds since 1970.
    var modified: Int64
    var head: Part
    var xmp: Part?
    var takeout: Part?
    var videos: [(part: Part, motion: PictureFacts.Motion)] = []

    /// The descriptors in the order in which they are sent.
    var descriptors: [Int32] {
        [head.descriptor] + [xmp, takeout].compactMap { $0?.descriptor } + videos.map(\.part.descriptor)
    }

    func close() { for descriptor in descriptors { Glibc.close(descriptor) } }

    private var sources: FactSources {
        var sources = FactSources()
        sources.path = path
        sources.bytes = head.count
        sources.modified = modified
        return sources
    }

    func read(latestYear: Int) -> PictureFacts {
        var sources = sources
        sources.head = FileHead(head.pieces)
        if let bytes = xmp?.bytes, !bytes.isEmpty { sources.sidecar = XMPMetadata(bytes) }
        if let bytes = takeout?.bytes, !bytes.isEmpty { sources.archived = SidecarFiles.archived(bytes) }
        func facts() -> PictureFacts { sources.facts(latestYear: latestYear, offset: Self.offset(at:)) }
        var found = facts()
        let identifier = sources.head?.exif?.contentIdentifier
        for video in videos where sources.video == nil {
            guard let header = QuickTimeHeader(video.part.pieces),
                LivePhoto.areOne(found, identifier: identifier, header)
            else { continue }
            sources.video = (header, video.motion)
        }
        // A picture without its own date gets the date of its video.
        if sources.video != nil { found = facts() }
        return found
    }

    /// Returns the facts that do not require reading the files.
    func unread(latestYear: Int) -> PictureFacts {
        sources.facts(latestYear: latestYear, offset: Self.offset(at:))
    }

    /// Returns the local offset from UTC in minutes, at a time in seconds since 1970.
    private static func offset(at seconds: Int64) -> Int {
        var seconds = time_t(seconds), parts = tm()
        return localtime_r(&seconds, &parts) == nil ? 0 : parts.tm_gmtoff / 60
    }
}
