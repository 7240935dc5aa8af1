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

/// The videos of a folder that belong to its pictures, by kind.
package struct PairedVideos {
    package private(set) var counts: [PictureName.Extension: Int] = [:]

    /// Those that may belong to a picture of which nothing is known yet are among them.
    ///
    /// - Parameter records: of the page's pictures; empty where nothing is known of any.
    package init(_ page: FolderPage, _ records: [FactRecord]) {
        guard records.count == page.names.count else { return }
        page.videos.bytes.withUnsafeBufferPointer { videos in
            for index in 0..<page.videos.count {
                let video = UnsafeBufferPointer(rebasing: videos[page.videos.range(index)])
                guard let type = PictureName.Extension(of: video), Self.belongs(video, type, page, records) else {
                    continue
                }
                counts[type, default: 0] += 1
            }
        }
    }

    private static func belongs(
        _ video: UnsafeBufferPointer<UInt8>, _ type: PictureName.Extension, _ page: FolderPage, _ records: [FactRecord]
    ) -> Bool {
        let stem = video.dropLast(type.text.utf8.count)
        let motion = PictureFacts.Motion(rawValue: type.text)
        let place = FolderPage.place(of: video, in: page.names)
        // Files of one stem are neighbours.
        func neighbours(_ first: Int, _ step: Int) -> some Sequence<Int> {
            sequence(first: first) { $0 + step }.prefix {
                records.indices ~= $0 && page.names[$0].starts(with: stem)
                    && !page.names[$0].dropFirst(stem.count).contains(UInt8(ascii: "."))
            }
        }
        func has(_ position: Int) -> Bool { !records[position].isKnown || records[position].motion == motion }
        return neighbours(place, 1).contains(where: has) || neighbours(place - 1, -1).contains(where: has)
    }
}

extension FilesNotShown {
    mutating func remove(_ videos: PairedVideos) { for (kind, count) in videos.counts { remove(kind, count) } }
}
