import Catalog
import Media
import TestSupport
import Viewport

/// A list that withholds its shapes and its item ``heldItem`` until the test opens a gate.
package struct GatedCatalog: CatalogItems, CatalogSource {
    /// Number of the withheld item, which no session of the tests shows.
    package static let heldItem = 900

    package let shapes = TestGate()
    package let items = TestGate()
    package var itemCount = 1000
    /// The folder of the items. `nil` if the items are URLs.
    package var root: FolderRoot?
    /// Whether no facts are known. Requests for facts wait at ``facts``.
    package var isUnread = false
    package let facts = TestGate()
    /// Gate at which counting the known facts waits. `nil` for none.
    package var counting: TestGate?

    package init() {}

    package var catalog: Catalog {
        Catalog(
            kind: .list, title: "Gated", sections: [Section(title: "All", from: 0, count: itemCount)],
            factsKnown: isUnread ? 0 : itemCount, items: self)
    }

    package func item(_ index: Int) -> Item? {
        guard 0..<itemCount ~= index else { return nil }
        if index == Self.heldItem { items.pass() }
        let locator = root.map { Locator.file(path: "\($0.path)/\(index).jpg", root: $0) }
        return Item(
            locator: locator ?? .url("http://127.0.0.1:1/\(index)"), title: "\(index)", width: 300, height: 200)
    }

    package var factsKnown: Int {
        counting?.pass()
        return isUnread ? 0 : itemCount
    }

    package func preferFacts(of range: Range<Int>) { facts.pass() }

    package var aspectRatios: AspectRatios {
        shapes.pass()
        return AspectRatios(count: itemCount) { _ in 1.5 }
    }
}
