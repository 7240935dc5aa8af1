/// A small number for each item that has one, in pages that exist where they are needed. 0 is none.
struct SparseColumn<Value: FixedWidthInteger & Sendable>: Sendable {
    private static var pageLength: Int { 1024 }
    private var pages: [Int: [Value]] = [:]

    subscript(item: Int) -> Value {
        get {
            guard item >= 0 else { return 0 }
            let (page, place) = item.quotientAndRemainder(dividingBy: Self.pageLength)
            return pages[page]?[place] ?? 0
        }
        set {
            guard item >= 0 else { return }
            let (page, place) = item.quotientAndRemainder(dividingBy: Self.pageLength)
            pages[page, default: [Value](repeating: 0, count: Self.pageLength)][place] = newValue
        }
    }

    /// Every item that has one, in no order.
    func forEach(_ body: (_ item: Int, _ value: Value) -> Void) {
        for (page, values) in pages {
            for (place, value) in values.enumerated() where value != 0 { body(page * Self.pageLength + place, value) }
        }
    }
}
