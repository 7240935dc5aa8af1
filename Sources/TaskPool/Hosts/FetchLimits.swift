/// The fetches at once that hosts are allowed now.
struct FetchLimits: Sendable {
    /// Of those of which something is known.
    var hosts: [Int: Int] = [:]
    /// Of all others.
    var standard = 0

    subscript(host: Int) -> Int { hosts[host] ?? standard }
}
