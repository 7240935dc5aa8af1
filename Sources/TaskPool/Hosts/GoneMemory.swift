/// Remembers what is not there, so that it is not asked for again and again.
public struct GoneMemory<Key: Hashable & Sendable>: Sendable {
    public struct Settings: Sendable, Hashable {
        /// Keys remembered; the oldest are forgotten first. Default 10,000, at least 1.
        public var capacity = 10_000
        /// How long a 404 is believed, in milliseconds. Default 10 minutes.
        public var notFound = 600_000.0
        /// How long a 410 is believed, in milliseconds. Default a day.
        public var gone = 86_400_000.0

        public init() {}
    }

    private let settings: Settings
    private var entries: [Key: (until: Double, serial: UInt64)] = [:]
    /// In the order in which they came; those whose serial is not current are skipped.
    private var order: [(key: Key, serial: UInt64)] = []
    private var head = 0
    private var serial: UInt64 = 0

    public init(_ settings: Settings = Settings()) { self.settings = settings }

    public var count: Int { entries.count }

    /// Notes that a host said so.
    ///
    /// - Parameter forever: Whether it said 410 (gone) and not 404 (not found).
    public mutating func note(_ key: Key, forever: Bool, now: Double) {
        serial += 1
        entries[key] = (now + (forever ? settings.gone : settings.notFound), serial)
        order.append((key, serial))
        while entries.count > max(1, settings.capacity), head < order.count {
            if entries[order[head].key]?.serial == order[head].serial { entries[order[head].key] = nil }
            head += 1
        }
        if order.count > 2 * entries.count + 1_024 {
            order = order[head...].filter { entries[$0.key]?.serial == $0.serial }
            head = 0
        }
    }

    /// Whether a key is known not to be there.
    public func contains(_ key: Key, now: Double) -> Bool {
        guard let entry = entries[key] else { return false }
        return now < entry.until
    }

    /// Forgets a key, as when the person asks to try it again.
    public mutating func forget(_ key: Key) { entries[key] = nil }
}
