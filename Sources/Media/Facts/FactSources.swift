import Numbers

/// All sources of facts about one picture, and the rules for choosing among them.
package struct FactSources: Sendable {
    /// Header and metadata of the picture's file, or `nil` if the file contains none.
    package var head: FileHead?
    /// Facts from the picture's sidecar, which take precedence over the picture's own.
    package var sidecar: XMPMetadata?
    /// Header of the video that belongs to the picture and is a separate file, and the kind of that file.
    package var video: (header: QuickTimeHeader, motion: PictureFacts.Motion)?
    /// Facts from the file that a photo service's archive stores next to the picture.
    package var archived: ArchivedFacts?
    /// Path of the picture's file, relative to the gallery's folder.
    package var path = ""
    package var bytes = 0
    /// When the picture's file was last modified, in nanoseconds since 1970.
    package var modified: Int64 = 0

    /// Facts as a photo service's archive states them. Times are UTC. Dates that the camera wrote take precedence.
    package struct ArchivedFacts: Sendable, Equatable {
        /// Seconds since 1970.
        package var taken: Int64?
        package var location: PictureFacts.Location?
        package var description: String?

        package init() {}
    }

    package init() {}

    /// - Parameters:
    ///   - latestYear: last year accepted in a file name: next year.
    ///   - offset: returns the minutes by which the server's clock was ahead of UTC at a time in seconds since 1970.
    package func facts(latestYear: Int, offset: @escaping (Int64) -> Int) -> PictureFacts {
        var facts = PictureFacts()
        let exif = head?.exif, xmp = head?.xmp
        let seconds = Int64(clamping: (Double(modified) / 1e9).rounded(.down))
        let film = video?.header ?? head?.film
        for camera in [sidecar?.camera, exif?.camera, xmp?.camera, film?.camera].compactMap(\.self) {
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
        facts.location =
            sidecar?.location ?? exif?.location ?? xmp?.location ?? film?.location
            ?? archived?.location
        facts.description = sidecar?.description ?? xmp?.description ?? exif?.description ?? archived?.description
        facts.rating = sidecar?.rating ?? xmp?.rating ?? exif?.rating
        if let head, head.width > 0, head.height > 0 { (facts.width, facts.height) = (head.width, head.height) }
        facts.mediaType = head?.kind.mediaType
        facts.motion = video?.motion ?? (head?.video == nil ? nil : .embedded)
        facts.duration = head?.film?.duration
        facts.bytes = bytes
        facts.added = seconds
        let named = DateInName.date(in: path, latestYear: latestYear)
        let dates: [(source: PictureFacts.DateSource, date: DateTaken?, isUTC: Bool)] = [
            (.sidecar, sidecar?.taken, false),
            (.exif, exif?.taken, false),
            (.xmp, xmp?.taken, false),
            (.iptc, head?.iptc, false),
            (.quicktime, film?.taken, film?.isUTC == true),
            (.gps, exif?.gpsTime, true),
            (.sidecar, archived?.taken.flatMap { DateTaken(wallSeconds: $0, millisecond: 0, offset: 0) }, true),
            (.name, named, named?.offset == 0),
            (.exif, exif?.changed, false),
            (.file, DateTaken(wallSeconds: seconds, millisecond: 0, offset: 0), true),
        ]
        guard let (source, found, isUTC) = dates.first(where: { $0.date != nil }), let date = found else {
            return facts
        }
        (facts.taken, facts.takenSource) = (date, source)
        guard isUTC else { return facts }
        let local = named?.offset == nil && source != .file ? named : nil
        if let minutes = local.flatMap({ Self.offset(of: $0, from: date, duration: facts.duration ?? 0) }) {
            (facts.taken, facts.offsetSource) = (date.local(minutes), .name)
        } else {
            (facts.taken, facts.offsetSource) = (date.local(offset(date.wallSeconds)), .server)
        }
        return facts
    }

    /// Maximum difference between a time in a name and a time in the file for the same moment, in seconds.
    private static let tolerance = 5.0

    /// Returns the minutes by which a local time is ahead of UTC. Returns `nil` if the difference is not a multiple of a quarter of an
    /// hour, because then the two are not the same moment.
    ///
    /// - Parameter duration: duration of a film in seconds. Some cameras write when the recording ended, others when it began.
    private static func offset(of local: DateTaken, from utc: DateTaken, duration: Double) -> Int? {
        // The name contains only a day.
        guard (local.hour, local.minute, local.second) != (0, 0, 0) else { return nil }
        let difference = Double(local.wallSeconds - utc.wallSeconds)
        for difference in [difference, difference + duration] {
            let quarters = (difference / 900).rounded()
            if abs(quarters) <= 14 * 4, abs(difference - quarters * 900) <= tolerance {
                return Int(clamping: quarters) * 15
            }
        }
        return nil
    }
}
