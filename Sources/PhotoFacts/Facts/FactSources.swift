import Numbers

/// Everything that may tell of one picture, and what of it counts.
package struct FactSources: Sendable {
    /// Of its file; `nil` where that tells nothing.
    package var head: FileHead?
    /// Facts of its sidecar, which take precedence over the picture's own.
    package var sidecar: XMPMetadata?
    /// Of the video beside it that belongs to it, and in which kind of file that is.
    package var video: (header: QuickTimeHeader, motion: PictureFacts.Motion)?
    /// Facts of the file that a photo service's archive has beside it.
    package var archived: ArchivedFacts?
    /// Path of its file below the gallery's folder.
    package var path = ""
    /// Bytes of its file.
    package var bytes = 0
    /// When its file was last written, nanoseconds since 1970.
    package var modified: Int64 = 0

    /// As a photo service's archive tells them. Times are UTC: what the camera wrote goes before them.
    package struct ArchivedFacts: Sendable, Equatable {
        /// Seconds since 1970.
        package var taken: Int64?
        package var location: PictureFacts.Location?
        package var description: String?

        package init() {}
    }

    package init() {}

    /// - Parameters:
    ///   - latestYear: the last year that is believed of a name: next year's.
    ///   - offset: minutes that the clock here was ahead of UTC at a time in seconds since 1970.
    package func facts(latestYear: Int, offset: @escaping (Int64) -> Int) -> PictureFacts {
        var facts = PictureFacts()
        let exif = head?.exif, xmp = head?.xmp
        let seconds = Int64(clamping: (Double(modified) / 1e9).rounded(.down))
        for camera in [sidecar?.camera, exif?.camera, xmp?.camera].compactMap(\.self) {
            facts.camera.make = facts.camera.make ?? camera.make
            facts.camera.model = facts.camera.model ?? camera.model
            facts.camera.lens = facts.camera.lens ?? camera.lens
        }
        for exposure in [sidecar?.exposure, exif?.exposure, xmp?.exposure].compactMap(\.self) {
            facts.exposure.seconds = facts.exposure.seconds ?? exposure.seconds
            facts.exposure.aperture = facts.exposure.aperture ?? exposure.aperture
            facts.exposure.iso = facts.exposure.iso ?? exposure.iso
            facts.exposure.focalLength = facts.exposure.focalLength ?? exposure.focalLength
        }
        facts.location = sidecar?.location ?? exif?.location ?? xmp?.location ?? archived?.location
        facts.description = sidecar?.description ?? xmp?.description ?? exif?.description ?? archived?.description
        facts.rating = sidecar?.rating ?? xmp?.rating ?? exif?.rating
        if let head, head.width > 0, head.height > 0 { (facts.width, facts.height) = (head.width, head.height) }
        facts.mediaType = head?.kind.mediaType
        facts.motion = video?.motion ?? (head?.video == nil ? nil : .embedded)
        facts.duration = head?.film?.duration
        facts.bytes = bytes
        facts.added = seconds
        let dates: [(PictureFacts.DateSource, () -> DateTaken?)] = [
            (.sidecar, { sidecar?.taken }),
            (.exif, { exif?.taken }),
            (.xmp, { xmp?.taken }),
            (.iptc, { head?.iptc }),
            (.quicktime, { (video?.header ?? head?.film)?.taken }),
            (.gps, { exif?.gpsTime }),
            (.sidecar, { archived?.taken.flatMap { DateTaken(wallSeconds: $0, millisecond: 0, offset: 0) } }),
            (.name, { DateInName.date(in: path, latestYear: latestYear) }),
            (.exif, { exif?.changed }),
            (
                .file,
                {
                    let minutes = offset(seconds)
                    return DateTaken(wallSeconds: seconds + Int64(minutes * 60), millisecond: 0, offset: minutes)
                }
            ),
        ]
        for (source, date) in dates {
            guard let date = date() else { continue }
            (facts.taken, facts.takenSource) = (date, source)
            break
        }
        return facts
    }
}
