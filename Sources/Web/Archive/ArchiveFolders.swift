import Catalog
import Gallery
import Pictures

/// The folders that the files of an archive are in: those of a folder or a bucket, and the sections of a list, without the outer ones
/// that all files share.
package struct ArchiveFolders: Sendable {
    private let content: GalleryContent
    /// Number of outer folders that all files share.
    private let shared: Int

    /// Items between two pauses, in which others may use the thread.
    private static let pauseEvery = 4_096

    /// Looks at one item of each folder, or of an arrangement at each item until two of them share no folder.
    ///
    /// - Parameter ranges: the items of the archive, none empty.
    package init(_ content: GalleryContent, ranges: [Range<Int>]) async {
        self.content = content
        var shared: [String]?
        var looked = 0
        for range in ranges {
            var index = range.lowerBound
            while index < range.upperBound, shared?.isEmpty != true, !Task.isCancelled {
                let folders = Self.folders(of: index, content)
                shared = shared.map { Self.common($0, folders) } ?? folders
                let section = content.isArranged ? nil : content.section(of: index).map { content.sections[$0].range }
                index = max(index + 1, section?.upperBound ?? 0)
                looked += 1
                if looked % Self.pauseEvery == 0 { await Task.yield() }
            }
        }
        self.shared = shared?.count ?? 0
    }

    /// The folders of an item's file in the archive, the outermost first.
    package func folders(of index: Int) -> [String] { Array(Self.folders(of: index, content).dropFirst(shared)) }

    private static func folders(of index: Int, _ content: GalleryContent) -> [String] {
        if case .file(let path, let root)? = content.item(index)?.locator {
            return root.relative(path).split(separator: "/").dropLast().map(String.init)
        }
        let base = content.pictures
        // The sections of a bucket are its folders. Those of pictures without a folder have the bucket's title.
        guard base.catalog.kind == .list, let section = base.section(of: content.original(index)),
            base.sections[section].title != base.catalog.title
        else { return [] }
        return base.sections[section].title.split(separator: "/").map(String.init)
    }

    /// The first folders that both have.
    private static func common(_ first: [String], _ second: [String]) -> [String] {
        let count = zip(first, second).prefix { $0.0 == $0.1 }.count
        return Array(first.prefix(count))
    }
}
