import Cluster
import Fetch
import PhotoFacts
import Pictures
import Threads

/// Remembers failures of pictures: how long each is believed, and which are shared with other nodes.
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

    /// Why there is no picture, where that is still believed.
    func known(of picture: TaskPicture) -> ItemFailure? {
        memory.failure(
            of: picture.content, at: picture.sizeClass, now: (ContinuousClock.now - began) / .milliseconds(1))
    }

    /// Lets a picture be tried again, because a person asks for it.
    func forgive(_ picture: TaskPicture) {
        memory.forget(picture.content, at: picture.sizeClass, now: (ContinuousClock.now - began) / .milliseconds(1))
    }

    /// Whether the latest try at such sizes took too long.
    func hasTimedOut(_ picture: TaskPicture) -> Bool { memory.hasTimedOut(picture.content, at: picture.sizeClass) }

    /// The picture was made.
    func succeeded(_ picture: TaskPicture) { memory.succeeded(picture.content, at: picture.sizeClass) }

    /// The failure of a download of the picture, remembered where another try would soon fail alike: the picture is
    /// missing or too large, or took too long.
    ///
    /// - Parameter known: a thumbnail that may be out of date.
    func take(_ error: FetchError, of picture: TaskPicture, knowing known: Thumbnail? = nil) -> ItemFailure {
        let failure = ItemFailure(reason: error.description, retryable: error.isRetryable)
        switch error {
        // Of one that is there already it says nothing.
        case .timeout where known == nil: return rememberTimeout(failure, of: picture)
        case .status(404, _): remember(failure, of: picture, seconds: settings.missingLifetime)
        case .status(410, _): remember(failure, of: picture, seconds: settings.goneLifetime)
        case .tooLarge: remember(failure, of: picture, seconds: settings.brokenLifetime)
        default: break
        }
        return failure
    }

    /// The failure of a rendering of the picture, remembered where it is the picture's own or it took too long.
    func take(_ error: RenderError, of picture: TaskPicture) -> ItemFailure {
        let failure = ItemFailure(reason: "\(error)", retryable: error.retryable)
        switch error {
        // The picture's own fault: it would fail again.
        case .notAPicture, .unsupported, .overLimit:
            forgetUnrendered(picture)
            remember(failure, of: picture, seconds: settings.brokenLifetime)
        // Another size may need less of it, or another part.
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

    /// Not to be tried again for so long.
    ///
    /// - Parameter sizeClass: of the sizes that it is about; `nil` for all.
    private func remember(_ failure: ItemFailure, of picture: TaskPicture, at sizeClass: Int? = nil, seconds: Double) {
        memory.note(
            picture.content, at: sizeClass, failure, for: seconds * 1e3,
            now: (ContinuousClock.now - began) / .milliseconds(1))
        share(failure, of: picture, seconds: seconds)
    }

    /// Not to be tried again at such sizes for a while, the longer the more often it took too long.
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

    /// Remembers another node's failure for so many milliseconds.
    func take(_ failure: SharedFailure, of picture: TaskPicture, for milliseconds: Double) -> ItemFailure {
        let failure = ItemFailure(reason: failure.reason, retryable: failure.isRetryable)
        // Nodes tell each other of one size.
        memory.note(
            picture.content, at: picture.sizeClass, failure, for: milliseconds,
            now: (ContinuousClock.now - began) / .milliseconds(1))
        return failure.retryable ? failure.retried(afterMilliseconds: milliseconds) : failure
    }
}
