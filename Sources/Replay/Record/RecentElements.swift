import DequeModule

/// The latest elements of a series. The index of an element is its place in the series, from 0.
package struct RecentElements<Element: Sendable>: Sendable, RandomAccessCollection {
    /// Maximum number of elements, at least 1. Beyond it, the oldest element is dropped.
    package let capacity: Int
    private var elements = Deque<Element>()
    package private(set) var startIndex = 0

    package init(capacity: Int) { self.capacity = Swift.max(1, capacity) }

    package var endIndex: Int { startIndex + elements.count }

    package subscript(index: Int) -> Element {
        get { elements[index - startIndex] }
        _modify { yield &elements[index - startIndex] }
    }

    /// - Returns: the dropped element, or `nil` if there is room.
    @discardableResult
    package mutating func append(_ element: Element) -> Element? {
        elements.append(element)
        guard elements.count > capacity else { return nil }
        startIndex += 1
        return elements.removeFirst()
    }

    package mutating func removeAll() {
        startIndex = endIndex
        elements.removeAll()
    }
}
