/// First in, first out. Every operation takes constant time, averaged over many.
///
/// Elements that were taken out stay in memory until they are half of all.
package struct Queue<Element> {
    private var elements: [Element] = []
    private var head = 0

    package init() {}

    /// Elements in memory, those that were taken out included.
    package var held: Int { elements.count }

    package mutating func append(_ element: Element) { elements.append(element) }

    @discardableResult
    package mutating func popFirst() -> Element? {
        guard head < elements.count else { return nil }
        let element = elements[head]
        head += 1
        if head >= 64, head * 2 >= elements.count {
            elements.removeFirst(head)
            head = 0
        }
        return element
    }
}

extension Queue: RandomAccessCollection {
    package var startIndex: Int { 0 }
    package var endIndex: Int { elements.count - head }
    package subscript(position: Int) -> Element { elements[head + position] }
}

extension Queue: Sendable where Element: Sendable {}
