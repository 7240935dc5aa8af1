/// What has become of each item, in one byte, kept for the pages of items that were ever touched.
struct ItemStates: Sendable {
    enum State: UInt8 {
        case absent = 0
        case asked = 1
        case ready = 2
        case failed = 3
    }

    private static let pageBits = 10
    private static let pageMask = 1023
    private static let mark: UInt8 = 0x80

    // Empty until something on the page is set.
    private var pages: [[UInt8]] = []

    init(count: Int) {
        resize(to: count)
    }

    /// Room for items 0 ..< `count`; what is beyond is dropped.
    mutating func resize(to count: Int) {
        let needed = (max(0, count) + (1 << Self.pageBits) - 1) >> Self.pageBits
        if needed < pages.count {
            pages.removeLast(pages.count - needed)
        } else {
            pages.append(contentsOf: repeatElement([], count: needed - pages.count))
        }
    }

    subscript(item: Int) -> State {
        get { State(rawValue: byte(item) & ~Self.mark) ?? .absent }
        set { set(item, newValue.rawValue | (byte(item) & Self.mark)) }
    }

    /// Marks `item`; returns false when it already was, or does not exist.
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
