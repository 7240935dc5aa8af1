public import Media

/// The pictures directly in one folder, in order. Each subfolder has its own page.
package final class FolderPage: Sendable {
    /// Path relative to the catalogue's folder. Empty for that folder itself.
    package let path: String
    /// Hash of ``path`` and the slash before a name.
    let hash: StableHash
    /// Names of the pictures in natural order.
    package let names: TextColumn
    /// Files beside the pictures that may describe them, in natural order.
    let sidecars: TextColumn
    /// Videos beside the pictures that may belong to them, in natural order.
    let videos: TextColumn

    package init(
        path: String, names: TextColumn, sidecars: TextColumn = TextColumn(), videos: TextColumn = TextColumn()
    ) {
        self.path = path
        hash = StableHash(path.isEmpty ? "" : "\(path)/")
        self.names = names
        self.sidecars = sidecars
        self.videos = videos
    }

    func forEachID(_ positions: some Sequence<Int>, _ body: (ItemID) -> Void) {
        names.bytes.withUnsafeBufferPointer { bytes in
            for position in positions {
                var hash = hash
                hash.combine(UnsafeBufferPointer(rebasing: bytes[names.range(position)]))
                body(ItemID(hash))
            }
        }
    }

    func position(of name: String) -> Int? { Self.position(of: name, in: names) }

    /// Returns the sidecar with a name, spelled as in the folder. ASCII letters may differ in case.
    func sidecar(_ name: String) -> String? { Self.name(like: name, in: sidecars) }

    /// Returns the name of the video that may belong to a picture, ignoring case.
    func video(of name: String, _ motion: PictureFacts.Motion) -> String? {
        guard videos.count > 0, motion != .embedded else { return nil }
        let names = SidecarFiles.video(of: name, motion)
        return names.first { Self.position(of: $0, in: videos) != nil }
            ?? names.first.flatMap { Self.name(like: $0, in: videos) }
    }

    /// Returns the name itself, or else the first name that differs only in the case of ASCII letters.
    private static func name(like name: String, in names: TextColumn) -> String? {
        guard names.count > 0 else { return nil }
        if position(of: name, in: names) != nil { return name }
        // Of names that differ only in case, the upper-case name sorts first.
        let first = name.utf8.map { 0x61...0x7A ~= $0 ? $0 - 0x20 : $0 }
        return first.withUnsafeBufferPointer { wanted in
            let start = place(of: wanted, in: names)
            // Check several names, because names with other numbers of leading zeros may be in between.
            return names.bytes.withUnsafeBufferPointer { bytes in
                (start..<min(start + 8, names.count)).first {
                    NaturalOrder.areAlike(UnsafeBufferPointer(rebasing: bytes[names.range($0)]), wanted)
                }
            }
        }.map(names.text)
    }

    /// Finds a name by binary search in a column in natural order.
    private static func position(of name: String, in names: TextColumn) -> Int? {
        var name = name
        return name.withUTF8 { name in
            let place = place(of: name, in: names)
            return place < names.count && names[place].elementsEqual(name) ? place : nil
        }
    }

    /// Returns the position of a name in a column in natural order, or the position where the name would be inserted.
    static func place(of name: UnsafeBufferPointer<UInt8>, in names: TextColumn) -> Int {
        names.bytes.withUnsafeBufferPointer { bytes in
            var (low, high) = (0, names.count)
            while low < high {
                let middle = (low + high) / 2
                let other = UnsafeBufferPointer(rebasing: bytes[names.range(middle)])
                if NaturalOrder.precedes(other, name) { low = middle + 1 } else { high = middle }
            }
            return low
        }
    }
}

/// A folder at one moment: first its own pictures, then those of its subfolders, in natural order of their paths.
public struct FolderListing: CatalogItems {
    public let root: FolderRoot
    public let revision: Int
    public let isComplete: Bool
    public let leftOut: [LeftOut]
    public let notShown: [KindNotShown]
    public let itemCount: Int
    public let sections: [Section]
    package let pages: [FolderPage]
    /// Index of the first item of each page.
    let starts: [Int]
    private let pageNumbers: [String: Int]
    let index: FolderIndex?
    /// The facts of each page's pictures. Empty if no facts are known.
    let records: [[FactRecord]]
    /// The shown files of each page, or `nil` if all are shown. Empty if no facts are known.
    private let pairs: [PairedFiles?]
    /// Files that cannot be shown, including videos that belong to a picture.
    private let others: FilesNotShown
    /// Number of pictures whose facts have been read. Counted once, like the dates, because there may be millions of records.
    private(set) var known = 0
    private(set) var dates = TakenDates()

    init(
        root: FolderRoot, revision: Int, isComplete: Bool, leftOut: [LeftOut] = [],
        notShown others: FilesNotShown = FilesNotShown(),
        pages: [FolderPage], index: FolderIndex? = nil
    ) {
        self.root = root
        self.revision = revision
        self.isComplete = isComplete
        self.leftOut = leftOut
        self.others = others
        self.pages = pages
        self.index = index
        let records = index?.records(of: pages) ?? []
        let pairs = zip(pages, records).map { PairedFiles($0.names, $1) }
        self.records = records
        self.pairs = pairs
        notShown = others.kinds
        var starts: [Int] = []
        var sections: [Section] = []
        starts.reserveCapacity(pages.count)
        sections.reserveCapacity(pages.count)
        var next = 0
        for (number, page) in pages.enumerated() {
            let title = page.path.isEmpty ? Self.title(root.path) : page.path
            let count = (pairs.isEmpty ? nil : pairs[number])?.shown.count ?? page.names.count
            sections.append(Section(title: title, from: next, count: count))
            starts.append(next)
            next += count
        }
        self.starts = starts
        pageNumbers = Dictionary(pages.enumerated().map { ($1.path, $0) }) { first, _ in first }
        self.sections = sections
        itemCount = next
        guard index != nil else { return }
        forEachRecord { record in
            if record.isKnown { known += 1 }
            dates.add(record.taken)
        }
    }

