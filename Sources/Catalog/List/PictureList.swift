import JSON
import Media
public import Viewport

/// The pictures of a list of addresses.
///
/// Items keep their order within a section. Sections are in the order in which they first appear.
public struct PictureList: CatalogItems, CatalogSource {
    public let title: String
    public let sections: [Section]
    /// The first problems found while reading. See ``problemCount``.
    public let problems: [ListProblem]
    /// Number of entries left out.
    public let problemCount: Int
    public let wrongHints: WrongHints
    public let notShown: [KindNotShown]
    /// Number of times the list was shown before, during its reading.
    public let revision: Int
    public let isComplete: Bool
    let storage: ListStorage
    /// Position of each item in the storage. `nil` if the entries are already sorted by section.
    let order: [UInt32]?

    init(
        storage: ListStorage, sectionTitles: [String], title: String, problems: [ListProblem], problemCount: Int,
        wrongHints: WrongHints = WrongHints(), notShown: [KindNotShown] = [], revision: Int = 0, isComplete: Bool = true
    ) {
        self.notShown = notShown
        self.storage = storage
        self.title = title
        self.problems = problems
        self.problemCount = problemCount
        self.wrongHints = wrongHints
        self.revision = revision
        self.isComplete = isComplete
        var counts = [Int](repeating: 0, count: sectionTitles.count)
        for number in storage.sectionNumbers { counts[Int(number)] += 1 }
        var sections: [Section] = []
        var starts: [Int] = []
        var from = 0
        for (title, count) in zip(sectionTitles, counts) {
            starts.append(from)
            if count > 0 { sections.append(Section(title: title, from: from, count: count)) }
            from += count
        }
        self.sections = sections
        order = Self.isAscending(storage.sectionNumbers) ? nil : Self.grouped(storage.sectionNumbers, starts: starts)
    }

    public var itemCount: Int { storage.count }

    public var catalog: Catalog {
        Catalog(
            kind: .list, title: title, revision: revision, isComplete: isComplete, sections: sections,
            notShown: notShown, items: self)
    }

    public func item(_ index: Int) -> Item? {
        guard 0..<itemCount ~= index else { return nil }
        return storage.item(order.map { Int($0[index]) } ?? index)
    }

    public func id(_ index: Int) -> ItemID? {
        guard 0..<itemCount ~= index else { return nil }
        var id: ItemID?
        forEachID(of: index..<index + 1) { id = $0 }
        return id
    }

    public func forEachID(of range: Range<Int>, _ body: (ItemID) -> Void) {
        if let order {
            storage.forEachID(range.lazy.map { Int(order[$0]) }, body)
        } else {
            storage.forEachID(range, body)
        }
    }

    public func index(of locator: Locator) -> Int? { indices(of: [locator])[0] }

    /// Compares IDs. Takes about 0.1 s for two million items.
    public func indices(of locators: [Locator]) -> [Int?] {
        let ids = locators.map(ItemID.init)
        var indices = Dictionary(ids.map { ($0, nil as Int?) }) { first, _ in first }
        var index = 0
        forEachID(of: 0..<itemCount) {
            if let known = indices[$0], known == nil { indices[$0] = .some(index) }
            index += 1
        }
        return ids.map { indices[$0] ?? nil }
    }

    public func thumbHash(_ index: Int) -> [UInt8]? {
        guard 0..<itemCount ~= index else { return nil }
        return storage.thumbHash(order.map { Int($0[index]) } ?? index)
    }

    public func forEachName(_ body: (UnsafeBufferPointer<UInt8>) -> Void) {
        var name: [UInt8] = []
        for index in 0..<itemCount {
            name.removeAll(keepingCapacity: true)
            storage.appendName(of: order.map { Int($0[index]) } ?? index, to: &name)
            name.withUnsafeBufferPointer(body)
        }
    }

    public var aspectRatios: AspectRatios {
        guard let order else { return AspectRatios(count: itemCount) { storage.aspectRatio($0) } }
        return AspectRatios(count: itemCount) { storage.aspectRatio(Int(order[$0])) }
    }

    private static func isAscending(_ numbers: [UInt32]) -> Bool {
        zip(numbers, numbers.dropFirst()).allSatisfy { $0 <= $1 }
    }

    /// Sorts by section with a stable counting sort.
    private static func grouped(_ numbers: [UInt32], starts: [Int]) -> [UInt32] {
        var next = starts
        var order = [UInt32](repeating: 0, count: numbers.count)
        for (position, number) in numbers.enumerated() {
            order[next[Int(number)]] = UInt32(position)
            next[Int(number)] += 1
        }
        return order
    }
}

/// The entries of a list, stored as columns. Needs about 20 bytes for each item in addition to the texts.
struct ListStorage: Sendable {
    private var urls = TextColumn()
    /// Titles. Empty for an item whose title is derived from its address.
    private var titles = TextColumn()
    /// Width and height with 16 bits each. 0 if unknown.
    private var sizes: [UInt32] = []
    /// 0x1RRGGBB, or 0 if unknown. Shorter than the other columns if the last items have no colour.
    private var colors: [UInt32] = []
    private var hashes = ListHashes()
    private(set) var sectionNumbers: [UInt32] = []

