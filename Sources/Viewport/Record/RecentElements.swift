import DequeModule

/// The latest elements of a series. Each is numbered by its place in the series, from 0.
package struct RecentElements<Element: Sendable>: Sendable {
    /// Maximum number of elements, at least 1. Beyond it, the oldest element is dropped.
    package let capacity: Int
    private var elements = Deque<Element>()
    /// Number of the oldest element.
    package private(set) var start = 0

    package init(capacity: Int) { self.capacity = max(1, capacity) }

    /// Number of the next element.
    package var end: Int { start + elements.count }
    package var last: Element? { elements.last }
    package var first: Element? { elements.first }

    package func contains(_ number: Int) -> Bool { (start..<end).contains(number) }

    package subscript(number: Int) -> Element {
        get { elements[number - start] }
        _modify { yield &elements[number - start] }
    }

    /// - Returns: the dropped element, or `nil` if there is room.
    @discardableResult
    package mutating func append(_ element: Element) -> Element? {
        elements.append(element)
        guard elements.count > capacity else { return nil }
        start += 1
        return elements.removeFirst()
    }

    package mutating func forEach(_ body: (inout Element) -> Void) {
        for index in elements.indices { body(&elements[index]) }
    }

    package mutating func removeAll() {
        start = end
        elements.removeAll()
    }
}

extension RecentElements: Sequence {
    package func makeIterator() -> Deque<Element>.Iterator { elements.makeIterator() }
}
