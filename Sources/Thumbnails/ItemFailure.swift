import Numbers
import Pictures

/// Why an item has no thumbnail.
public struct ItemFailure: Error, Sendable, Equatable {
    /// For a person, without a full stop.
    public var reason: String
    /// Whether trying again may help.
    public var retryable: Bool
    /// Seconds after which it may, where that is known: its host rests so long, or it took too long before.
    public var retryAfter: Int?

    package init(reason: String, retryable: Bool, retryAfter: Int? = nil) {
        self.reason = reason
        self.retryable = retryable
        self.retryAfter = retryAfter
    }

    /// Nobody waits for it any more, or the server stops.
    package static let cancelled = ItemFailure(reason: "cancelled", retryable: true)

    /// It is no video, and has none.
    package static let noVideo = ItemFailure(reason: "the item has no video", retryable: false)

    /// A build without the trait `Video` makes no pictures of videos.
    package static let videoWithoutPicture = ItemFailure(
        reason: "this build shows no frames of videos", retryable: false)

    /// As many originals as may be held are being sent.
    package static let noRoom = ItemFailure(
        reason: "too many originals are being sent", retryable: true, retryAfter: 1)

    static func doesNotAnswer(_ root: FolderRoot) -> ItemFailure {
        ItemFailure(
            reason: "the folder \"\(root.name)\" does not respond", retryable: true, retryAfter: FolderRoot.retryAfter)
    }

    /// - Parameter milliseconds: until the host is asked again.
    static func hostRests(_ milliseconds: Double) -> ItemFailure {
        let seconds = seconds(milliseconds)
        return ItemFailure(
            reason: "the host does not respond; next try in \(seconds) s", retryable: true,
            retryAfter: seconds)
    }

    /// - Parameter milliseconds: until it is tried again.
    func retried(afterMilliseconds milliseconds: Double) -> ItemFailure {
        ItemFailure(reason: reason, retryable: true, retryAfter: Self.seconds(milliseconds))
    }

    private static func seconds(_ milliseconds: Double) -> Int {
        max(1, Int(clamping: (milliseconds / 1e3).rounded(.up)))
    }
}
