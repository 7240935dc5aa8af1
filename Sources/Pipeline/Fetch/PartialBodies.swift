/// Beginnings of bodies whose transfer ended late, by URL, so that the next attempt resumes. Bounded in bytes: the
/// longest untouched goes first.
struct PartialBodies {
    private let limit: Int
    private var bodies: [String: (body: PartialBody, age: Int)] = [:]
    private var clock = 0
    private(set) var bytes = 0

    init(limit: Int) {
        self.limit = max(0, limit)
    }

    /// The kept part stays until `remove` or until it is outgrown: the attempt may fail before its first byte.
    func peek(_ url: String) -> PartialBody? { bodies[url]?.body }

    mutating func keep(_ body: PartialBody, of url: String) {
        remove(url)
        guard body.bytes.count <= limit else { return }
        while bytes + body.bytes.count > limit, let oldest = bodies.min(by: { $0.value.age < $1.value.age })?.key {
            remove(oldest)
        }
        clock += 1
        bodies[url] = (body, clock)
        bytes += body.bytes.count
    }

    mutating func remove(_ url: String) {
        if let gone = bodies.removeValue(forKey: url) { bytes -= gone.body.bytes.count }
    }
}
