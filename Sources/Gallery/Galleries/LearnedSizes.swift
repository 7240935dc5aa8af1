/// The sizes of pictures that were found out by rendering them, 4 bytes an item in pages that exist where they are needed.
struct LearnedSizes: Sendable {
    private static let pageLength = 1024

    /// Width in the upper half, height in the lower; 0 is unknown.
    private var pages: [Int: [UInt32]] = [:]
    /// Grows with each size that is new.
    private(set) var count = 0

    subscript(item: Int) -> (width: Int, height: Int)? {
        let (page, place) = item.quotientAndRemainder(dividingBy: Self.pageLength)
        guard item >= 0, let code = pages[page]?[place], code != 0 else { return nil }
        return (Int(code >> 16), Int(code & 0xFFFF))
    }

    /// Takes a size in pixels, which is kept to 65,535 a side in its proportions. Returns whether it is new.
    @discardableResult
    mutating func learn(_ item: Int, width: Int, height: Int) -> Bool {
        guard item >= 0, width > 0, height > 0 else { return false }
        let scale = min(1, 65_535 / Double(max(width, height)))
        func side(_ length: Int) -> UInt32 { UInt32(max(1, (Double(length) * scale).rounded(.down))) }
        let code = side(width) << 16 | side(height)
        let (page, place) = item.quotientAndRemainder(dividingBy: Self.pageLength)
        if pages[page]?[place] == code { return false }
        pages[page, default: [UInt32](repeating: 0, count: Self.pageLength)][place] = code
        count += 1
        return true
    }

    /// Every item whose size is known, in no order.
    func forEach(_ body: (_ item: Int, _ width: Int, _ height: Int) -> Void) {
        for (page, codes) in pages {
            for (place, code) in codes.enumerated() where code != 0 {
                body(page * Self.pageLength + place, Int(code >> 16), Int(code & 0xFFFF))
            }
        }
    }
}
