import HeapModule

/// Bandwidth shared equally by the transfers in progress (processor sharing).
///
/// One number, `served`, describes all transfers: the bytes that each has received since the beginning. A transfer that begins
/// when `served` is s is done when `served` is s + its bytes.
struct Link {
    /// Bytes a millisecond.
    let bandwidth: Double
    private(set) var time: Double
    private var served = 0.0
    private var transfers: [Int: (began: Double, bytes: Double)] = [:]
    private var ends = Heap<End>()

    private struct End: Comparable {
        var served: Double
        var item: Int
        static func < (a: End, b: End) -> Bool { (a.served, a.item) < (b.served, b.item) }
    }

    init(bandwidth: Double, from time: Double = 0) {
        self.bandwidth = bandwidth
        self.time = time
    }

    var count: Int { transfers.count }
    /// The items in progress, in ascending order.
    var items: [Int] { transfers.keys.sorted() }

    /// Returns when the next transfer ends if nothing else happens, or `nil` if none is in progress.
    mutating func nextEnd() -> Double? {
        while let end = ends.min {
            guard let transfer = transfers[end.item], transfer.began + transfer.bytes == end.served else {
                ends.removeMin()
                continue
            }
            return time + max(0, end.served - served) * Double(transfers.count) / bandwidth
        }
        return nil
    }

    mutating func advance(to now: Double) {
        if now > time, !transfers.isEmpty { served += (now - time) * bandwidth / Double(transfers.count) }
        time = max(time, now)
    }

    mutating func begin(_ item: Int, bytes: Double) {
        transfers[item] = (served, bytes)
        ends.insert(End(served: served + bytes, item: item))
    }

    /// Ends the transfer that is due next and returns its item.
    mutating func end() -> Int? {
        guard nextEnd() != nil, let end = ends.popMin() else { return nil }
        served = max(served, end.served)
        transfers[end.item] = nil
        return end.item
    }

    /// Returns the bytes received so far by a transfer in progress.
    func received(_ item: Int) -> Double {
        guard let transfer = transfers[item] else { return 0 }
        return min(transfer.bytes, max(0, served - transfer.began))
    }

    /// Stops a transfer and returns the bytes it received.
    mutating func abort(_ item: Int) -> Double {
        let bytes = received(item)
        transfers[item] = nil
        return bytes
    }
}
