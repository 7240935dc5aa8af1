import Catalog
import Foundation
import Gallery

/// Turns a SOURCE of the command line into a gallery.
enum GallerySource {
    /// How long a folder may be listed before the server opens without waiting for the rest.
    static let patience = Duration.seconds(1)

    static func add(_ source: String, to server: GalleryServer) async throws {
        let name = source == "-" ? "list" : URL(fileURLWithPath: source).deletingPathExtension().lastPathComponent
        try server.galleries.add(try await catalog(source, title: name), id: slug(name))
    }

    private static func catalog(_ source: String, title: String) async throws -> any Catalog {
        if source == "-" { return try list(.standardInput, format: .ndjson, named: "standard input", title: title) }
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: source, isDirectory: &isFolder) else {
            throw Running.CleanExit(message: "\(source): there is no such folder or list")
        }
        if isFolder.boolValue {
            let folder = try FolderCatalog(path: source)
            await withTaskGroup(of: Void.self) { group in
                group.addTask { _ = await folder.waitUntil { $0.isComplete } }
                group.addTask { try? await Task.sleep(for: patience) }
                await group.next()
                group.cancelAll()
            }
            return folder
        }
        guard let format = ListFormat(path: source) else {
            throw Running.CleanExit(message: "\(source): a list must be a .txt, .csv, .json or .ndjson file")
        }
        guard let file = FileHandle(forReadingAtPath: source) else {
            throw Running.CleanExit(message: "\(source): cannot be read; check its permissions")
        }
        return try list(file, format: format, named: source, title: title)
    }

    private static func list(
        _ file: FileHandle, format: ListFormat, named name: String, title: String
    ) throws -> ListCatalog {
        var reader = ListReader(format: format)
        do {
            while let chunk = try file.read(upToCount: 1 << 16), !chunk.isEmpty { try reader.feed(Array(chunk)) }
            let catalog = try reader.finish(title: title)
            for problem in catalog.problems.prefix(10) { Self.warn("\(name): \(problem); left out") }
            if catalog.problemCount > 10 {
                Self.warn("\(name): \(catalog.problemCount - 10) more entries were left out")
            }
            return catalog
        } catch {
            throw Running.CleanExit(message: "\(name): \(error)")
        }
    }

    private static func warn(_ text: String) { FileHandle.standardError.write(Data("lookahead: \(text)\n".utf8)) }

    /// A name for use in URLs: letters, digits and hyphens.
    static func slug(_ name: String) -> String {
        let mapped = name.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }
        let slug = String(mapped).split(separator: "-").joined(separator: "-")
        return slug.isEmpty ? "gallery" : String(slug.prefix(64))
    }
}
