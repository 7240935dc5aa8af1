public import Pipeline
public import Viewport

/// The pictures of one folder itself, in order; its subfolders have pages of their own.
final class FolderPage: Sendable {
    /// Relative to the catalogue's folder; empty for that folder itself.
    let path: String
    /// In natural order.
    let names: TextColumn

    init(path: String, names: TextColumn) {
        self.path = path
        self.names = names
    }

    func position(of name: String) -> Int? {
        var name = name
        return name.withUTF8 { name in
            names.bytes.withUnsafeBufferPointer { bytes in
                var (low, high) = (0, names.count)
                while low < high {
                    let middle = (low + high) / 2
                    let other = UnsafeBufferPointer(rebasing: bytes[names.range(middle)])
                    if NaturalOrder.precedes(other, name) { low = middle + 1 } else { high = middle }
                }
                return low < names.count && names[low].elementsEqual(name) ? low : nil
            }
        }
    }
}

/// A folder as it was at one moment: its own pictures first, then its subfolders', in natural order of their paths.
public struct FolderListing: Catalog {
    public let root: FolderRoot
    public let revision: Int
    /// Whether every folder has been read; while this is `false` more items will come at the end.
    public let isComplete: Bool
    /// Files and folders that were left out: over a limit, unreadable, or with a name that is not UTF-8.
    public let skipped: Int
    public let notShown: [KindNotShown]
    public let itemCount: Int
    public let sections: [Section]
    private let pages: [FolderPage]
    /// Index of the first item of each page.
    private let starts: [Int]

    init(
        root: FolderRoot, revision: Int, isComplete: Bool, skipped: Int, notShown: [KindNotShown] = [],
        pages: [FolderPage]
    ) {
        self.root = root
        self.revision = revision
        self.isComplete = isComplete
        self.skipped = skipped
        self.notShown = notShown
        self.pages = pages
        var starts: [Int] = []
        var sections: [Section] = []
        starts.reserveCapacity(pages.count)
        sections.reserveCapacity(pages.count)
        var next = 0
        for page in pages {
            let title = page.path.isEmpty ? Self.title(root.path) : page.path
            sections.append(Section(title: title, from: next, count: page.names.count))
            starts.append(next)
            next += page.names.count
        }
        self.starts = starts
        self.sections = sections
        itemCount = next
    }

    public var kind: CatalogKind { .folder }

    public var title: String { Self.title(root.path) }

    private static func title(_ root: String) -> String { root.split(separator: "/").last.map(String.init) ?? root }

    public func item(_ index: Int) -> Item? {
        guard 0..<itemCount ~= index else { return nil }
        var (low, high) = (0, starts.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= index { low = middle } else { high = middle }
        }
        let page = pages[low]
        let name = page.names.text(index - starts[low])
        let folder = FolderPath.join(root.path, page.path)
        return Item(
            locator: .file(path: FolderPath.join(folder, name), root: root), title: PictureName.title(ofFile: name))
    }

    /// A folder tells nothing of its pictures' shapes.
    public var aspectRatios: AspectRatios { AspectRatios(count: itemCount) }

    public func index(of locator: Locator) -> Int? {
        guard case .file(let path, _) = locator, let slash = path.lastIndex(of: "/") else { return nil }
        let name = String(path[path.index(after: slash)...])
        let folder = path[..<slash]
        for (page, start) in zip(pages, starts)
        where FolderPath.join(root.path, page.path) == (folder.isEmpty ? "/" : folder) {
            return page.position(of: name).map { start + $0 }
        }
        return nil
    }
}

enum FolderPath {
    /// A path inside a folder; an empty one is the folder itself.
    static func join(_ folder: String, _ path: String) -> String {
        if path.isEmpty { return folder }
        return folder.isEmpty || folder.hasSuffix("/") ? folder + path : "\(folder)/\(path)"
    }
}
