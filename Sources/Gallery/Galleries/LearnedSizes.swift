import Numbers

/// The sizes of pictures that were learned by rendering them, 4 bytes per item.
package struct LearnedSizes: Sendable {
    /// Width in the upper 16 bits, height in the lower 16.
    private var codes = SparseColumn<UInt32>()
    /// Number of changes so far. Grows with each new or changed size.
    package private(set) var count = 0

    package init() {}

    package subscript(item: Int) -> (width: Int, height: Int)? {
        let code = codes[item]
        return code == 0 ? nil : (Int(code >> 16), Int(code & 0xFFFF))
    }

    /// Records a size in pixels. A side longer than 65,535 is scaled down in proportion. Returns whether the size is new.
    @discardableResult
    package mutating func learn(_ item: Int, width: Int, height: Int) -> Bool {
        guard item >= 0, width > 0, height > 0 else { return false }
        let scale = min(1, 65_535 / Double(max(width, height)))
        func side(_ length: Int) -> UInt32 { UInt32(clamping: max(1, (Double(length) * scale).rounded(.down))) }
        let code = side(width) << 16 | side(height)
        if codes[item] == code { return false }
        codes[item] = code
        count += 1
        return true
    }

    /// Calls `body` for every item with a known size, in no particular order.
    func forEach(_ body: (_ item: Int, _ width: Int, _ height: Int) -> Void) {
        codes.forEach { item, code in body(item, Int(code >> 16), Int(code & 0xFFFF)) }
    }
}

/// A sparse column of numbers. Pages of the column exist only where an item has a number. 0 means none.
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

    /// Calls `body` for every item with a number, in no particular order.
    func forEach(_ body: (_ item: Int, _ value: Value) -> Void) {
        for (page, values) in pages {
            for (place, value) in values.enumerated() where value != 0 { body(page * Self.pageLength + place, value) }
        }
    }
}
