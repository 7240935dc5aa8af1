/// A binary min-heap. Appending elements in ascending order keeps it one without a comparison's worth of moves.
struct BinaryHeap<Element: Comparable & Sendable>: Sendable {
    private(set) var elements: [Element] = []

    var isEmpty: Bool { elements.isEmpty }
    var count: Int { elements.count }
    var first: Element? { elements.first }

    mutating func push(_ element: Element) {
        elements.append(element)
        var child = elements.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard elements[child] < elements[parent] else { return }
            elements.swapAt(child, parent)
            child = parent
        }
    }

    @discardableResult
    mutating func pop() -> Element? {
        guard let least = elements.first else { return nil }
        let last = elements.removeLast()
        if !elements.isEmpty {
            elements[0] = last
            sink()
        }
        return least
    }

    /// Puts `element` in the place of the least one.
    mutating func replaceFirst(with element: Element) {
        guard !elements.isEmpty else { return push(element) }
        elements[0] = element
        sink()
    }

    mutating func removeAll() { elements.removeAll(keepingCapacity: true) }

    private mutating func sink() {
        var parent = 0
        while true {
            var child = 2 * parent + 1
            guard child < elements.count else { return }
            if child + 1 < elements.count, elements[child + 1] < elements[child] { child += 1 }
            guard elements[child] < elements[parent] else { return }
            elements.swapAt(child, parent)
            parent = child
        }
    }
}
