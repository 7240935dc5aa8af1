/// State of each item in one byte. Only pages with an item that was ever changed are stored.
struct ItemStates: Sendable {
    private static let pageBits = 10
    private static let pageMask = 1023
    private static let stateMask: UInt8 = 0b11
    private static let generationShift: UInt8 = 2
    private static let generationMask: UInt8 = 0b1_1111
    private static let mark: UInt8 = 0x80

    // A page is empty until one of its items is set.
    private var pages: [[UInt8]] = []

    init(count: Int) {
        resize(to: count)
    }

    /// Makes room for items 0 ..< `count`. Items beyond are dropped.
    mutating func resize(to count: Int) {
        let needed = (max(0, count) + (1 << Self.pageBits) - 1) >> Self.pageBits
        if needed < pages.count {
            pages.removeLast(pages.count - needed)
        } else {
            pages.append(contentsOf: repeatElement([], count: needed - pages.count))
        }
    }

    subscript(item: Int) -> ItemLedger.State {
        get { ItemLedger.State(rawValue: byte(item) & Self.stateMask) ?? .absent }
        set { set(item, newValue.rawValue | (byte(item) & ~Self.stateMask)) }
    }

    /// Returns how often an item was forgotten, modulo 32.
    func generation(of item: Int) -> UInt8 { byte(item) >> Self.generationShift & Self.generationMask }

    /// Makes a ready or failed item absent, in its next generation.
    mutating func forget(_ item: Int) {
        set(item, Self.forgotten(byte(item)))
    }

    mutating func forgetAll() {
        for page in pages.indices where !pages[page].isEmpty {
            for place in pages[page].indices { pages[page][place] = Self.forgotten(pages[page][place]) }
        }
    }

    private static func forgotten(_ byte: UInt8) -> UInt8 {
        let state = byte & stateMask
        guard state == ItemLedger.State.ready.rawValue || state == ItemLedger.State.failed.rawValue else { return byte }
        let generation = (byte >> generationShift & generationMask) + 1
        return byte & mark | (generation & generationMask) << generationShift | ItemLedger.State.absent.rawValue
    }

    /// Marks `item`. Returns `false` if it is marked or does not exist.
    mutating func markOnce(_ item: Int) -> Bool {
        let old = byte(item)
        guard old & Self.mark == 0, item >= 0, item >> Self.pageBits < pages.count else { return false }
        set(item, old | Self.mark)
        return true
    }

    mutating func unmark(_ item: Int) {
        set(item, byte(item) & ~Self.mark)
    }

    func isMarked(_ item: Int) -> Bool { byte(item) & Self.mark != 0 }

    private func byte(_ item: Int) -> UInt8 {
        guard item >= 0, item >> Self.pageBits < pages.count else { return 0 }
        let page = item >> Self.pageBits
        return pages[page].isEmpty ? 0 : pages[page][item & Self.pageMask]
    }

    private mutating func set(_ item: Int, _ byte: UInt8) {
        guard item >= 0, item >> Self.pageBits < pages.count else { return }
        let page = item >> Self.pageBits
        if pages[page].isEmpty {
            if byte == 0 { return }
            pages[page] = [UInt8](repeating: 0, count: 1 << Self.pageBits)
        }
        pages[page][item & Self.pageMask] = byte
    }
}
