/// Decides which items should be on the page, and in which order.
///
/// A policy lists all items that it wants each time. `ViewportModel` subtracts the items that are requested or ready. So a
/// policy keeps no list of tasks. The little that some policies remember is about the scroll.
package protocol Policy: Sendable {
    static var name: PolicyName { get }
    /// One sentence for menus and help.
    static var summary: String { get }
    init()
    /// Adds the items wanted beside the visible ones to `wants`, most urgent first.
    mutating func decide(_ view: PolicyView, _ wants: inout WantList)
}

/// Name of a policy. Only names in the registry exist.
public struct PolicyName: RawRepresentable, Sendable, Hashable, CaseIterable, CustomStringConvertible {
    public let rawValue: String

    /// `nil` if there is no such policy.
    public init?(rawValue: String) {
        guard PolicyRegistry.policies.contains(where: { $0.name.rawValue == rawValue }) else { return nil }
        self.rawValue = rawValue
    }

    init(_ name: String) {
        rawValue = name
    }

    public static var allCases: [PolicyName] { PolicyRegistry.policies.map { $0.name } }

    /// Default policy of a session: the first in the registry.
    public static var standard: PolicyName { PolicyRegistry.standard.name }

    /// One sentence about the policy.
    public var summary: String { PolicyRegistry.policy(self).summary }

    public var description: String { rawValue }
}

/// Input of a policy: the past and present of one viewport.
package struct PolicyView: Sendable {
    package var layout: any Layout
    package var viewport: Size
    package var motion: Motion
    package var visible: Range<Int>
    package var network: NetworkEstimate
    let ledger: ItemLedger
    /// Items of `asked` with a known start, progress or size. Their number is limited by the number of parallel downloads.
    private let begun: [Asked]

    init(
        layout: any Layout, viewport: Size, motion: Motion, visible: Range<Int>, network: NetworkEstimate,
        ledger: ItemLedger
    ) {
        self.layout = layout
        self.viewport = viewport
        self.motion = motion
        self.visible = visible
        self.network = network
        self.ledger = ledger
        begun = ledger.asked.filter(\.hasBegun)
    }

    /// Items requested and neither ready nor failed, oldest first.
    package var asked: [Asked] { ledger.asked }

    /// Band of the content that the viewport shows.
    package var band: Range<Double> { band(at: motion.scrollTop) }

    /// Returns the band that the viewport would show if scrolled to `scrollTop`.
    package func band(at scrollTop: Double) -> Range<Double> {
        scrollTop..<max(scrollTop, scrollTop + viewport.height)
    }

    /// Returns the items in `band` that do not overlap the viewport, nearest to the viewport first.
    package func nearestFirst(in band: Range<Double>) -> [Int] {
        let near = self.band
        return layout.items(in: band)
            .filter { !visible.contains($0) }
            .map { (item: $0, distance: layout.frame(of: $0).distance(to: near)) }
            .sorted { ($0.distance, $0.item) < ($1.distance, $1.item) }
            .map { $0.item }
    }

    /// Returns the progress of `item`, or `nil` if none is known.
    package func task(_ item: Int) -> Asked? {
        begun.isEmpty || ledger[item] != .asked ? nil : begun.first { $0.item == item }
    }

    /// Returns whether the picture of `item` is on the page, or failed.
    package func isSettled(_ item: Int) -> Bool { ledger.isSettled(item) }

    package func hasPreview(_ item: Int) -> Bool { ledger.preview(of: item) != nil || isSettled(item) }
}

/// Output of a policy: the items it wants.
package struct WantList: Sendable {
    package private(set) var items: [Want] = []
    /// Whether every visible item is wanted before any listed item. Default true.
    package var includesVisible = true
    /// When to decide again if no sample arrives, in milliseconds of the samples' clock. `nil` if that is not needed.
    package var nextTick: Double?

    /// Adds one item, needed in `neededIn` milliseconds.
    package mutating func add(_ item: Int, neededIn: Double, reason: WantReason = .policy) {
        items.append(Want(item: item, neededIn: neededIn, reason: reason))
    }

    package mutating func add(_ wants: [Want]) {
        items.append(contentsOf: wants)
    }

    /// Inserts items before the first item that is needed later than in `neededIn` milliseconds.
    package mutating func insert(_ list: some Sequence<Int>, neededIn: Double, reason: WantReason = .policy) {
        let place = items.firstIndex { $0.neededIn > neededIn } ?? items.endIndex
        items.insert(contentsOf: list.map { Want(item: $0, neededIn: neededIn, reason: reason) }, at: place)
    }

    /// Adds items without known deadlines, in this order. Each gets a deadline one millisecond after the one before.
    package mutating func add(_ list: some Sequence<Int>) {
        for item in list { add(item, neededIn: Double(items.count)) }
    }
}

/// All policies. To add a policy, add its file and its line here. The first one is the default.
enum PolicyRegistry {
    static let standard: any Policy.Type = LookaheadPolicy.self

    static let policies: [any Policy.Type] = [
        standard,
        CollectionViewPolicy.self,
        OperationQueuePolicy.self,
        ScrollEndPolicy.self,
        ChromiumLazyPolicy.self,
        ImmichPolicy.self,
        PhotoKitPolicy.self,
        TexturePolicy.self,
        GlidePolicy.self,
        DwellPolicy.self,
    ]

    /// Returns the policy called `name`. There always is one, because names are created from this list.
    static func policy(_ name: PolicyName) -> any Policy.Type {
        policies.first { $0.name == name } ?? standard
    }
}