    public var catalog: Catalog {
        Catalog(
            kind: .folder, title: title, revision: revision, isComplete: isComplete, sections: sections,
            notShown: notShown, leftOut: leftOut, factsKnown: index == nil ? itemCount : known, dates: dates,
            items: self)
    }

    public var title: String { Self.title(root.path) }

    private static func title(_ root: String) -> String { root.split(separator: "/").last.map(String.init) ?? root }

    /// Returns the same listing with the facts known now.
    func withFacts() -> FolderListing {
        FolderListing(
            root: root, revision: revision + 1, isComplete: isComplete, leftOut: leftOut,
            notShown: others, pages: pages, index: index)
    }

    public func duration(_ index: Int) -> Double? {
        guard let record = record(index), record.duration > 0 else { return nil }
        return Double(record.duration)
    }

    public func taken(_ index: Int) -> Int64? {
        guard let taken = record(index)?.taken, taken != FactColumns.undated else { return nil }
        return taken
    }

    public func bytes(_ index: Int) -> Int64? {
        guard let bytes = record(index)?.bytes, bytes >= 0 else { return nil }
        return bytes
    }

    public func motion(_ index: Int) -> PictureFacts.Motion? {
        record(index)?.motion
    }

    private func record(_ index: Int) -> FactRecord? { place(of: index).flatMap { record($0.page, $0.position) } }

    public func item(_ index: Int) -> Item? {
        guard let (number, position) = place(of: index) else { return nil }
        let page = pages[number]
        let name = page.names.text(position)
        let folder = FolderPath.join(root.path, page.path)
        var item = Item(
            locator: .file(path: FolderPath.join(folder, name), root: root), title: PictureName.title(ofFile: name))
        if let record = record(number, position), record.width > 0, record.height > 0 {
            (item.width, item.height) = (Int(record.width), Int(record.height))
        }
        return item
    }

    public func id(_ index: Int) -> ItemID? {
        guard let (number, position) = place(of: index) else { return nil }
        var id: ItemID?
        pages[number].forEachID(CollectionOfOne(position)) { id = $0 }
        return id
    }

    public func forEachID(of range: Range<Int>, _ body: (ItemID) -> Void) {
        guard var number = page(of: range.lowerBound) else { return }
        while number < pages.count, starts[number] < range.upperBound {
            let places = range.clamped(to: starts[number]..<Int.max)
            let count = sections[number].count
            let inside = (places.lowerBound - starts[number])..<min(places.upperBound - starts[number], count)
            if let shown = pairs(number)?.shown {
                pages[number].forEachID(shown[inside].lazy.map { Int($0) }, body)
            } else {
                pages[number].forEachID(inside, body)
            }
            number += 1
        }
    }

    func place(of index: Int) -> (page: Int, position: Int)? {
        guard let page = page(of: index) else { return nil }
        let place = index - starts[page]
        return (page, pairs(page).map { Int($0.shown[place]) } ?? place)
    }

    private func page(of index: Int) -> Int? {
        guard 0..<itemCount ~= index else { return nil }
        var (low, high) = (0, starts.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= index { low = middle } else { high = middle }
        }
        return low
    }

    private func pairs(_ page: Int) -> PairedFiles? { pairs.isEmpty ? nil : pairs[page] }

    /// Returns the positions of the shown files of a page, or `nil` if all are shown.
    func shownPositions(_ page: Int) -> [UInt32]? { pairs(page)?.shown }

    /// Returns the names of other files of the same picture, such as its RAW file or its video.
    func namesPaired(_ page: Int, _ position: Int) -> [String] {
        let names = pairs(page)?.paired(with: position).map(pages[page].names.text) ?? []
        guard let motion = record(page, position)?.motion else { return names }
        guard let video = pages[page].video(of: pages[page].names.text(position), motion) else { return names }
        return names.contains(video) ? names : names + [video]
    }

    func record(_ page: Int, _ position: Int) -> FactRecord? {
        records.isEmpty ? nil : records[page].dropFirst(position).first
    }

    /// Uses file names, which contain the titles.
    public func forEachName(_ body: (UnsafeBufferPointer<UInt8>) -> Void) {
        for (number, page) in pages.enumerated() {
            let shown = pairs(number)?.shown
            page.names.bytes.withUnsafeBufferPointer { bytes in
                for place in 0..<(shown?.count ?? page.names.count) {
                    let position = shown.map { Int($0[place]) } ?? place
                    body(UnsafeBufferPointer(rebasing: bytes[page.names.range(position)]))
                }
            }
        }
    }

    public func index(of locator: Locator) -> Int? {
        guard case .file(let path, _) = locator, let slash = path.lastIndex(of: "/") else { return nil }
        let name = String(path[path.index(after: slash)...])
        let folder = path[..<slash]
        guard let number = pageNumbers[root.relative(String(folder))] else { return nil }
        guard let position = pages[number].position(of: name) else { return nil }
        guard let pairs = pairs(number) else { return starts[number] + position }
        return pairs.place(of: position).map { starts[number] + $0 }
    }
}

enum FolderPath {
    /// Returns a path inside a folder. An empty path is the folder itself.
    static func join(_ folder: String, _ path: String) -> String {
        if path.isEmpty { return folder }
        return folder.isEmpty || folder.hasSuffix("/") ? folder + path : "\(folder)/\(path)"
    }
}
