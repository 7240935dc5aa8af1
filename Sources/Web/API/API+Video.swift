import Catalog
import Gallery
import Media
import MicroHTTP
import Threads
import Thumbnails

extension API {
    func video(_ request: Request) -> Reply {
        let network = gatekeeper.caller(of: request).network
        let range = ByteRange(request)
        return respond(request) { (named, index, item) async throws(Problem) in
            let companion = try await videoBeside(index, of: named.content)
            var options = OriginalOptions()
            options.isVideo = true
            options.isCompanion = companion != nil
            let video = try await video(at: companion ?? item.locator, for: network, options)
            let name = Item(locator: companion ?? item.locator, title: item.title).fileName ?? item.title
            return try download(
                video, range, type: VideoFile.mediaType(video.beginning), name: Self.fileName(name, kind: .video),
                for: network)
        }
    }

    private func video(
        at locator: Locator, for network: String?, _ options: OriginalOptions
    ) async throws(Problem) -> OriginalPicture {
        do throws(ItemFailure) {
            return try await thumbnails.original(of: locator, for: network, options)
        } catch {
            throw error == .noVideo ? Problem(404, "The item has no video.") : Problem(error)
        }
    }

    /// Returns the video file of a Live Photo, or `nil` for any other item.
    private func videoBeside(_ index: Int, of content: GalleryContent) async throws(Problem) -> Locator? {
        do throws(BlockingThreads.Refusal) {
            // Reads a database.
            return try await thumbnails.queries.threads(for: content.root).run {
                guard case .file(let path, let root) = content.item(index)?.locator,
                    let slash = path.lastIndex(of: "/"), let motion = content.catalog.motion(index),
                    let name = content.catalog.companions(index).first(where: {
                        $0.lowercased().hasSuffix(".\(motion.rawValue)")
                    })
                else { return nil }
                return .file(path: path[...slash] + name, root: root)
            }
        } catch {
            throw Problem(error, in: content.root)
        }
    }
}
