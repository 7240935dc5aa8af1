import Catalog
import Fetch
import Foundation
import Gallery
import Media
import Terminal
import Web

/// Turns a SOURCE of the command line into a gallery.
enum GallerySource {
    /// - Parameter index: index of the facts about a folder's pictures.
    static func add(_ source: String, to server: GalleryServer, index: PictureIndex) async throws {
        if BucketLocation.isBucketURL(source) { return try await addBucket(source, to: server) }
        let opened: any CatalogSource
        let progress = ProgressReport("Reading \(source == "-" ? "standard input" : source)", unit: "items")
        let size = (try? FileManager.default.attributesOfItem(atPath: source)[.size] as? Int).flatMap { $0 }
        do {
            var folders = server.settings.folders, lists = server.settings.lists
            folders.maxItems = server.settings.maxItems
            lists.maxItems = server.settings.maxItems
            opened = try CatalogLocation(source).open(
                folderOptions: folders, listLimits: lists, index: index, warn: Running.warn
            ) {
                items, bytes in
                progress.update(items, share: size.map { Double(bytes) / Double(max(1, $0)) })
            }
        } catch {
            throw CommandFailure("\(error): give a folder of pictures or a list of image URLs")
        }
        Task.detached { await follow(opened, progress) }
        // Waits until there is something to show: the whole folder, or the pictures found within the first moments.
        if opened is FolderCatalog { await opened.waitUntil { $0.revision > 0 } }
        let name = opened.catalog.title
        try server.galleries.add(
            opened, title: title(name, of: source, among: server), id: slug(name))
    }

    private static func addBucket(_ source: String, to server: GalleryServer) async throws {
        let progress = ProgressReport("Reading \(source)", unit: "items")
        var limits = server.settings.lists
        limits.maxItems = server.settings.maxItems
        let bucket: BucketCatalog
        do {
            bucket = try await BucketCatalog(
                try BucketLocation(
                    source, endpoint: server.settings.bucketEndpoint, region: BucketAccess.ofProcess.region),
                limits: limits, warn: Running.warn
            ) { [server] url in try await page(url, by: server) }
        } catch {
            throw CommandFailure("\(error)")
        }
        Task.detached { await follow(bucket, progress) }
        try server.galleries.add(bucket, title: nil, id: slug(bucket.catalog.title))
    }

    /// Downloads a page of a bucket's listing. An error says what to do.
    private static func page(_ url: String, by server: GalleryServer) async throws(CommandFailure) -> [UInt8] {
        do throws(FetchError) {
            return try await server.download(url)
        } catch {
            let hint =
                switch error {
                case .refusedAddress: ": allow it with --allow-origin HOST:PORT"
                case .status(301, _), .status(400, _), .status(401, _), .status(403, _):
                    ": check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_REGION, or ~/.aws"
                default: ""
                }
            throw CommandFailure("\(error)\(hint)")
        }
    }

    /// Returns signatures for requests to the buckets among `sources`. Empty without credentials.
    static func signatures(of sources: [String], endpoint: String?) throws(SourceError) -> [RequestSignature] {
        let access = BucketAccess.ofProcess
        guard let credentials = access.credentials else { return [] }
        var signatures: [RequestSignature] = []
        for source in sources where BucketLocation.isBucketURL(source) {
            signatures.append(
                try BucketLocation(source, endpoint: endpoint, region: access.region).signature(credentials))
        }
        return signatures
    }

    /// Returns a title that adds the parent folder's name if another gallery has the same title. `nil` means the catalogue's
    /// own title.
    private static func title(_ title: String, of source: String, among server: GalleryServer) -> String? {
        guard server.galleries.all.contains(where: { $0.title == title }) else { return nil }
        let folder = URL(fileURLWithPath: source).deletingLastPathComponent().lastPathComponent
        return folder.isEmpty || source == "-" ? nil : "\(title) (\(folder))"
    }

    /// Reports the progress of reading a source until it is complete.
    private static func follow(_ source: any CatalogSource, _ progress: ProgressReport) async {
        await source.waitUntil { catalog in
            progress.update(catalog.itemCount)
            return catalog.isComplete
        }
        progress.end()
    }

    /// Returns a name for use in URLs, of letters, digits and hyphens.
    static func slug(_ name: String) -> String {
        let mapped = name.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }
        let slug = String(mapped).split(separator: "-").joined(separator: "-")
        return slug.isEmpty ? "gallery" : String(slug.prefix(64))
    }
}

extension BucketAccess {
    static var ofProcess: BucketAccess { BucketAccess(environment: ProcessInfo.processInfo.environment) }
}
