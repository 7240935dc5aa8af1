/// A viewport with the interface of `UICollectionView`: index paths of sections and items, a data source that prefetches items
/// and cancels requests, and a delegate that learns which items come into view.
///
/// ```swift
/// let view = CollectionView(numberOfItems: [30, 200], layout: options, size: Size(width: 400, height: 800))
/// view.prefetchDataSource = loader
/// view.setContentOffset(1200, at: 16.7)
/// ```
///
/// A collection view decides nothing itself: it translates the plans of a ``ViewportModel`` into calls. All items that a plan
/// prefetches are in one `prefetchItemsAt` call, nearest (or most urgent) first. All items that a plan cancels and that were
/// never on screen are in one `cancelPrefetchingForItemsAt` call. As in UIKit, use a collection view from one thread at a time.
/// It makes all calls before the method that caused them returns.
public final class CollectionView {
    /// Position of an item: its section, and its index in that section.
    public struct IndexPath: Sendable, Hashable, Comparable, CustomStringConvertible {
        /// 0 ..< ``CollectionView/numberOfSections``.
        public var section: Int
        /// 0 ..< the number of items in the section.
        public var item: Int

        public init(item: Int, section: Int) {
            self.section = section
            self.item = item
        }

        public static func < (a: IndexPath, b: IndexPath) -> Bool { (a.section, a.item) < (b.section, b.item) }

        /// In UIKit's format: `[2, 7]`.
        public var description: String { "[\(section), \(item)]" }
    }

    /// Fetches items before they are visible, and cancels such requests. Set this property before the view first moves.
    public weak var prefetchDataSource: (any CollectionViewDataSourcePrefetching)?
    /// Learns which items come into view and which leave it.
    public weak var delegate: (any CollectionViewDelegate)?

    /// Whether items are requested before they are visible. If set to `false`, such requests are cancelled.
    public var isPrefetchingEnabled: Bool {
        didSet { if isPrefetchingEnabled != oldValue { notify(model.setPrefetching(isPrefetchingEnabled)) } }
    }

    /// Cost of fetching. Keep the estimate up to date if the policy uses it. See ``NetworkEstimate``.
    public var network: NetworkEstimate {
        get { model.network }
        set { model.network = newValue }
    }

    /// Model that makes the plans.
    public private(set) var model: ViewportModel

    private var sections: SectionTable
    private var options: LayoutOptions
    private var displayed: Range<Int> = 0..<0
    /// Flat indices that `prefetchItemsAt` named and that since then neither came into view nor were cancelled.
    private var prefetched: Set<Int> = []

    /// Creates a view at the top of its content. Nothing is requested before the first call that moves or resizes the view.
    ///
    /// - Parameters:
    ///   - numberOfItems: Number of items in each section. A negative number counts as 0.
    ///   - layout: Options of the layout. ``LayoutOptions/Kind/grid(itemWidth:itemHeight:)`` has the metrics of a flow layout.
    ///   - size: Size of the view, in points (CSS pixels), each side 0 to 1,000,000.
    ///   - policy: Policy that decides what to prefetch. The default ``PolicyName/collectionView`` prefetches as UIKit does.
    public init(
        numberOfItems: [Int], layout: LayoutOptions, size: Size, policy: PolicyName = .collectionView,
        isPrefetchingEnabled: Bool = true
    ) {
        sections = SectionTable(counts: numberOfItems)
        options = layout
        self.isPrefetchingEnabled = isPrefetchingEnabled
        model = ViewportModel(
            layout: makeLayout(layout, width: size.width, sections: sections.ranges, aspectRatios: nil),
            viewport: size, policy: policy, prefetching: isPrefetchingEnabled)
    }

    // MARK: Moving

    /// Scrolls the content to `y` points at `time`, in milliseconds of any clock.
    ///
    /// - Returns: the plan behind the calls that were made.
    @discardableResult
    public func setContentOffset(_ y: Double, at time: Double, phase: ScrollPhase? = nil) -> Plan {
        notify(model.update(ScrollSample(time: time, scrollTop: y, phase: phase)))
    }

    /// Jumps so that an item is at the top. Does nothing if there is no such item.
    public func scrollToItem(at indexPath: IndexPath, at time: Double) {
        guard let frame = frameForItem(at: indexPath) else { return }
        setContentOffset(frame.y, at: time, phase: .jump)
    }

    /// Changes the size of the view. The content at the top of the view stays there.
    @discardableResult
    public func setSize(_ size: Size) -> Plan {
        notify(model.relayout(layout(width: size.width), viewport: size))
    }

    /// Replaces the numbers of items. Cancels all prefetching requests, and requests the visible items again.
    @discardableResult
    public func reloadData(numberOfItems: [Int]) -> Plan {
        let asked = paths(prefetched.sorted())
        prefetched = []
        if !asked.isEmpty { prefetchDataSource?.collectionView(self, cancelPrefetchingForItemsAt: asked) }
        display(0..<0)
        sections = SectionTable(counts: numberOfItems)
        let network = model.network
        let offset = model.scrollTop
        model = ViewportModel(
            layout: layout(width: model.viewport.width), viewport: model.viewport, policy: model.policy,
            prefetching: isPrefetchingEnabled)
        model.network = network
        return notify(model.update(ScrollSample(time: 0, scrollTop: offset)))
    }

