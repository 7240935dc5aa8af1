import Catalog
import Foundation
import Gallery
import Terminal

/// Turns a SOURCE of the command line into a gallery.
enum GallerySource {
    static func add(_ source: String, to server: GalleryServer) async throws {
        let catalog: any Catalog
        let progress = ProgressReport("Reading \(source == "-" ? "standard input" : source)", unit: "items")
        let size = (try? FileManager.default.attributesOfItem(atPath: source)[.size] as? Int).flatMap { $0 }
        do {
            var folders = server.settings.folders, lists = server.settings.lists
            folders.maxItems = server.settings.maxItems
            lists.maxItems = server.settings.maxItems
            catalog = try CatalogSource(source).open(folderOptions: folders, listLimits: lists, warn: warn) {
                items, bytes in
                progress.update(items, share: size.map { Double(bytes) / Double(max(1, $0)) })
            }
        } catch {
            throw CommandFailure("\(error): give a folder of pictures, or a list of their URLs")
        }
        Task.detached { await follow(catalog, progress) }
        // Until there is something to show: all of it, or what was found within the first moments.
        if let folder = catalog as? FolderCatalog { await folder.waitUntil { $0.revision > 0 } }
        try server.galleries.add(
            catalog, title: title(catalog.title, of: source, among: server), id: slug(catalog.title))
    }

    /// Two folders of one name are told apart by the folder that each is in; `nil` for the catalogue's own title.
    private static func title(_ title: String, of source: String, among server: GalleryServer) -> String? {
        guard server.galleries.all.contains(where: { $0.title == title }) else { return nil }
        let folder = URL(fileURLWithPath: source).deletingLastPathComponent().lastPathComponent
        return folder.isEmpty || source == "-" ? nil : "\(title) (\(folder))"
    }

    /// Tells how far the source is read, until it is.
    private static func follow(_ catalog: any Catalog, _ progress: ProgressReport) async {
        switch catalog {
        case let folder as FolderCatalog:
            await folder.waitUntil { listing in
                progress.update(listing.itemCount)
                return listing.isComplete
            }
        case let list as GrowingList:
            await list.waitUntil { list in
                progress.update(list.itemCount)
                return list.isComplete
            }
        default: break
        }
        progress.end()
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
