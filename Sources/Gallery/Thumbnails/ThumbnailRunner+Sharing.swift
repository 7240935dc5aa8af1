import Pipeline
import Shared
import TaskPool

extension ThumbnailRunner {
    /// Fetches a picture, unless another node has its thumbnail or is making it.
    ///
    /// - Parameter known: a thumbnail that may be out of date.
    func fetchUnlessShared(
        _ ticket: Ticket<ThumbnailKey>, _ picture: TaskPicture, knowing known: Thumbnail?
    ) async throws(ItemFailure) -> StageOutcome<ThumbnailWork> {
        guard let sharing, let storeKey = picture.storeKey else {
            return try await fetch(ticket.key, picture, knowing: known)
        }
        var picture = picture
        let claim = sharing.claim(
            storeKey, ticket, newerThan: newest(of: picture, knowing: known), forgives: picture.isForgiven)
        let answer =
            if let want = picture.want {
                await sharing.thumbnails.claim(again: want)
            } else {
                await sharing.thumbnails.claim(claim)
            }
        // What the answer holds is let go with it.
        guard !Task.isCancelled else { return .cancelled }
        switch answer {
        case .thumbnail(var thumbnail):
            // Another node's clock may be ahead; this one's never takes a thumbnail for one of the future.
            if let confirmed = thumbnail.version?.confirmed {
                thumbnail.version?.confirmed = min(confirmed, Self.unixTime)
            }
            store.save(thumbnail, as: storeKey)
            return ready(thumbnail, ticket.key, picture)
        case .failure(let failure, let milliseconds):
            let failure = ItemFailure(reason: failure.reason, retryable: failure.isRetryable)
            failures.note(picture.content, failure, for: milliseconds, now: now)
            return .failed(failure)
        case .wait(let want, let milliseconds):
            picture.want = want
            return .wait(upTo: milliseconds, carrying: known == nil ? .absent(picture) : .stale(picture))
        case .lead(let want): picture.want = want
        case .alone: picture.want = nil
        }
        let outcome: StageOutcome<ThumbnailWork>
        do throws(ItemFailure) {
            outcome = try await fetch(ticket.key, picture, knowing: known)
        } catch {
            picture.want?.release()
            throw error
        }
        // The pool may try it again with what it carries: the right is not kept meanwhile.
        if outcome.isOver { picture.want?.release() }
        return outcome
    }

    /// The time after which an origin must have been heard for another node's thumbnail to do, in seconds since 1970.
    private func newest(of picture: TaskPicture, knowing known: Thumbnail?) -> Double {
        guard case .url = picture.item.locator else { return -1 }
        let oldest = settings.revalidateAfter > 0 ? Self.unixTime - settings.revalidateAfter : -1
        return max(oldest, known?.version?.confirmed ?? -1)
    }
}

extension StageOutcome {
    /// Whether no later stage goes on with it.
    fileprivate var isOver: Bool {
        switch self {
        case .advance: false
        case .fetched(_, let outcome), .preview(_, let outcome): outcome.isOver
        case .wait, .ready, .failed, .cancelled: true
        }
    }
}
