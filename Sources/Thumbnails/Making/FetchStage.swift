import Catalog
import Cluster
import Fetch
import Media
import TaskPool

/// The stage that gets a picture's bytes: from its folder, or by a download.
struct FetchStage: Sendable {
    typealias Source = ThumbnailMaker.Source

    let services: MakerServices
    let keeping: KeepStage

    /// Downloaded bytes after which a cold session starts no more downloads.
    private static let coldBytes = 128 << 20

    /// Reads a picture from its folder or downloads it, unless another node has its thumbnail or is making it.
    ///
    /// - Parameter known: A thumbnail that may be stale.
    func fetch(
        _ key: ThumbnailKey, _ picture: inout TaskPicture, knowing known: Thumbnail?, in slot: inout ThumbnailMaker.Slot
    ) async throws -> Source {
        let (nodes, failures) = (services.nodes, services.failures)
        let other = nodes.map { _ in OtherNode() }
        var known = known
        var hasTaken = false
        while true {
            if let nodes, let other,
                let thumbnail = try await nodes.lead(&picture, knowing: known, other, in: &slot)
            {
                // Download again at most once, because the clocks of nodes differ.
                if hasTaken || !services.isStale(thumbnail) { return .thumbnail(thumbnail) }
                (known, hasTaken) = (thumbnail, true)
                continue
            }
            switch picture.item.locator {
            case .file(let path, let root):
                return .picture(PictureBytes(bytes: try await read(path, in: root, key, after: slot.limit)))
            case .url(let url):
                if known == nil, let bytes = services.unrenderedBytes(of: picture) { return .picture(bytes) }
                try requireBudget(of: picture, key)
                do throws(PictureDownloads.Failure) {
                    switch try await download(url, key, picture, unlessStill: known, in: &slot) {
                    case .picture(let bytes): return .picture(bytes)
                    case .unchanged(let thumbnail):
                        keeping.keep(thumbnail, of: picture)
                        return .thumbnail(thumbnail)
                    case .beginning: throw PictureDownloads.Failure(error: .transport("only the beginning arrived"))
                    }
                } catch {
                    if error.error == .cancelled { throw CancellationError() }
                    let failure = failures.take(error.error, of: picture, knowing: known)
                    // Another node may have the thumbnail before the next try.
                    picture.want?.release()
                    // The stored thumbnail is better than none, unless the origin says that the picture is gone.
                    if let known, error.report?.outcome != .gone { return .thumbnail(known) }
                    try await slot.tryAgain(after: failure)
                }
            }
        }
    }

    private func read(
        _ path: String, in root: FolderRoot, _ key: ThumbnailKey, after limit: SlotLimit?
    ) async throws(ItemFailure) -> [UInt8] {
        let transfers = services.transfers
        transfers.begin(key, after: limit)
        var completed = false
        defer { transfers.end(key, completed: completed) }
        let bytes = try await contents(of: path, in: root, for: key.size)
        transfers.received(bytes.count, of: key)
        completed = true
        return bytes
    }

    func contents(of path: String, in root: FolderRoot, for size: ThumbnailSize) async throws(ItemFailure) -> [UInt8] {
        try await services.files.run(in: root) { [services] () throws(ItemFailure) in
            try PictureFile.read(path, in: root, for: size, workers: services.renderer.pool)
        }
    }

    /// Makes one try at a download and reports it to the pool.
    func download(
        _ url: String, _ key: ThumbnailKey, _ picture: TaskPicture, unlessStill known: Thumbnail? = nil,
        beginning: FetchRequest.Beginning? = nil, in slot: inout ThumbnailMaker.Slot
    ) async throws(PictureDownloads.Failure) -> PictureDownloads.Outcome {
        do throws(PictureDownloads.Failure) {
            let (outcome, report) = try await services.downloads.download(
                url, for: key, after: slot.limit, holding: picture.begun, unlessStill: known, beginning: beginning)
            slot.fetched(report)
            if case .picture(let bytes) = outcome, let storeKey = picture.storeKey {
                services.unrendered.keep(bytes, for: storeKey)
            }
            return outcome
        } catch {
            if let report = error.report { slot.fetched(report) }
            throw error
        }
    }

    /// Throws if a cold session has reached its download limit.
    func requireBudget(of picture: TaskPicture, _ key: ThumbnailKey) throws(ItemFailure) {
        guard picture.storeKey == nil, let bytes = services.transfers.settledBytes(of: key.content),
            bytes >= Self.coldBytes
        else { return }
        throw ItemFailure(
            reason: "the cold session reached its download limit of \(Self.coldBytes >> 20) MB", retryable: false)
    }
}
