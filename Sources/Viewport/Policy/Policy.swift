/// Decides which items should be on the page, and in which order.
///
/// A policy says what it wants each time; `ViewportModel` subtracts what has been asked for and what is ready. So a
/// policy keeps no list of tasks; the little some remember is about the scroll.
package protocol Policy: Sendable {
    /// The name it is selected by.
    static var name: PolicyName { get }
    /// One sentence for menus and help.
    static var summary: String { get }
    init()
    /// Adds to `wants`, most urgent first, the items wanted beside the visible ones.
    mutating func decide(_ view: PolicyView, _ wants: inout WantList)
}

/// The name of a policy. Only names in the registry exist.
public struct PolicyName: RawRepresentable, Sendable, Hashable, CaseIterable, CustomStringConvertible {
    public let rawValue: String

    /// nil when there is no such policy.
    public init?(rawValue: String) {
        guard PolicyRegistry.policies.contains(where: { $0.name.rawValue == rawValue }) else { return nil }
        self.rawValue = rawValue
    }

    init(_ name: String) {
        rawValue = name
    }

    public static var allCases: [PolicyName] { PolicyRegistry.policies.map { $0.name } }

    /// The default policy of a session: the first in the registry.
    public static var standard: PolicyName { PolicyRegistry.standard.name }

    /// One sentence about the policy.
    public var summary: String { PolicyRegistry.policy(self).summary }

    public var description: String { rawValue }
}

/// A policy's input: the past and present of one viewport.
package struct PolicyView: Sendable {
    package var layout: any Layout
    package var viewport: Size
    package var motion: Motion
    /// The items overlapping the viewport.
    package var visible: Range<Int>
    package var network: NetworkEstimate
    let ledger: ItemLedger
    /// Those of `asked` of which anything is known: as few as there are downloads at once.
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

    /// Items asked for and neither ready nor failed, oldest first.
    package var asked: [Asked] { ledger.asked }

    /// The band of the content that the viewport shows.
    package var band: Range<Double> { band(at: motion.scrollTop) }

    /// The band it would show when scrolled to `scrollTop`.
    package func band(at scrollTop: Double) -> Range<Double> {
        scrollTop..<max(scrollTop, scrollTop + viewport.height)
    }

    /// The items in `band` that do not overlap the viewport, nearest to it first.
    package func nearestFirst(in band: Range<Double>) -> [Int] {
        let near = self.band
        return layout.items(in: band)
            .filter { !visible.contains($0) }
            .map { (item: $0, distance: layout.frame(of: $0).distance(to: near)) }
            .sorted { ($0.distance, $0.item) < ($1.distance, $1.item) }
            .map { $0.item }
    }

    /// How far `item` has come, if anything is known of that.
    package func task(_ item: Int) -> Asked? {
        begun.isEmpty || ledger[item] != .asked ? nil : begun.first { $0.item == item }
    }

    /// Whether the picture of `item` is on the page, or will never be.
    package func isSettled(_ item: Int) -> Bool { ledger.isSettled(item) }

    /// Whether something of `item` is on the page: its preview, or more.
    package func hasPreview(_ item: Int) -> Bool { ledger.preview(of: item) != nil || isSettled(item) }
}

/// A policy's output: the items it wants.
package struct WantList: Sendable {
    package private(set) var items: [Want] = []
    /// Whether every visible item is wanted, before anything listed. Default true.
    package var includesVisible = true
    /// When to decide again though no sample has come, in milliseconds of the samples' clock; nil: no need.
    package var nextTick: Double?

    /// Adds one item, needed in `neededIn` milliseconds.
    package mutating func add(_ item: Int, neededIn: Double) {
        items.append(Want(item: item, visible: false, neededIn: neededIn))
    }

    /// Adds wants as they are.
    package mutating func add(_ wants: [Want]) {
        items.append(contentsOf: wants)
    }

    /// Puts items before those that are needed later than in `neededIn` milliseconds.
    package mutating func insert(_ list: some Sequence<Int>, neededIn: Double) {
        let place = items.firstIndex { $0.neededIn > neededIn } ?? items.endIndex
        items.insert(contentsOf: list.map { Want(item: $0, visible: false, neededIn: neededIn) }, at: place)
    }

    /// Adds items whose moments are unknown, in this order: a millisecond between one and the next stands for it.
    package mutating func add(_ list: some Sequence<Int>) {
        for item in list { add(item, neededIn: Double(items.count)) }
    }
}

/// Every policy there is. Adding one means adding its file and its line here; the first is the default.
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

    /// The policy called `name`: names come from this list, so there always is one.
    static func policy(_ name: PolicyName) -> any Policy.Type {
        policies.first { $0.name == name } ?? standard
    }
}
