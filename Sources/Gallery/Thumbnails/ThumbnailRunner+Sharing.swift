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
        let answer =
            if let want = picture.want {
                await sharing.thumbnails.claim(again: want)
            } else {
                await sharing.thumbnails.claim(claim(storeKey, ticket, picture, knowing: known, sharing))
            }
        // Dropping the answer releases what it holds.
        guard !Task.isCancelled else { return .cancelled }
        switch answer {
        case .thumbnail(let thumbnail): return take(thumbnail, ticket.key, picture)
        case .failure(let failure, let milliseconds): return .failed(note(failure, milliseconds, picture))
        case .rests(let milliseconds):
            picture.want = nil
            return .fetched(
                FetchReport(.restsElsewhere, retryAfter: milliseconds),
                .wait(upTo: milliseconds, carrying: known == nil ? .absent(picture) : .stale(picture)))
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
        // The pool may try again with the same work: release the lease meanwhile.
        if outcome.isOver { picture.want?.release() }
        return outcome
    }

    /// What other nodes know of a picture whose host rests here, so that this one does not ask for the right to fetch it.
    func foundElsewhere(
        _ ticket: Ticket<ThumbnailKey>, _ picture: TaskPicture, knowing known: Thumbnail?
    ) async throws(ItemFailure) -> StageOutcome<ThumbnailWork>? {
        guard let sharing, sharing.rests(host: ticket.host) else { return nil }
        return try await madeElsewhere(ticket, picture, knowing: known)
    }

    /// What other nodes know of a picture, without asking for the right to fetch it.
    func madeElsewhere(
        _ ticket: Ticket<ThumbnailKey>, _ picture: TaskPicture, knowing known: Thumbnail?
    ) async throws(ItemFailure) -> StageOutcome<ThumbnailWork>? {
        guard let sharing, let storeKey = picture.storeKey else { return nil }
        switch await sharing.thumbnails.look(claim(storeKey, ticket, picture, knowing: known, sharing)) {
        case .thumbnail(let thumbnail)?: return take(thumbnail, ticket.key, picture)
        case .failure(let failure, let milliseconds)?: throw note(failure, milliseconds, picture)
        default: return nil
        }
    }

    private func claim(
        _ storeKey: String, _ ticket: Ticket<ThumbnailKey>, _ picture: TaskPicture, knowing known: Thumbnail?,
        _ sharing: Sharing
    ) -> SharedThumbnails.Claim {
        sharing.claim(
            storeKey, ticket, newerThan: newest(of: picture, knowing: known), forgives: picture.isForgiven,
            host: picture.item.locator.host)
    }

    /// Keeps another node's thumbnail as if it were this one's.
    private func take(
        _ thumbnail: Thumbnail, _ key: ThumbnailKey, _ picture: TaskPicture
    ) -> StageOutcome<ThumbnailWork> {
        var thumbnail = thumbnail
        // Another node's clock may be ahead; this one's never takes a thumbnail for one of the future.
        if let confirmed = thumbnail.version?.confirmed {
            thumbnail.version?.confirmed = min(confirmed, Self.unixTime)
        }
        if let storeKey = picture.storeKey { store.save(thumbnail, as: storeKey) }
        return ready(thumbnail, key, picture)
    }

    private func note(_ failure: SharedFailure, _ milliseconds: Double, _ picture: TaskPicture) -> ItemFailure {
        let failure = ItemFailure(reason: failure.reason, retryable: failure.isRetryable)
        // Nodes tell each other of one size.
        failures.note(picture.content, at: picture.sizeClass, failure, for: milliseconds, now: now)
        return failure.retryable ? failure.retried(afterMilliseconds: milliseconds) : failure
    }

    /// The time after which an origin must have been heard for another node's thumbnail to do, in seconds since 1970.
    private func newest(of picture: TaskPicture, knowing known: Thumbnail?) -> Double {
        guard case .url = picture.item.locator else { return -1 }
        let oldest = settings.revalidateAfter > 0 ? Self.unixTime - settings.revalidateAfter : -1
        return max(oldest, known?.version?.confirmed ?? -1)
    }
}

extension Locator {
    /// Name and port of the host of an address.
    package var host: String? { if case .url(let url) = self { Authority.name(in: url) } else { nil } }
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