    var count: Int { sectionNumbers.count }

    /// Adds a checked entry. Returns `false` if there is no more room for its texts.
    mutating func append(_ entry: ListEntry, color: UInt32?, section: UInt32) -> Bool {
        let title = entry.title ?? ""
        guard titles.bytes.count + title.utf8.count <= TextColumn.maxBytes, urls.append(entry.url.utf8),
            titles.append(title.utf8)
        else { return false }
        guard hashes.append(entry, at: count) else { return false }
        sizes.append(UInt32(entry.width ?? 0) << 16 | UInt32(entry.height ?? 0))
        if let color {
            colors.append(contentsOf: repeatElement(0, count: count - colors.count))
            colors.append(color | 0x100_0000)
        }
        sectionNumbers.append(section)
        return true
    }

    func forEachID(_ positions: some Sequence<Int>, _ body: (ItemID) -> Void) {
        urls.bytes.withUnsafeBufferPointer { bytes in
            for position in positions {
                body(ItemID(url: UnsafeBufferPointer(rebasing: bytes[urls.range(position)])))
            }
        }
    }

    /// Returns width divided by height, or NaN if unknown.
    func aspectRatio(_ position: Int) -> Double {
        let (width, height) = (sizes[position] >> 16, sizes[position] & 0xFFFF)
        return width == 0 || height == 0 ? .nan : Double(width) / Double(height)
    }

    /// Appends the title, if there is one, and the last part of the address's path.
    func appendName(of position: Int, to name: inout [UInt8]) {
        let url = urls[position]
        let path = url.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        let last = path.suffix(from: path.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? path.startIndex)
        name += titles[position]
        if !name.isEmpty { name.append(UInt8(ascii: " ")) }
        if last.contains(UInt8(ascii: "%")) {
            name += PictureName.percentDecoded(Substring(decoding: last, as: UTF8.self)).utf8
        } else {
            name += last
        }
    }

    func thumbHash(_ position: Int) -> [UInt8]? {
        let aspectRatio = aspectRatio(position)
        return hashes.thumbHash(position, aspectRatio: aspectRatio.isNaN ? 1.5 : aspectRatio)
    }

    /// Returns an entry as written in the list, without its section.
    func entry(_ position: Int) -> ListEntry {
        let title = titles.text(position)
        let (width, height) = (Int(sizes[position] >> 16), Int(sizes[position] & 0xFFFF))
        let color = position < colors.count && colors[position] > 0 ? PictureColor.text(colors[position]) : nil
        return ListEntry(
            url: urls.text(position), title: title.isEmpty ? nil : title, width: width == 0 ? nil : width,
            height: height == 0 ? nil : height, color: color, thumbHash: hashes.written(position, .thumbHash),
            blurHash: hashes.written(position, .blurHash))
    }

    func item(_ position: Int) -> Item {
        let url = urls.text(position)
        let title = titles.text(position)
        let (width, height) = (Int(sizes[position] >> 16), Int(sizes[position] & 0xFFFF))
        return Item(
            locator: .url(url), title: title.isEmpty ? PictureName.title(ofURL: url) : title,
            width: width == 0 ? nil : width, height: height == 0 ? nil : height,
            color: position < colors.count && colors[position] > 0 ? colors[position] & 0xFF_FFFF : nil)
    }
}

extension PictureList {
    /// Returns items as NDJSON, one a line, in the form that the API accepts. Reading the lines creates the same list.
    ///
    /// - Parameters:
    ///   - from: index of the first item, 0 ..< `itemCount`.
    ///   - maxItems: maximum number of items, at least 1.
    ///   - fullBytes: no line is added after this many bytes.
    /// - Returns: the lines, and the index of the next item.
    public func lines(from: Int, maxItems: Int, fullBytes: Int) -> (bytes: [UInt8], next: Int) {
        var bytes: [UInt8] = []
        var item = from
        var section = sections.firstIndex { item < $0.from + $0.count } ?? sections.endIndex
        while item < itemCount, item - from < maxItems, bytes.count < fullBytes {
            while section < sections.endIndex, item >= sections[section].from + sections[section].count { section += 1 }
            var writer = JSONWriter(capacity: 192)
            let entry = storage.entry(order.map { Int($0[item]) } ?? item)
            writer.object {
                $0.member("url", entry.url)
                if let title = entry.title { $0.member("title", title) }
                if let width = entry.width { $0.member("width", width) }
                if let height = entry.height { $0.member("height", height) }
                if let color = entry.color { $0.member("color", color) }
                if let hash = entry.thumbHash { $0.member("thumbHash", hash) }
                if let hash = entry.blurHash { $0.member("blurHash", hash) }
                if section < sections.endIndex, !sections[section].title.isEmpty {
                    $0.member("section", sections[section].title)
                }
            }
            bytes += writer.bytes
            bytes.append(UInt8(ascii: "\n"))
            item += 1
        }
        return (bytes, item)
    }
}
