import Catalog
import Foundation
import Gallery

/// Turns a SOURCE of the command line into a gallery.
enum GallerySource {
    static func add(_ source: String, to server: GalleryServer) async throws {
        let catalog: any Catalog
        do {
            var folders = server.settings.folders, lists = server.settings.lists
            folders.maxItems = server.settings.maxItems
            lists.maxItems = server.settings.maxItems
            catalog = try CatalogSource(source).open(folderOptions: folders, listLimits: lists, warn: warn)
        } catch {
            throw Running.Failure("\(error): give a folder of pictures, or a list of their URLs")
        }
        // Until there is something to show: all of it, or what was found within the first moments.
        if let folder = catalog as? FolderCatalog { await folder.waitUntil { $0.revision > 0 } }
        try server.galleries.add(catalog, id: slug(catalog.title))
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
