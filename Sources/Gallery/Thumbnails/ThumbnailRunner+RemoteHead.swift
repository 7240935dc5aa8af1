import Pipeline
import TaskPool

// Previews in the beginnings of remote pictures. The fetcher keeps a beginning, so that the whole goes on after it.
extension ThumbnailRunner {
    /// How the beginning of a picture is to be asked for; nil: the whole is, at once.
    package func beginning(of picture: TaskPicture, at url: String) -> FetchRequest.Beginning? {
        guard let previews else { return nil }
        if let storeKey = picture.storeKey, unrendered.holds(storeKey) { return nil }
        // It may be over parts that its host stumbles.
        if failures.hasTimedOut(picture.content, at: picture.sizeClass) { return nil }
        let beginning = previews.remoteFiles.withLock { $0.beginning(from: Authority.name(in: url)) }
        // A picture may come whole where nothing is known of its host, which only the node may fetch that has the right to.
        return sharing != nil && beginning?.asksForRange != true ? nil : beginning
    }

    /// Shows the preview in the beginning of a picture, where it has one, and goes on to the whole. A small picture comes whole.
    func fetchHead(
        _ ticket: Ticket<ThumbnailKey>, _ picture: TaskPicture
    ) async throws(ItemFailure) -> StageOutcome<ThumbnailWork> {
        let goesOn = StageOutcome<ThumbnailWork>.advance(to: .fetch, carrying: .absent(picture))
        guard let previews, case .url(let url) = picture.item.locator else { return goesOn }
        let item = KnownItems.Item(content: ticket.key.content, index: ticket.key.item)
        if let known = previews.memory[item] {
            var picture = picture
            picture.begun = JPEGHead.length
            return .preview(.preview(known), .advance(to: .fetch, carrying: .absent(picture)))
        }
        if let outcome = try await madeElsewhere(ticket, picture, knowing: nil) { return outcome }
        // The host may have become known since the picture was looked up.
        let beginning = beginning(of: picture, at: url)
        if let storeKey = picture.storeKey, let bytes = unrendered.picture(for: storeKey) {
            return .advance(to: .render, carrying: .picture(bytes, picture))
        }
        if beginning == nil, sharing != nil { return goesOn }
        return await download(url, ticket.key, picture, beginning: beginning)
    }

    /// What comes of the beginning of a large picture.
    func showPreview(
        in response: FetchResponse, _ url: String, _ key: ThumbnailKey, _ picture: TaskPicture
    ) async -> StageOutcome<ThumbnailWork> {
        var picture = picture
        picture.begun = response.body.count
        let goesOn = StageOutcome<ThumbnailWork>.advance(to: .fetch, carrying: .absent(picture))
        guard let previews else { return goesOn }
        let began = transfers.now
        let (preview, head) = await previews.preview(inBeginning: response.body)
        if preview == nil, Task.isCancelled { return .cancelled }
        previews.remoteFiles.withLock {
            $0.came(
                from: Authority.name(in: url), size: response.announced ?? response.body.count,
                hasPreview: preview != nil)
        }
        if let head, head.width > 0, head.height > 0 {
            galleries.content(serial: key.content)?.learn(
                key.item, of: picture.item, width: head.uprightWidth, height: head.uprightHeight)
        }
        guard let preview else { return goesOn }
        transfers.previewed(
            in: transfers.now - began + response.total, downloading: response.body.count, for: key)
        previews.memory.keep(preview, of: KnownItems.Item(content: key.content, index: key.item))
        return .preview(.preview(preview), goesOn)
    }

    /// Remembers of a picture that came whole what its host's files are like.
    func learn(_ response: FetchResponse, _ url: String, isAnswerToRange: Bool) {
        guard let previews, !response.isNotModified else { return }
        let size = max(response.body.count, response.announced ?? 0)
        let isLarge = size >= PreviewReader.leastBytes
        let head = isLarge ? JPEGHead(Array(response.body.prefix(JPEGHead.length))) : nil
        previews.remoteFiles.withLock {
            $0.came(
                from: Authority.name(in: url), size: size,
                hasPreview: isLarge ? head?.preview != nil : nil,
                sentWhole: isAnswerToRange && response.status == 200)
        }
    }
}
