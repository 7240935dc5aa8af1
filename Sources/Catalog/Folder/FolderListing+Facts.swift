public import Media
public import Viewport

extension FolderListing {
    public var aspectRatios: AspectRatios {
        var ratios = AspectRatios(count: 0)
        ratios.reserveCapacity(itemCount)
        forEachRecord { record in
            ratios.append(record.height > 0 ? Double(record.width) / Double(record.height) : .nan)
        }
        return ratios
    }

    public func facts(_ index: Int) -> PictureFacts? {
        guard let (page, position) = place(of: index) else { return nil }
        guard var facts = self.index?.facts(position, of: pages[page]) else { return nil }
        facts.pairedWith = namesPaired(page, position)
        return facts
    }

    public func thumbHash(_ index: Int) -> [UInt8]? {
        place(of: index).flatMap { self.index?.thumbHash($0.position, of: pages[$0.page]) }
    }

    /// Returns the first items whose ThumbHash still has to be computed. Empty if no index stores ThumbHashes.
    public func itemsLackingThumbHash(in items: Range<Int>, limit: Int) -> [Int] {
        guard let index else { return [] }
        var found: [Int] = []
        var rest = items.clamped(to: 0..<itemCount)
        while !rest.isEmpty, found.count < limit, let first = place(of: rest.lowerBound) {
            let end = min(rest.upperBound, starts[first.page] + sections[first.page].count, rest.lowerBound + 1024)
            let shown = shownPositions(first.page)
            let places = (rest.lowerBound - starts[first.page])..<(end - starts[first.page])
            let positions = places.map { place in shown.map { Int($0[place]) } ?? place }
            let lacking = Set(index.lackingHash(positions, of: pages[first.page]))
            for (place, position) in zip(places, positions) where lacking.contains(position) {
                found.append(starts[first.page] + place)
            }
            rest = end..<rest.upperBound
        }
        return Array(found.prefix(limit))
    }

    /// Stores ThumbHashes of items, also across restarts. `nil` marks an item without a possible ThumbHash. Writes to a database.
    public func keep(_ hashes: [Int: [UInt8]?]) {
        var pageHashes: [Int: (hashes: [Int: IndexFile.IndexedHash], stamps: [Int: UInt64])] = [:]
        for (item, hash) in hashes {
            guard let (page, position) = place(of: item), let record = record(page, position) else { continue }
            pageHashes[page, default: ([:], [:])].hashes[position] =
                hash.map(IndexFile.IndexedHash.hash) ?? .unavailable
            pageHashes[page]?.stamps[position] = record.stamp
        }
        for (page, found) in pageHashes { index?.keep(found.hashes, of: pages[page], stamps: found.stamps) }
    }

    public func companions(_ index: Int) -> [String] {
        place(of: index).map { namesPaired($0.page, $0.position) } ?? []
    }

    public var factColumns: FactColumns? {
        guard let index else { return nil }
        let names = index.equipment.names
        var columns = FactColumns()
        (columns.cameras, columns.lenses) = (names.cameras, names.lenses)
        columns.taken.reserveCapacity(itemCount)
        columns.bytes.reserveCapacity(itemCount)
        columns.added.reserveCapacity(itemCount)
        columns.rating.reserveCapacity(itemCount)
        columns.camera.reserveCapacity(itemCount)
        columns.lens.reserveCapacity(itemCount)
        forEachRecord { record in
            columns.taken.append(record.taken)
            if record.millisecond != 0 || !columns.millisecond.isEmpty {
                // Most folders have no fractions and need no column.
                while columns.millisecond.count < columns.taken.count - 1 { columns.millisecond.append(0) }
                columns.millisecond.append(record.millisecond)
            }
            columns.bytes.append(record.bytes)
            columns.added.append(record.added)
            columns.rating.append(record.rating)
            // A camera found after `names` was read has no name here yet.
            let number = Int(record.equipment)
            let place = number < names.places.count ? names.places[number] : (camera: 0, lens: 0)
            columns.camera.append(place.camera)
            columns.lens.append(place.lens)
        }
        return columns
    }

    public func preferFacts(of range: Range<Int>) {
        guard let index, let first = place(of: range.lowerBound) else { return }
        var page = first.page
        var rest = range.clamped(to: 0..<itemCount)
        while !rest.isEmpty, page < pages.count {
            let end = min(rest.upperBound, starts[page] + sections[page].count)
            // The range also covers hidden items between the two.
            if let first = place(of: rest.lowerBound), let last = place(of: end - 1) {
                index.prefer(pages[page], first.position..<last.position + 1)
            }
            rest = end..<rest.upperBound
            page += 1
        }
    }

    /// Calls `body` with the facts of each item, in order.
    func forEachRecord(_ body: (FactRecord) -> Void) {
        for (number, page) in pages.enumerated() {
            if records.isEmpty || records[number].isEmpty {
                for _ in 0..<page.names.count { body(.unread) }
            } else if let shown = shownPositions(number) {
                for position in shown { body(records[number][Int(position)]) }
            } else {
                for record in records[number] { body(record) }
            }
        }
    }
}
