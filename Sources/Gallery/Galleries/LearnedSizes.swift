import Numbers

/// The sizes of pictures that were found out by rendering them, 4 bytes an item.
package struct LearnedSizes: Sendable {
    /// Width in the upper half, height in the lower.
    private var codes = SparseColumn<UInt32>()
    /// Grows with each size that is new.
    package private(set) var count = 0

    package init() {}

    package subscript(item: Int) -> (width: Int, height: Int)? {
        let code = codes[item]
        return code == 0 ? nil : (Int(code >> 16), Int(code & 0xFFFF))
    }

    /// Takes a size in pixels, which is kept to 65,535 a side in its proportions. Returns whether it is new.
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

    /// Every item whose size is known, in no order.
    func forEach(_ body: (_ item: Int, _ width: Int, _ height: Int) -> Void) {
        codes.forEach { item, code in body(item, Int(code >> 16), Int(code & 0xFFFF)) }
    }
}

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
