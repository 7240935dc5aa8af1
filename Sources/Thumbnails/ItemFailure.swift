import Media
import Numbers

/// Why an item has no thumbnail.
public struct ItemFailure: Error, Sendable, Equatable {
    /// Reason for people, without a full stop.
    public var reason: String
    public var retryable: Bool
    /// Seconds until a retry may succeed, if known: the host is paused, or the picture took too long before.
    public var retryAfter: Int?

    package init(reason: String, retryable: Bool, retryAfter: Int? = nil) {
        self.reason = reason
        self.retryable = retryable
        self.retryAfter = retryAfter
    }

    /// Nobody waits for the item any more, or the server is stopping.
    package static let cancelled = ItemFailure(reason: "cancelled", retryable: true)

    /// The item is not a video and contains none.
    package static let noVideo = ItemFailure(reason: "the item has no video", retryable: false)

    /// A build without the trait `Video` cannot make thumbnails of videos.
    package static let videoWithoutPicture = ItemFailure(
        reason: "this build cannot show video frames", retryable: false)

    /// The budget for originals being sent is used up.
    package static let noRoom = ItemFailure(
        reason: "too many originals are being sent", retryable: true, retryAfter: 1)

    static func notResponding(_ root: FolderRoot) -> ItemFailure {
        ItemFailure(
            reason: "the folder \"\(root.name)\" does not respond", retryable: true, retryAfter: FolderRoot.retryAfter)
    }

    /// - Parameter milliseconds: Time until the next request to the host.
    static func hostPaused(_ milliseconds: Double) -> ItemFailure {
        let seconds = seconds(milliseconds)
        return ItemFailure(
            reason: "the host does not respond; next try in \(seconds) s", retryable: true,
            retryAfter: seconds)
    }

    /// - Parameter milliseconds: Delay before a retry.
    func retried(afterMilliseconds milliseconds: Double) -> ItemFailure {
        ItemFailure(reason: reason, retryable: true, retryAfter: Self.seconds(milliseconds))
    }

    private static func seconds(_ milliseconds: Double) -> Int {
        max(1, Int(clamping: (milliseconds / 1e3).rounded(.up)))
    }
}
