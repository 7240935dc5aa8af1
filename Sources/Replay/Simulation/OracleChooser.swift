import HeapModule
import Viewport

/// Knows the whole trace in advance, and each picture's size and delay. When a slot is free, it starts the item that
/// is needed earliest. It skips items that cannot arrive before their cell has left the view, or that are visible too
/// briefly to be seen. It never cancels.
///
/// The oracle is no bound (`LowerBound` is). Earliest deadline first misses no deadline if all can be met (Liu and Layland 1973).
/// If not all deadlines can be met, a policy may do better, for three reasons:
/// - The oracle fetches items that will soon have passed, if they arrive a moment before. A late row delays all later rows (the
///   domino effect of earliest deadline first under overload), while `lookahead` skips the row.
/// - It estimates each picture as if the picture had the link to itself, though `concurrency` pictures share it.
/// - It never cancels a picture that has become useless.
struct OracleChooser: Chooser {
    /// Visits shorter than this, in milliseconds, do not count. This is about the time a person needs to make out a picture.
    static let briefest = 100.0

    private let origin: Origin
    private var visits: [Int: [Visit]] = [:]
    private var needed = Heap<Need>()
    private var running = 0
    private var isOpen = false
    let nextTick: Double? = nil
    var record: ScrollRecord?
    private let held: Set<Int>

    private struct Visit {
        var enters: Double
        var leaves: Double
    }

    private struct Need: Comparable {
        var time: Double
        var item: Int
        var visit: Int
        static func < (a: Need, b: Need) -> Bool { (a.time, a.item) < (b.time, b.item) }
    }

    init(playable: PlayableTrace, origin: Origin, held: [Int] = []) {
        self.origin = origin
        self.held = Set(held)
        var current: Set<Int> = []
        var order: [Int] = []
        for frame in playable.frames {
            let visible = Set(frame.visible)
            for item in frame.visible where !current.contains(item) {
                if visits[item] == nil { order.append(item) }
                visits[item, default: []].append(Visit(enters: frame.time, leaves: playable.end))
            }
            for item in current where !visible.contains(item) {
                let last = (visits[item]?.count ?? 1) - 1
                visits[item]?[last].leaves = frame.time
            }
            current = visible
        }
        for item in order where !self.held.contains(item) {
            if let first = visits[item]?.first { needed.insert(Need(time: first.enters, item: item, visit: 0)) }
        }
    }

    mutating func receive(_ sample: ScrollSample, now: Double, received: (Int) -> Double) -> [Command] {
        isOpen = true
        return fill(now)
    }

    mutating func tick(now: Double, received: (Int) -> Double) -> [Command] { [] }
    mutating func began(_ item: Int, afterWaiting delay: Double, isNew: Bool?, now: Double) {}
    mutating func aborted(_ item: Int, bytes: Double, began: Bool, now: Double) {}

    mutating func finished(_ item: Int, bytes: Double, now: Double) -> [Command] {
        running -= 1
        return (origin.serving == nil ? [] : [.render(item)]) + fill(now)
    }

    mutating func rendered(_ item: Int, now: Double) -> [Command] { [] }

    private mutating func fill(_ now: Double) -> [Command] {
        var commands: [Command] = []
        while isOpen, running < origin.slots, let need = needed.popMin() {
            guard let visits = visits[need.item] else { continue }
            let visit = visits[need.visit]
            if visit.leaves - visit.enters >= Self.briefest, arrival(of: need.item, now) < visit.leaves {
                running += 1
                let want = Want(item: need.item, visible: visit.enters <= now, neededIn: max(0, visit.enters - now))
                record?.add(want, place: 0, at: now)
                commands.append(.start(need.item))
            } else if need.visit + 1 < visits.count {
                needed.insert(Need(time: visits[need.visit + 1].enters, item: need.item, visit: need.visit + 1))
            }
        }
        return commands
    }

    /// Returns when the page would show the item if its fetch started now and had the link to itself.
    private func arrival(of item: Int, _ now: Double) -> Double {
        let picture = origin.picture(item)
        return now + picture.delay + picture.bytes / origin.bytesPerMillisecond + origin.showDelay
    }
}
