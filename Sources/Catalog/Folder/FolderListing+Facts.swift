public import Pipeline
public import Viewport

extension FolderListing {
    /// As far as the index knows them.
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

    public func companions(_ index: Int) -> [String] {
        place(of: index).map { namesPaired($0.page, $0.position) } ?? []
    }

    public func isFavorite(_ index: Int) -> Bool {
        place(of: index).flatMap { record($0.page, $0.position) }?.rating == SidecarWriter.favorite
    }

    public var factsKnown: Int {
        guard index != nil else { return itemCount }
        var count = 0
        forEachRecord { if $0.isKnown { count += 1 } }
        return count
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
            columns.bytes.append(record.bytes)
            columns.added.append(record.added)
            columns.rating.append(record.rating)
            // A camera that was found since has no name here yet.
            let number = Int(record.equipment)
            let place = number < names.places.count ? names.places[number] : (camera: 0, lens: 0)
            columns.camera.append(place.camera)
            columns.lens.append(place.lens)
        }
        return columns
    }

    public var takenRange: ClosedRange<Int64>? {
        guard index != nil else { return nil }
        var (first, last) = (Int64.max, Int64.min)
        forEachRecord { record in
            guard record.taken != FactColumns.undated else { return }
            first = min(first, record.taken)
            last = max(last, record.taken)
        }
        return first <= last ? first...last : nil
    }

    public var datedCount: Int {
        var count = 0
        if index != nil { forEachRecord { if $0.taken != FactColumns.undated { count += 1 } } }
        return count
    }

    public func preferFacts(of items: Range<Int>) {
        guard let index, let first = place(of: items.lowerBound) else { return }
        var page = first.page
        var rest = items.clamped(to: 0..<itemCount)
        while !rest.isEmpty, page < pages.count {
            let end = min(rest.upperBound, starts[page] + sections[page].count)
            // What is not shown between them comes along.
            if let first = place(of: rest.lowerBound), let last = place(of: end - 1) {
                index.prefer(pages[page], first.position..<last.position + 1)
            }
            rest = end..<rest.upperBound
            page += 1
        }
    }

    /// What is known of each item, in order.
    private func forEachRecord(_ body: (FactRecord) -> Void) {
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
