import BoundedCache
import Pictures

/// Beginnings of bodies whose transfer ended late, by URL, so that the next attempt resumes. Bounded in bytes: the
/// longest untouched goes first.
struct PartialBodies {
    private var bodies: BoundedCache<String, PartialBody>

    init(limit: Int) { bodies = BoundedCache(limit: limit) }

    var bytes: Int { bodies.cost }

    /// The kept part stays until `remove` or until it is outgrown: the attempt may fail before its first byte.
    func peek(_ url: String) -> PartialBody? { bodies[url] }

    /// Keeps a beginning unless more of the same body is here.
    mutating func keepBeginning(_ body: PartialBody, of url: String) {
        if let kept = bodies[url], kept.validator == body.validator, kept.bytes.count >= body.bytes.count { return }
        keep(body, of: url)
    }

    mutating func keep(_ body: PartialBody, of url: String) { bodies.insert(body, for: url, cost: body.bytes.count) }

    mutating func remove(_ url: String) { bodies.remove(url) }
}
