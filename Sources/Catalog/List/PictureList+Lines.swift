import JSON

extension PictureList {
    /// Items as NDJSON, one a line, as the API takes them: read again they make the same list.
    ///
    /// - Parameters:
    ///   - from: the first item, 0 ..< `itemCount`.
    ///   - maxItems: at most so many, 1 or more.
    ///   - fullBytes: no line is added after so many bytes.
    /// - Returns: the lines, and the item after the last of them.
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
