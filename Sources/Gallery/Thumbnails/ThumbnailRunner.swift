import Catalog
import Pipeline
import Synchronization
import TaskPool

/// What a task carries from stage to stage.
enum ThumbnailWork: Sendable {
    /// The name under which the store keeps the result.
    case absent(storeKey: String)
    /// The picture's file as it came.
    case picture([UInt8], storeKey: String)
    case thumbnail(Thumbnail)
}

/// Why an item has no thumbnail.
public struct ItemFailure: Error, Sendable, Equatable {
    /// For a person, without a full stop.
    public var reason: String
    /// Whether trying again may help.
    public var retryable: Bool
}

/// Runs a task's stages: look in the store, fetch the picture, render it and store the thumbnail.
final class ThumbnailRunner: TaskRunning {
    typealias Key = ThumbnailKey
    typealias Work = ThumbnailWork

    private let galleries: GalleryList
    private let store: ThumbnailStore
    private let fetcher: any Fetcher
    private let renderer: Renderer
    private let maxBytes: Int
    private let transfers: TransferMeter

    init(
        galleries: GalleryList, store: ThumbnailStore, fetcher: any Fetcher, renderer: Renderer, maxBytes: Int,
        transfers: TransferMeter
    ) {
        self.galleries = galleries
        self.store = store
        self.fetcher = fetcher
        self.renderer = renderer
        self.maxBytes = maxBytes
        self.transfers = transfers
    }

    func run(_ ticket: Ticket<ThumbnailKey>, carrying work: ThumbnailWork?) async -> StageOutcome<ThumbnailWork> {
        do {
            switch (ticket.stage, work) {
            case (.store, _): return try await lookUp(ticket.key)
            case (.fetch, .absent(let storeKey)): return try await fetch(ticket.key, storeKey: storeKey)
            case (.render, .picture(let bytes, let storeKey)):
                return try await render(bytes, ticket.key, storeKey: storeKey)
            default: return .failed(ItemFailure(reason: "a stage was run out of order", retryable: true))
            }
        } catch let failure as ItemFailure {
            return Task.isCancelled ? .cancelled : .failed(failure)
        } catch {
            return Task.isCancelled ? .cancelled : .failed(ItemFailure(reason: "\(error)", retryable: true))
        }
    }

    private func lookUp(_ key: ThumbnailKey) async throws -> StageOutcome<ThumbnailWork> {
        let storeKey = try storeKey(of: key)
        if let thumbnail = await store.thumbnail(storeKey) { return .ready(.thumbnail(thumbnail)) }
        return .advance(to: .fetch, carrying: .absent(storeKey: storeKey))
    }

    private func fetch(_ key: ThumbnailKey, storeKey: String) async throws -> StageOutcome<ThumbnailWork> {
        transfers.begin(key)
        var completed = false
        defer { transfers.end(key, completed: completed) }
        let bytes: [UInt8]
        switch try item(of: key).locator {
        case .file(let path): bytes = try PictureFile.read(path, maxBytes: maxBytes)
        case .url(let url): bytes = try await download(url, key)
        }
        transfers.received(bytes.count, of: key)
        completed = true
        return .advance(to: .render, carrying: .picture(bytes, storeKey: storeKey))
    }

    private func download(_ url: String, _ key: ThumbnailKey) async throws -> [UInt8] {
        var request = FetchRequest(url: url)
        request.bodyLimit = maxBytes
        do {
            let response = try await fetcher.fetch(request) { [transfers] soFar, _ in
                transfers.received(soFar, of: key)
            }
            return response.body
        } catch {
            throw ItemFailure(reason: error.description, retryable: error.isRetryable)
        }
    }

    private func render(
        _ bytes: [UInt8], _ key: ThumbnailKey, storeKey: String
    ) async throws -> StageOutcome<ThumbnailWork> {
        do {
            let thumbnail = try await renderer.render(bytes, size: key.size)
            store.save(thumbnail, as: storeKey)
            return .ready(.thumbnail(thumbnail))
        } catch {
            throw ItemFailure(reason: "\(error)", retryable: error.retryable)
        }
    }

    private func item(of key: ThumbnailKey) throws(ItemFailure) -> Item {
        guard let item = galleries.content(serial: key.content)?.item(key.item) else {
            throw ItemFailure(reason: "the gallery is gone", retryable: false)
        }
        return item
    }

    /// The name under which the store keeps the thumbnail.
    func storeKey(of key: ThumbnailKey) throws(ItemFailure) -> String {
        let locator = try item(of: key).locator
        guard let identity = Pipeline.ThumbnailKey.identity(of: locator) else {
            throw ItemFailure(reason: "the file is gone", retryable: true)
        }
        return Pipeline.ThumbnailKey.make(
            identity: identity, size: key.size, format: ThumbnailFormat.jpeg.mediaType, renderer: Renderer.version)
    }
}
