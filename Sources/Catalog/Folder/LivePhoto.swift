import PhotoFacts

/// Whether a video beside a picture, of the same name up to the ending, belongs to it.
enum LivePhoto {
    /// Seconds between the dates of the two files.
    private static let mostSeconds: Int64 = 3

    /// They are one where both have the same content identifier, or, where one of them has none, were taken within three seconds of
    /// each other. The name says nothing, since cameras count anew after 9999, and nor does when a file was written.
    ///
    /// - Parameters:
    ///   - facts: of the picture.
    ///   - identifier: the picture's content identifier.
    static func areOne(_ facts: PictureFacts, identifier: String?, _ video: QuickTimeHeader) -> Bool {
        if let identifier, let other = video.contentIdentifier { return identifier == other }
        guard facts.takenSource != .file, let taken = facts.taken, let recorded = video.taken else { return false }
        var difference = taken.wallSeconds - recorded.wallSeconds
        // Where one of the clocks is not known, it is taken for the other's: cameras write the time on the wall even where UTC is
        // asked for.
        if let offset = taken.offset, let other = recorded.offset { difference -= Int64((offset - other) * 60) }
        return abs(difference) <= mostSeconds
    }
}
