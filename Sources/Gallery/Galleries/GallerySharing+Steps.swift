import Catalog
import Cluster
import Synchronization
import Threads

// The steps of a ledger. Each method returns `false` if the step must be retried.
extension GallerySharing {
    func remove(_ id: String, _ server: Int) async -> Bool {
        guard await shared.remove(id) else { return false }
        state.withLock { $0.ledgers[server].gone(id) }
        return true
    }

    func save(_ id: String, _ server: Int) async -> Bool {
        guard let gallery = galleries.gallery(id), let list = gallery.source as? PictureList else { return true }
        if let problem = await refusal(of: id) {
            state.withLock { $0.ledgers[server].refuse(id) }
            report(problem.detail)
            return true
        }
        var record = GalleryRecord(
            title: gallery.title, itemCount: list.itemCount, chunks: 0, network: gallery.maker?.network)
        switch await shared.standing(of: id) {
        case .removed: return await drop(gallery, server)
        case .unknown: return false
        // Another server has already stored the same chunks.
        case .kept(let known): record = known
        case .absent:
            guard let chunks = await put(list, id) else { return false }
            record.chunks = chunks
        }
        switch await shared.commit(record, of: id) {
        case .kept: return true
        case .removed: return await drop(gallery, server)
        case .failed: return false
        }
    }

    /// - Returns: the number of chunks, or `nil` if Redis did not store them.
    private func put(_ list: PictureList, _ id: String) async -> Int? {
        var (item, number) = (0, 0)
        while item < list.itemCount {
            let from = item
            let part = try? await threads.run {
                let lines = list.lines(
                    from: from, maxItems: GalleryChunk.maxItems, fullBytes: GalleryChunk.fullBytes)
                return (chunk: GalleryChunk.encode(lines.bytes), next: lines.next)
            }
            guard let part, let chunk = part.chunk, await shared.put(chunk, number, of: id) else { return nil }
            item = part.next
            number += 1
        }
        return number
    }

    /// Deletes a gallery on this server that was deleted on another.
    private func drop(_ gallery: PictureGallery, _ server: Int) async -> Bool {
        state.withLock { $0.ledgers[server].gone(gallery.id) }
        // Ending thousands of sessions takes long.
        try? await threads.run { [galleries, onRemoved] in
            if galleries.remove(gallery.id) != nil { onRemoved(gallery) }
        }
        return true
    }

    func load(_ id: String, _ server: Int) async -> Bool {
        let record: GalleryRecord
        switch await shared.standing(of: id) {
        case .kept(let known): record = known
        case .unknown: return false
        case .absent, .removed: return true
        }
        guard record.itemCount <= limits.maxItems, record.title.utf8.count <= limits.maxTitleBytes else {
            return refuse(id, server, "it has more items than --max-items, or its title is too long")
        }
        let reading = ListReading(limits)
        for number in 0..<record.chunks {
            guard let bytes = await shared.chunk(number, of: id) else { return false }
            guard (try? await threads.run { reading.feed(bytes) }) == true else {
                // The gallery was deleted while it was read.
                guard case .kept = await shared.standing(of: id) else { return true }
                return refuse(id, server, "a part is missing or damaged")
            }
        }
        guard let list = try? await threads.run({ reading.finish(title: record.title) }),
            list.itemCount == record.itemCount
        else { return refuse(id, server, "it is incomplete") }
        guard state.withLock({ $0.ledgers[server].isWanted(id) }) else { return true }
        do throws(Problem) {
            guard galleries.gallery(id) == nil else { return true }
            let gallery = try galleries.add(
                list, title: record.title, id: id, madeBy: Caller(access: .full, network: record.network))
            state.withLock { $0.ledgers[server].loaded(id) }
            onAdded(gallery)
            return true
        } catch {
            return refuse(id, server, error.detail)
        }
    }

    private func refuse(_ id: String, _ server: Int, _ reason: String) -> Bool {
        state.withLock { $0.ledgers[server].refuse(id) }
        report("gallery \(id) of another server is not shown: \(reason)")
        return true
    }
}

/// Reads chunks one after the other, on any thread. The lock only allows the reader to move between threads.
private final class ListReading: Sendable {
    private let reader: Mutex<ListReader>

    init(_ limits: ListLimits) {
        reader = Mutex(ListReader(format: .ndjson, limits: limits, stopsAtFirstProblem: true))
    }

    func feed(_ chunk: [UInt8]) -> Bool {
        guard let lines = GalleryChunk.decode(chunk) else { return false }
        return reader.withLock { (try? $0.feed(lines)) != nil }
    }

    func finish(title: String) -> PictureList? { reader.withLock { try? $0.finish(title: title) } }
}
