import Numbers
import Testing
import Viewport

/// The calls that a collection view makes are the differences of its model's plans.
@Suite struct CollectionViewTests {
    typealias IndexPath = CollectionView.IndexPath

    /// Records every call.
    final class Loader: CollectionViewDataSourcePrefetching, CollectionViewDelegate {
        var prefetched: [[IndexPath]] = []
        var cancelled: [[IndexPath]] = []
        var came: [IndexPath] = []
        var left: [IndexPath] = []

        func collectionView(_ view: CollectionView, prefetchItemsAt paths: [IndexPath]) { prefetched.append(paths) }
        func collectionView(_ view: CollectionView, cancelPrefetchingForItemsAt paths: [IndexPath]) {
            cancelled.append(paths)
        }
        func collectionView(_ view: CollectionView, willDisplayItemsAt paths: [IndexPath]) { came += paths }
        func collectionView(_ view: CollectionView, didEndDisplayingItemsAt paths: [IndexPath]) { left += paths }

        func clear() { (prefetched, cancelled, came, left) = ([], [], [], []) }
    }

    static let options = LayoutOptions(kind: .grid(itemWidth: 200, itemHeight: 180), headerHeight: 30)
    static let counts = [45, 0, 7, 400, 0, 0, 91]

    static func view(_ loader: Loader, _ policy: PolicyName = .collectionView) -> CollectionView {
        let view = CollectionView(numberOfItems: counts, layout: options, size: screen, policy: policy)
        view.prefetchDataSource = loader
        view.delegate = loader
        return view
    }

    @Test("the prefetch calls match the model's plans, item for item", arguments: PolicyName.allCases)
    func calls(policy: PolicyName) {
        let loader = Loader()
        let view = Self.view(loader, policy)
        var model = ViewportModel(
            makeLayout(Self.options, width: screen.width, sections: ranges(Self.counts), aspectRatios: nil), policy)
        var random = SeededRandom(seed: 7)
        // `unseen`: prefetched items not yet shown or cancelled. `visible`: items on screen.
        var unseen: Set<Int> = []
        var visible: Set<Int> = []
        var y = 0.0
        var speed = 0.0
        for step in 0..<600 {
            if step % 25 == 0 { speed = random.real(-3000...6000) }
            y = min(max(y + speed / 60, 0), model.layout.contentHeight)
            let time = Double(step) * 1000 / 60
            loader.clear()
            let told = view.setContentOffset(y, at: time)
            let plan = model.update(ScrollSample(time: time, scrollTop: y))
            #expect(told == plan)

            let now = Set(plan.visible)
            #expect(Set(loader.came.compactMap(view.item)) == now.subtracting(visible))
            #expect(Set(loader.left.compactMap(view.item)) == visible.subtracting(now))
            visible = now
            #expect(view.indexPathsForVisibleItems.compactMap(view.item) == Array(plan.visible))

            unseen.subtract(now)
            let cancelled = plan.cancel.filter(unseen.contains)
            #expect(loader.cancelled.count <= 1)
            #expect((loader.cancelled.first ?? []).compactMap(view.item) == cancelled)
            unseen.subtract(cancelled)
            #expect(unseen.isDisjoint(with: plan.prefetch), "no item is prefetched twice")
            #expect(loader.prefetched.count <= 1)
            #expect((loader.prefetched.first ?? []).compactMap(view.item) == plan.prefetch)
            unseen.formUnion(plan.prefetch)

            for item in plan.wanted.map(\.item) where random.int(0..<8) == 0 {
                model.finished(item, as: .ready)
                if let path = view.indexPath(for: item) { view.finishedItem(at: path) }
                unseen.remove(item)
            }
        }
        #expect(visible.max() ?? 0 > 45, "the scroll went through sections")
    }

    @Test("disabling prefetching cancels all requests and starts no more")
    func disabled() {
        let loader = Loader()
        let view = Self.view(loader)
        view.setContentOffset(0, at: 0)
        let asked = loader.prefetched.joined()
        view.isPrefetchingEnabled = false
        #expect(loader.cancelled.joined().sorted() == asked.sorted())
        loader.clear()
        view.setContentOffset(500, at: 100)
        #expect(loader.prefetched.isEmpty && loader.cancelled.isEmpty)
        #expect(!loader.came.isEmpty)
    }

    @Test("index paths and flat indices convert both ways, and invalid ones are nil")
    func paths() {
        let view = CollectionView(numberOfItems: Self.counts, layout: Self.options, size: screen)
        #expect(view.numberOfSections == 7)
        for item in 0..<543 { #expect(view.indexPath(for: item).flatMap(view.item) == item) }
        #expect(view.indexPath(for: 45) == IndexPath(item: 0, section: 2))
        #expect(view.indexPath(for: 543) == nil)
        #expect(view.indexPath(for: -1) == nil)
        for path in [(45, 0), (0, 1), (-1, 0), (0, 7), (0, -1)].map({ IndexPath(item: $0.0, section: $0.1) }) {
            #expect(view.item(at: path) == nil)
            #expect(view.frameForItem(at: path) == nil)
        }
        #expect(IndexPath(item: 3, section: 2).description == "[2, 3]")
    }

    @Test("a finished item is not requested again until it is forgotten")
    func finished() throws {
        let loader = Loader()
        let view = Self.view(loader)
        view.setContentOffset(0, at: 0)
        let path = try #require(loader.prefetched.first?.first)
        view.finishedItem(at: path)
        loader.clear()
        view.setContentOffset(4000, at: 100)
        view.setContentOffset(0, at: 200)
        #expect(!loader.prefetched.joined().contains(path))
        #expect(!loader.cancelled.joined().contains(path))
        view.forgetItems(at: [path])
        view.setContentOffset(1, at: 300)
        #expect(loader.prefetched.joined().contains(path))

        view.setContentOffset(930, at: 400)
        let top = view.indexPathsForVisibleItems.first
        view.setSize(Size(width: 600, height: 500))
        #expect(view.indexPathsForVisibleItems.first == top)
        #expect(view.frameForItem(at: IndexPath(item: 3, section: 0))?.y == 210.0)
    }

    @Test("reloading cancels pending requests and shows the new items")
    func reload() {
        let loader = Loader()
        let view = Self.view(loader)
        view.setContentOffset(0, at: 0)
        let asked = loader.prefetched.joined().sorted()
        loader.clear()
        view.reloadData(numberOfItems: [-3, 12, .max, .max])
        #expect(loader.cancelled.joined().sorted() == asked)
        #expect(loader.left.count == 30)
        #expect(loader.came.first == IndexPath(item: 0, section: 1))
        #expect(view.numberOfItems(inSection: 0) == 0)
        view.scrollToItem(at: IndexPath(item: 1_000_000, section: 2), at: 100)
        #expect(view.indexPathsForVisibleItems.contains(IndexPath(item: 1_000_000, section: 2)))
    }
}
