import Catalog
import Foundation
import Gallery

/// Turns a SOURCE of the command line into a gallery.
enum GallerySource {
    /// How long a folder may be listed before the server opens without waiting for the rest.
    static let patience = Duration.seconds(1)

    static func add(_ source: String, to server: GalleryServer) async throws {
        let catalog: any Catalog
        let progress = Progress("Reading \(source == "-" ? "standard input" : source)", unit: "items")
        let size = (try? FileManager.default.attributesOfItem(atPath: source)[.size] as? Int).flatMap { $0 }
        do {
            var limits = ListLimits()
            limits.maxItems = server.settings.maxItems
            catalog = try CatalogSource(source).open(listLimits: limits, warn: warn) { items, bytes in
                progress.update(items, share: size.map { Double(bytes) / Double(max(1, $0)) })
            }
        } catch {
            throw Running.Failure("\(error): give a folder of pictures, or a list of their URLs")
        }
        if let folder = catalog as? FolderCatalog {
            Task.detached { await follow(folder, progress) }
            await wait(for: folder)
        } else {
            progress.end()
        }
        try server.galleries.add(catalog, id: slug(catalog.title))
    }

    /// Tells how far the folder is listed, until it is.
    private static func follow(_ folder: FolderCatalog, _ progress: Progress) async {
        _ = await folder.waitUntil { listing in
            progress.update(listing.itemCount)
            return listing.isComplete
        }
        progress.end()
    }

    private static func wait(for folder: FolderCatalog) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { _ = await folder.waitUntil { $0.isComplete } }
            group.addTask { try? await Task.sleep(for: patience) }
            await group.next()
            group.cancelAll()
        }
    }

    @Sendable private static func warn(_ text: String) {
        FileHandle.standardError.write(Data("lookahead: \(text)\n".utf8))
    }

    /// A name for use in URLs: letters, digits and hyphens.
    static func slug(_ name: String) -> String {
        let mapped = name.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }
        let slug = String(mapped).split(separator: "-").joined(separator: "-")
        return slug.isEmpty ? "gallery" : String(slug.prefix(64))
    }
}
