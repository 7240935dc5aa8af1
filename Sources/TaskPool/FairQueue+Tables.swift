import Queues

// The tables of a queue: sessions and lanes.
extension FairQueue {
    /// One session's part.
    struct Share: Sendable {
        var weight = 1.0
        var clock = ByUrgency(0.0)
        /// By lane; few, so that a search beside the last one found beats a table.
        var lists: [List] = []
        var found = 0

        mutating func index(of lane: Int) -> Int? {
            if found < lists.count, lists[found].lane == lane { return found }
            guard let index = lists.firstIndex(where: { $0.lane == lane }) else { return nil }
            found = index
            return index
        }
    }

    /// One session's waiting tasks in one lane.
    struct List: Sendable {
        let lane: Int
        var places = ByUrgency(BinaryHeap<Place>())
        /// Whether the lane's order has an entry for this session.
        var listed = ByUrgency(false)
    }

    struct Lane: Sendable {
        var running = 0
        /// Of them, rests of files.
        var rests = 0
        var sessions = ByUrgency(BinaryHeap<Turn<Int32>>())
        /// The virtual time under which the lane stands in `order`; infinite when it does not.
        var listedAt = ByUrgency(Double.infinity)
    }

    struct Place: Comparable, Sendable {
        var rank: Int32
        var slot: Int32

        static func < (a: Place, b: Place) -> Bool { a.rank < b.rank }
    }

    struct Turn<ID: Comparable & Sendable>: Comparable, Sendable {
        var time: Double
        var id: ID

        static func < (a: Turn, b: Turn) -> Bool { a.time != b.time ? a.time < b.time : a.id < b.id }
    }
}
