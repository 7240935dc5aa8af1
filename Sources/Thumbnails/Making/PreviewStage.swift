import Catalog
import Fetch
import Media

/// The stage that shows the preview of a large picture before the picture itself. ``PreviewChoice`` says when.
struct PreviewStage: Sendable {
    typealias Source = ThumbnailMaker.Source

    let previews: PreviewReader
    let services: MakerServices
    let lookUp: LookUpStage
    let fetching: FetchStage

    /// Shows the preview and takes a slot for the whole picture. Does nothing in a slot of another kind.
    ///
    /// - Returns: the picture if it was downloaded whole, a thumbnail if there is a current one, or `nil` if a fetch is needed.
    func show(
        _ key: ThumbnailKey, _ picture: inout TaskPicture, in slot: inout ThumbnailMaker.Slot
    ) async throws -> Source? {
        guard slot.kind < .fetch else { return nil }
        if let known = previews.memory[KnownItems.Item(key)] {
            if slot.kind == .remoteHead { picture.begun = JPEGHead.length }
            try await slot.take(.fetch, showing: known)
            return nil
        }
        switch picture.item.locator {
        case .file(let path, let root):
            let transfers = services.transfers, began = transfers.now
            let preview = await previews.preview(in: path, of: root).map(picture.versioned)
            // If the file is broken, reading the whole file reports the error.
            if preview == nil { try Task.checkCancellation() }
            if let preview {
                transfers.previewed(in: transfers.now - began, for: key)
                previews.memory.keep(preview, of: KnownItems.Item(key))
                services.learn(preview.sourceWidth, preview.sourceHeight, of: picture, key)
            }
            try await slot.take(.fetch, showing: preview)
            return nil
        case .url(let url): return try await show(at: url, key, &picture, in: &slot)
        }
    }

    private func show(
        at url: String, _ key: ThumbnailKey, _ picture: inout TaskPicture, in slot: inout ThumbnailMaker.Slot
    ) async throws -> Source? {
        while true {
            if let thumbnail = try await services.nodes?.made(slot.ticket, picture, knowing: nil),
                !services.isStale(thumbnail)
            {
                return .thumbnail(thumbnail)
            }
            if let bytes = services.unrenderedBytes(of: picture) { return .picture(bytes) }
            // Other downloads may have shown since the look-up how the host's files are.
            let beginning = lookUp.choice(for: picture).beginning
            if beginning == nil, services.sharing != nil { break }
            try fetching.requireBudget(of: picture, key)
            let outcome: PictureDownloads.Outcome
            do throws(PictureDownloads.Failure) {
                outcome = try await fetching.download(url, key, picture, beginning: beginning, in: &slot)
            } catch {
                if error.error == .cancelled { throw CancellationError() }
                // The host may handle range requests badly, so request the whole picture before the picture fails.
                if beginning?.requestsRange == true, error.report?.outcome != .timedOut { break }
                try await slot.tryAgain(after: services.failures.take(error.error, of: picture))
                continue
            }
            switch outcome {
            case .picture(let bytes): return .picture(bytes)
            case .unchanged(let thumbnail): return .thumbnail(thumbnail)
            case .beginning(let response):
                picture.begun = response.body.count
                try await slot.take(.fetch, showing: try await preview(in: response, url, key, picture))
                return nil
            }
        }
        try await slot.take(.fetch)
        return nil
    }

    private func preview(
        in response: FetchResponse, _ url: String, _ key: ThumbnailKey, _ picture: TaskPicture
    ) async throws -> Thumbnail? {
        let transfers = services.transfers, began = transfers.now
        let found = await previews.preview(inBeginning: response.body)
        let preview = found?.thumbnail.map(picture.versioned)
        if preview == nil { try Task.checkCancellation() }
        previews.remoteFiles.withLock {
            $0.came(
                from: Authority.name(in: url), size: response.announced ?? response.body.count,
                hasPreview: preview != nil)
        }
        if let found, found.width > 0, found.height > 0 { services.learn(found.width, found.height, of: picture, key) }
        guard let preview else { return nil }
        transfers.previewed(
            in: transfers.now - began + response.total, downloading: response.body.count, for: key)
        previews.memory.keep(preview, of: KnownItems.Item(key))
        return preview
    }
}
