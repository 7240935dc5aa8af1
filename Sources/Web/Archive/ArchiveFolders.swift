import Catalog
import Gallery
import Media

/// Folders of an archive's files: the real folders of a folder or bucket, and the sections of a list. The outer folders that all files
/// share are omitted.
package struct ArchiveFolders: Sendable {
    private let content: GalleryContent
    /// Number of outer folders that all files share.
    private let shared: Int

    /// Number of items after which the initializer yields the thread.
    private static let pauseEvery = 4_096

    /// Finds the shared outer folders. Checks one item per section, or in an arrangement every item, until two items share no folder.
    ///
    /// - Parameter ranges: items of the archive. No range is empty.
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

    /// Returns the folders of an item's file in the archive, outermost first.
    package func folders(of index: Int) -> [String] { Array(Self.folders(of: index, content).dropFirst(shared)) }

    private static func folders(of index: Int, _ content: GalleryContent) -> [String] {
        if case .file(let path, let root)? = content.item(index)?.locator {
            return root.relative(path).split(separator: "/").dropLast().map(String.init)
        }
        let base = content.base
        // The sections of a bucket are its folders. The section of pictures without a folder has the bucket's title.
        guard base.catalog.kind == .list, let section = base.section(of: content.original(index)),
            base.sections[section].title != base.catalog.title
        else { return [] }
        return base.sections[section].title.split(separator: "/").map(String.init)
    }

    /// Returns the first folders that both lists share.
    private static func common(_ first: [String], _ second: [String]) -> [String] {
        let count = zip(first, second).prefix { $0.0 == $0.1 }.count
        return Array(first.prefix(count))
    }
}
