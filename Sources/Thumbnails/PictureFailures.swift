import Cluster
import Fetch
import Media
import Threads

/// Remembers failures of pictures: how long each is valid, and which are shared with other nodes.
final class PictureFailures: Sendable {
    private let memory: FailureMemory
    private let settings: PictureMemorySettings
    private let unrendered: UnrenderedPictures
    private let sharing: Sharing?
    private let began = ContinuousClock.now

    init(_ settings: PictureMemorySettings, unrendered: UnrenderedPictures, sharing: Sharing?) {
        memory = FailureMemory(capacity: settings.maxFailures)
        self.settings = settings
        self.unrendered = unrendered
        self.sharing = sharing
    }

    /// Returns why there is no picture, if a remembered failure is still valid.
    func known(of picture: TaskPicture) -> ItemFailure? {
        memory.failure(
            of: picture.content, at: picture.sizeClass, now: (ContinuousClock.now - began) / .milliseconds(1))
    }

    /// Allows another try for a picture, because a person requested it.
    func forgive(_ picture: TaskPicture) {
        memory.forget(picture.content, at: picture.sizeClass, now: (ContinuousClock.now - began) / .milliseconds(1))
    }

    /// Whether the latest try at sizes of the same class took too long.
    func hasTimedOut(_ picture: TaskPicture) -> Bool { memory.hasTimedOut(picture.content, at: picture.sizeClass) }

    func succeeded(_ picture: TaskPicture) { memory.succeeded(picture.content, at: picture.sizeClass) }

    /// Converts a download error to the picture's failure. Remembers it if a new try would soon fail in the same manner: the picture is
    /// missing, is too large, or took too long.
    ///
    /// - Parameter known: A thumbnail that may be stale.
    func take(_ error: FetchError, of picture: TaskPicture, knowing known: Thumbnail? = nil) -> ItemFailure {
        let failure = ItemFailure(reason: error.description, retryable: error.isRetryable)
        switch error {
        // If there is a thumbnail already, a time-out says nothing about it.
        case .timeout where known == nil: return rememberTimeout(failure, of: picture)
        case .status(404, _): remember(failure, of: picture, seconds: settings.missingLifetime)
        case .status(410, _): remember(failure, of: picture, seconds: settings.goneLifetime)
        case .tooLarge: remember(failure, of: picture, seconds: settings.brokenLifetime)
        default: break
        }
        return failure
    }

    /// Converts a render error to the picture's failure. Remembers it if the picture caused it or rendering took too long.
    func take(_ error: RenderError, of picture: TaskPicture) -> ItemFailure {
        let failure = ItemFailure(reason: "\(error)", retryable: error.retryable)
        switch error {
        // The picture caused the error, so rendering would fail again.
        case .notAPicture, .unsupported, .overLimit:
            forgetUnrendered(picture)
            remember(failure, of: picture, seconds: settings.brokenLifetime)
        // Another size may need less of the picture, or another part.
        case .broken, .workerDied:
            forgetUnrendered(picture)
            remember(failure, of: picture, at: picture.sizeClass, seconds: settings.brokenLifetime)
        case .tooSlow:
            forgetUnrendered(picture)
            return rememberTimeout(failure, of: picture)
        case .truncated: forgetUnrendered(picture)
        case .interrupted, .noWorker, .cancelled, .shutDown: break
        }
        return failure
    }

    /// Remembers a failure for `seconds`, so that the picture is not retried before.
    ///
    /// - Parameter sizeClass: Class of the sizes that failed, or `nil` for all sizes.
    private func remember(_ failure: ItemFailure, of picture: TaskPicture, at sizeClass: Int? = nil, seconds: Double) {
        memory.note(
            picture.content, at: sizeClass, failure, for: seconds * 1e3,
            now: (ContinuousClock.now - began) / .milliseconds(1))
        share(failure, of: picture, seconds: seconds)
    }

    /// Remembers a time-out at sizes of the picture's class. Each further time-out lengthens the delay before a retry.
    private func rememberTimeout(_ failure: ItemFailure, of picture: TaskPicture) -> ItemFailure {
        let milliseconds = memory.noteTimeout(
            picture.content, at: picture.sizeClass, failure, now: (ContinuousClock.now - began) / .milliseconds(1))
        share(failure, of: picture, seconds: milliseconds / 1e3)
        return failure.retried(afterMilliseconds: milliseconds)
    }

    private func share(_ failure: ItemFailure, of picture: TaskPicture, seconds: Double) {
        let shared = SharedFailure(reason: failure.reason, isRetryable: failure.retryable)
        sharing?.save(.failure(shared, seconds: seconds), of: picture)
    }

    private func forgetUnrendered(_ picture: TaskPicture) {
        if let storeKey = picture.storeKey { unrendered.remove(storeKey) }
    }

    /// Remembers another node's failure for `milliseconds`.
    func take(_ failure: SharedFailure, of picture: TaskPicture, for milliseconds: Double) -> ItemFailure {
        let failure = ItemFailure(reason: failure.reason, retryable: failure.isRetryable)
        // Nodes exchange failures of one size only.
        memory.note(
            picture.content, at: picture.sizeClass, failure, for: milliseconds,
            now: (ContinuousClock.now - began) / .milliseconds(1))
        return failure.retryable ? failure.retried(afterMilliseconds: milliseconds) : failure
    }
}