    private func layout(width: Double) -> any Layout {
        makeLayout(options, width: width, sections: sections.ranges, aspectRatios: nil)
    }

    // MARK: Finished items

    /// Reports that an item's picture was loaded, or never will be. The item is not requested again before
    /// ``forgetItems(at:)``. UIKit has no such call. Without this call an item counts as requested until its request is
    /// cancelled.
    public func finishedItem(at indexPath: IndexPath, as outcome: ViewportModel.Outcome = .ready) {
        guard let item = item(at: indexPath) else { return }
        prefetched.remove(item)
        model.finished(item, as: outcome)
    }

    /// Allows requesting these items again, because their pictures were released or are to be retried.
    public func forgetItems(at indexPaths: [IndexPath]) { model.forget(indexPaths.compactMap { item(at: $0) }) }

    // MARK: Positions

    public var numberOfSections: Int { sections.count }

    /// Returns the number of items in a section, or 0 if there is no such section.
    public func numberOfItems(inSection section: Int) -> Int {
        (0..<sections.count).contains(section) ? sections.items(of: section).count : 0
    }

    /// Items that overlap the view, in order, as of the last call that moved the view.
    public var indexPathsForVisibleItems: [IndexPath] { paths(displayed) }

    /// Returns the frame of an item in the content, or `nil` if there is no such item.
    public func frameForItem(at indexPath: IndexPath) -> Frame? {
        item(at: indexPath).map { model.layout.frame(of: $0) }
    }

    /// Returns the flat index of an item, as used by the model and its plans, or `nil` if there is no such item.
    public func item(at indexPath: IndexPath) -> Int? {
        guard indexPath.item >= 0, indexPath.item < numberOfItems(inSection: indexPath.section) else { return nil }
        return sections.items(of: indexPath.section).lowerBound + indexPath.item
    }

    /// Returns the index path of a flat index, or `nil` if there is no such item.
    public func indexPath(for item: Int) -> IndexPath? {
        guard item >= 0, item < sections.itemCount else { return nil }
        let section = sections.section(of: item)
        return IndexPath(item: item - sections.items(of: section).lowerBound, section: section)
    }

    private func paths(_ items: some Sequence<Int>) -> [IndexPath] { items.compactMap { indexPath(for: $0) } }

    // MARK: Calling the data source and the delegate

    @discardableResult
    private func notify(_ plan: Plan) -> Plan {
        for item in plan.visible { prefetched.remove(item) }
        let cancelled = plan.cancel.filter { prefetched.remove($0) != nil }
        prefetched.formUnion(plan.prefetch)
        if !cancelled.isEmpty {
            prefetchDataSource?.collectionView(self, cancelPrefetchingForItemsAt: paths(cancelled))
        }
        display(plan.visible)
        if !plan.prefetch.isEmpty {
            prefetchDataSource?.collectionView(self, prefetchItemsAt: paths(plan.prefetch))
        }
        return plan
    }

    private func display(_ visible: Range<Int>) {
        let old = displayed
        displayed = visible
        let left = paths(old.filter { !visible.contains($0) })
        if !left.isEmpty { delegate?.collectionView(self, didEndDisplayingItemsAt: left) }
        let came = paths(visible.filter { !old.contains($0) })
        if !came.isEmpty { delegate?.collectionView(self, willDisplayItemsAt: came) }
    }
}

/// The counterpart of `UICollectionViewDataSourcePrefetching`. Learns ahead of the scroll which items will probably come into
/// view.
public protocol CollectionViewDataSourcePrefetching: AnyObject {
    typealias IndexPath = CollectionView.IndexPath

    /// Fetches items that will probably come into view, most urgent first. None of the items is in flight.
    func collectionView(_ collectionView: CollectionView, prefetchItemsAt indexPaths: [IndexPath])

    /// Cancels the requests in flight for items that `prefetchItemsAt` named, that have not come into view, and that are no
    /// longer expected to come into view. Does nothing by default.
    func collectionView(
        _ collectionView: CollectionView, cancelPrefetchingForItemsAt indexPaths: [IndexPath])
}

extension CollectionViewDataSourcePrefetching {
    public func collectionView(
        _ collectionView: CollectionView, cancelPrefetchingForItemsAt indexPaths: [IndexPath]
    ) {}
}

/// Learns which items come into view and which leave it. UIKit calls its delegate once for each cell. This delegate is called
/// once for all items.
public protocol CollectionViewDelegate: AnyObject {
    typealias IndexPath = CollectionView.IndexPath

    /// Fetches items that come into view, if they are neither loaded nor in flight. Does nothing by default.
    func collectionView(_ collectionView: CollectionView, willDisplayItemsAt indexPaths: [IndexPath])

    /// Cancels the requests in flight for items that have left the view. Does nothing by default.
    func collectionView(
        _ collectionView: CollectionView, didEndDisplayingItemsAt indexPaths: [IndexPath])
}

extension CollectionViewDelegate {
    public func collectionView(
        _ collectionView: CollectionView, willDisplayItemsAt indexPaths: [IndexPath]
    ) {}

    public func collectionView(
        _ collectionView: CollectionView, didEndDisplayingItemsAt indexPaths: [IndexPath]
    ) {}
}
