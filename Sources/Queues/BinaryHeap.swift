/// A binary min-heap: the least element is at hand, and adding or taking one costs as many steps as the count has digits.
///
/// Appending elements in ascending order keeps it one without a comparison's worth of moves.
package struct BinaryHeap<Element: Comparable> {
    @usableFromInline var elements: [Element] = []

    @inlinable package init() {}

    @inlinable package var isEmpty: Bool { elements.isEmpty }
    @inlinable package var count: Int { elements.count }
    @inlinable package var first: Element? { elements.first }

    @inlinable package mutating func push(_ element: Element) {
        elements.append(element)
        var child = elements.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard elements[child] < elements[parent] else { return }
            elements.swapAt(child, parent)
            child = parent
        }
    }

    @inlinable @discardableResult
    package mutating func pop() -> Element? {
        guard let least = elements.first else { return nil }
        let last = elements.removeLast()
        if !elements.isEmpty {
            elements[0] = last
            sink()
        }
        return least
    }

    /// Puts `element` in the place of the least one.
    @inlinable package mutating func replaceFirst(with element: Element) {
        guard !elements.isEmpty else { return push(element) }
        elements[0] = element
        sink()
    }

    @inlinable package mutating func removeAll() { elements.removeAll(keepingCapacity: true) }

    /// Takes the time of sorting what is left.
    @inlinable package mutating func removeAll(where isRemoved: (Element) -> Bool) {
        elements.removeAll(where: isRemoved)
        // Sorted, it is a heap.
        elements.sort()
    }

    @inlinable mutating func sink() {
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

extension BinaryHeap: Sendable where Element: Sendable {}
