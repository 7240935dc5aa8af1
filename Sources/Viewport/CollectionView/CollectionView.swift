/// A viewport with the surface of `UICollectionView`: index paths of sections and items, a data source that is told
/// what to prefetch and what to let go, and a delegate that is told what comes into view.
///
/// ```swift
/// let view = CollectionView(numberOfItems: [30, 200], layout: options, size: Size(width: 400, height: 800))
/// view.prefetchDataSource = loader
/// view.setContentOffset(1200, at: 16.7)
/// ```
///
/// It decides nothing itself: it is a ``ViewportModel`` whose plans are spoken as calls. What a plan prefetches is one
/// `prefetchItemsAt` call, nearest (or most urgent) first; what it cancels and never was on screen is one
/// `cancelPrefetchingForItemsAt` call. Like UIKit's it is used from one place at a time; all calls are made before the
/// method that caused them returns.
public final class CollectionView {
    /// Where an item is: its section, and its place in that section.
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

        /// As UIKit prints one: `[2, 7]`.
        public var description: String { "[\(section), \(item)]" }
    }

    /// Told what to fetch before it is visible, and what of that to let go. Set it before the view first moves.
    public weak var prefetchDataSource: (any CollectionViewDataSourcePrefetching)?
    /// Told what comes into view and leaves it.
    public weak var delegate: (any CollectionViewDelegate)?

    /// Whether anything is asked for before it is visible. Turning it off cancels what was.
    public var isPrefetchingEnabled: Bool {
        didSet { if isPrefetchingEnabled != oldValue { tell(model.setPrefetching(isPrefetchingEnabled)) } }
    }

    /// The cost of fetching; keep it up to date where the policy looks at it. See ``NetworkEstimate``.
    public var network: NetworkEstimate {
        get { model.network }
        set { model.network = newValue }
    }

    /// The model that decides.
    public private(set) var model: ViewportModel

    private var sections: SectionTable
    private var options: LayoutOptions
    private var displayed: Range<Int> = 0..<0
    /// Flat indices that `prefetchItemsAt` named and that neither came into view nor were cancelled since.
    private var prefetched: Set<Int> = []

    /// A view at the top of its content. Nothing is asked for before the first call that moves or resizes it.
    ///
    /// - Parameters:
    ///   - numberOfItems: How many items each section has, empty ones allowed; a negative number counts as 0.
    ///   - layout: How they are laid out; ``LayoutOptions/Kind/grid(itemWidth:itemHeight:)`` has the metrics of a
    ///     flow layout.
    ///   - size: Of the view, in points (CSS pixels), each side 0 to 1,000,000.
    ///   - policy: What decides. By default ``PolicyName/collectionView``, which asks as UIKit does.
    ///   - isPrefetchingEnabled: Whether anything is asked for before it is visible.
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

    /// The content is scrolled to `y` points at `time`, in milliseconds of any clock.
    ///
    /// - Returns: the plan behind the calls that were made.
    @discardableResult
    public func setContentOffset(_ y: Double, at time: Double, phase: ScrollPhase? = nil) -> Plan {
        tell(model.update(ScrollSample(time: time, scrollTop: y, phase: phase)))
    }

    /// The content jumps so that an item is at the top. Nothing happens where there is no such item.
    public func scrollToItem(at indexPath: IndexPath, at time: Double) {
        guard let frame = frameForItem(at: indexPath) else { return }
        setContentOffset(frame.y, at: time, phase: .jump)
    }

    /// The view has another size. What was at its top stays there.
    @discardableResult
    public func setSize(_ size: Size) -> Plan {
        tell(model.relayout(layout(width: size.width), viewport: size))
    }

    /// The sections have other numbers of items: everything asked for is cancelled, and what is visible asked for anew.
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
        return tell(model.update(ScrollSample(time: 0, scrollTop: offset)))
    }

    private func layout(width: Double) -> any Layout {
        makeLayout(options, width: width, sections: sections.ranges, aspectRatios: nil)
    }

    // MARK: Finished items

    /// An item's picture has come, or never will: it is not asked for again before ``forgetItems(at:)``. Telling this
    /// is what UIKit has no call for; without it an item counts as asked for until it is let go.
    public func finishedItem(at indexPath: IndexPath, as outcome: ViewportModel.Outcome = .ready) {
        guard let item = item(at: indexPath) else { return }
        prefetched.remove(item)
        model.finished(item, as: outcome)
    }

    /// The pictures of these items are no longer held, or are to be tried again.
    public func forgetItems(at indexPaths: [IndexPath]) { model.forget(indexPaths.compactMap { item(at: $0) }) }

    // MARK: Where things are

    public var numberOfSections: Int { sections.count }

    /// 0 where there is no such section.
    public func numberOfItems(inSection section: Int) -> Int {
        (0..<sections.count).contains(section) ? sections.items(of: section).count : 0
    }

    /// The items that overlap the view, in order; as of the last call that moved it.
    public var indexPathsForVisibleItems: [IndexPath] { paths(displayed) }

    /// Where an item lies in the content; nil where there is no such item.
    public func frameForItem(at indexPath: IndexPath) -> Frame? {
        item(at: indexPath).map { model.layout.frame(of: $0) }
    }

    /// The flat index of an item, as the model and its plans name it; nil where there is no such item.
    public func item(at indexPath: IndexPath) -> Int? {
        guard indexPath.item >= 0, indexPath.item < numberOfItems(inSection: indexPath.section) else { return nil }
        return sections.items(of: indexPath.section).lowerBound + indexPath.item
    }

    /// The index path of a flat index; nil where there is no such item.
    public func indexPath(for item: Int) -> IndexPath? {
        guard item >= 0, item < sections.itemCount else { return nil }
        let section = sections.section(of: item)
        return IndexPath(item: item - sections.items(of: section).lowerBound, section: section)
    }

    private func paths(_ items: some Sequence<Int>) -> [IndexPath] { items.compactMap { indexPath(for: $0) } }

    // MARK: Speaking

    @discardableResult
    private func tell(_ plan: Plan) -> Plan {
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

/// The counterpart of `UICollectionViewDataSourcePrefetching`. Learns ahead of the scroll which items will probably come into view.
public protocol CollectionViewDataSourcePrefetching: AnyObject {
    typealias IndexPath = CollectionView.IndexPath

    /// Fetches items that will probably come into view, the most urgent first. None of the items has been asked for already.
    func collectionView(_ collectionView: CollectionView, prefetchItemsAt indexPaths: [IndexPath])

    /// Cancels the requests in flight for items that `prefetchItemsAt` named, that have not come into view, and that are no longer
    /// expected to. Does nothing by default.
    func collectionView(
        _ collectionView: CollectionView, cancelPrefetchingForItemsAt indexPaths: [IndexPath])
}

extension CollectionViewDataSourcePrefetching {
    public func collectionView(
        _ collectionView: CollectionView, cancelPrefetchingForItemsAt indexPaths: [IndexPath]
    ) {}
}

/// Learns which items come into view and which leave it. UIKit calls its delegate once for each cell, and this one once for all.
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
