import Numbers
import Replay
import Viewport

/// The least slow blank share that anything could reach on a trace, be its knowledge of what comes whatever it may: a
/// bound with a proof, computed rather than found by search.
///
/// Item i costs f_i(C), the slow time that its cell is visible before its picture shows at C: f_i never falls. It costs
/// F_i, all of that time, if it never comes. A schedule of the simulator's is bound by more than is asked for here; every
/// step lets go of something, and so can only lower the least cost:
///
/// 1. No request is made before `opening`, when the first sample is heard. The first byte comes its delay d_i later, the
///    last no sooner than p_i = bytes / bandwidth after that, and the picture shows no sooner than `lag` after it, which is
///    half a round trip, and rendering and painting where they take time. So the last byte comes at
///    E_i >= opening + d_i + p_i, and the picture shows at C_i >= E_i + lag. Sharing, aborted attempts, new connections and
///    waiting for a worker only make it later.
/// 2. Up to any moment T the link has sent the bytes of all pictures done by T, beginning with the first byte of all:
///    the sum of p_i over E_i <= T is at most T - opening - least d. Each picture done has held one of the `concurrency`
///    slots for d_i + p_i, so the sum of (d_i + p_i) / concurrency is at most T - opening. Any mean of the two holds,
///    too: with q_i the mean of an item's needs, the sum of q_i over E_i <= T is at most capacity(T).
/// 3. Such a sum may be priced (weak duality): for any prices u_T >= 0 the cost of a schedule is at least its cost plus
///    the sum over T of u_T (needs of what is done by T - capacity(T)), as no bracket is above 0. With price(t) the sum of
///    u_T over T > t, which never rises, that is at least
///
///        sum over i of min(F_i, min over E of f_i(E + lag) + q_i price(E)) - sum over t of price(t) capacity in t
///
///    where each item goes where it is cheapest for it alone. The bound holds whatever the prices; the better they are, the
///    nearer it is to the cost of the best schedule in which pictures may come in pieces.
///
/// The bound may be taken for less knowledge, too (``Foresight``): then no request for an item is made before the moment from
/// which it can be known, as heard by the server, which takes the place of `opening` in 1 for that item; 2 and 3 hold as they
/// are.
///
/// Time is cut into cells, an item done within one counting as done at its beginning. As the price never rises, of a
/// stretch in which f_i stays the same only the end matters: there are few places to compare. Prices are found by
/// projected subgradients (Polyak's step; the projection onto what never rises pools adjacent violators) and are as good
/// after some hundreds of steps as those of a linear program solver.
package struct LowerBound {
    /// How much is known of the scroll ahead.
    package enum Foresight {
        /// All of it.
        case complete
        /// All but where the content is put at once: see `PlayableTrace.foreseeable`.
        case withoutJumps
    }

    /// Milliseconds, unless the trace is longer than so many cells.
    private static let cell = 10.0
    private static let maximumCells = 8_192
    private static let steps = 250
    /// How much the link counts beside the slots, tried one after the other.
    private static let weights = [1.0, 0.5, 0]

    private let cells: Int
    private let width: Double
    /// The slow cell time of the trace, or of one kind of scrolling in it.
    private let cellTime: Double
    private let items: [Item]
    /// Where an item may be done, item by item: in which cell, and what that costs; `cells` stands for never.
    private let places: [Place]
    private let opening: Double
    private let minimumDelay: Double

    private struct Item {
        /// Milliseconds of the link.
        var transfer: Double
        /// Milliseconds of one slot, over the number of slots.
        var slot: Double
        var places: Range<Int>
        /// The cost of never coming.
        var never: Double
    }

    private struct Place {
        var cell: Int
        var cost: Double
    }

    /// The bound, 0 ... 1. Where items have previews, which count as half a picture, a cell is half blank until something of it
    /// shows and half until its picture does. Each half is bound as if the other cost nothing.
    package static func slowBlankShare(
        _ playable: PlayableTrace, _ origin: Origin, kind: Int? = nil, foreseeing foresight: Foresight = .complete
    ) -> Double {
        func share(_ maximum: Double) -> Double {
            LowerBound(playable, origin, kind: kind, maximum: maximum, foreseeing: foresight).slowBlankShare
        }
        guard let bytes = origin.previewBytes else { return share(.infinity) }
        return (share(bytes) + share(.infinity)) / 2
    }

    /// - Parameters:
    ///   - kind: index into the trace's kinds: counts the slow time of this kind alone; nil: all of it.
    ///   - maximum: bytes of an item that are enough.
    package init(
        _ playable: PlayableTrace, _ origin: Origin, kind: Int? = nil, maximum: Double = .infinity,
        foreseeing foresight: Foresight = .complete
    ) {
        let width = max(Self.cell, playable.end / Double(Self.maximumCells))
        let cells = max(1, Int(clamping: (playable.end / width).rounded(.up)))
        let lag = origin.showDelay + (origin.serving?.renderTime ?? 0)
        let opening = origin.opening
        var cellTime = 0.0
        let visits = Self.visits(playable, kind, &cellTime)
        let known = foresight == .complete ? [:] : playable.foreseeable
        var items: [Item] = []
        var places: [Place] = []
        var minimumDelay = Double.infinity
        for (item, visits) in visits {
            let picture = origin.picture(item)
            let transfer = min(picture.bytes, maximum) / origin.bytesPerMillisecond
            let asked = known[item].map { $0 > 0 ? max(opening, $0 + origin.postDelay) : opening } ?? opening
            let earliest = asked + picture.delay + transfer
            minimumDelay = min(minimumDelay, picture.delay)
            let first = places.count
            var before = 0.0
            for visit in visits {
                let from = Int(clamping: max(0, visit.lowerBound - lag, earliest) / width)
                let to = min(cells - 1, Int(clamping: max(0, visit.upperBound - lag) / width))
                if earliest <= visit.upperBound - lag, from <= to {
                    for cell in from...to {
                        // Pictures that came before the trace began are in its first cell.
                        let shown = (cell == 0 ? earliest : max(Double(cell) * width, earliest)) + lag
                        let blank = min(max(0, shown - visit.lowerBound), visit.upperBound - visit.lowerBound)
                        places.append(Place(cell: cell, cost: before + blank))
                    }
                }
                before += visit.upperBound - visit.lowerBound
            }
            items.append(
                Item(
                    transfer: transfer, slot: (picture.delay + transfer) / Double(origin.slots),
                    places: first..<places.count, never: before))
        }
        self.width = width
        self.cells = cells
        self.cellTime = cellTime
        self.items = items
        self.places = places
        self.opening = opening
        self.minimumDelay = minimumDelay
    }

    /// The slow stretches in which items are visible, in the order of the items.
    private static func visits(
        _ playable: PlayableTrace, _ kind: Int?, _ cellTime: inout Double
    ) -> [(key: Int, value: [Range<Double>])] {
        var visits: [Int: [Range<Double>]] = [:]
        for (frame, next) in zip(playable.frames, playable.frames.dropFirst())
        where frame.speed < PlayableTrace.slowSpeed && next.time > frame.time && (kind == nil || frame.kind == kind) {
            cellTime += Double(frame.visible.count) * (next.time - frame.time)
            for item in frame.visible {
                var from = frame.time
                if let last = visits[item]?.last, last.upperBound == from {
                    from = last.lowerBound
                    visits[item]?.removeLast()
                }
                visits[item, default: []].append(from..<next.time)
            }
        }
        return visits.sorted { $0.key < $1.key }
    }

    /// The bound, 0 ... 1.
    package var slowBlankShare: Double {
        guard cellTime > 0 else { return 0 }
        return Self.weights.map { cost(link: $0) }.reduce(0, max) / cellTime
    }

    /// The best certificate found for one mean of the two needs, in cell-milliseconds.
    private func cost(link weight: Double) -> Double {
        let needs = items.map { weight * $0.transfer + (1 - weight) * $0.slot }
        let capacity = (0..<cells).map { cell in
            let (from, to) = (Double(cell) * width, Double(cell + 1) * width)
            func room(_ time: Double) -> Double {
                weight * max(0, time - opening - minimumDelay) + (1 - weight) * max(0, time - opening)
            }
            return cell == 0 ? room(to) : room(to) - room(from)
        }
        var prices = [Double](repeating: 0, count: cells)
        var pull = prices
        var best = 0.0
        var bestPrices = prices
        // The upper bound of the cost: nothing ever coming, at first; adapted to what the steps show.
        let maximum = items.reduce(0) { $0 + $1.never }
        var target = maximum
        var since = 0
        var excess = prices
        for _ in 0..<Self.steps {
            let cost = priced(prices, needs, capacity, &excess)
            since += 1
            if cost > best {
                best = cost
                bestPrices = prices
                since = 0
            } else if since > 12 {
                target = best + (target - best) * 0.6
                prices = bestPrices
                for cell in pull.indices { pull[cell] = 0 }
                since = 0
                continue
            }
            let length = excess.reduce(0) { $0 + $1 * $1 }
            guard length > 0, target > best else { break }
            let step = (target - cost) / length
            for cell in prices.indices {
                pull[cell] = 0.8 * pull[cell] + excess[cell]
                prices[cell] += step * pull[cell]
            }
            Self.project(&prices)
        }
        return best
    }

    /// The bound by these prices; `excess` becomes how much more than its capacity each cell is asked for.
    private func priced(
        _ prices: [Double], _ needs: [Double], _ capacity: [Double], _ excess: inout [Double]
    ) -> Double {
        var cost = 0.0
        for cell in 0..<cells {
            cost -= prices[cell] * capacity[cell]
            excess[cell] = -capacity[cell]
        }
        for (index, item) in items.enumerated() {
            var minimum = item.never
            var chosen = cells
            let need = needs[index]
            for index in item.places {
                let place = places[index]
                // Later places cost no less, and prices are not below 0.
                guard place.cost < minimum else { break }
                let cost = place.cost + need * prices[place.cell]
                if cost < minimum {
                    minimum = cost
                    chosen = place.cell
                }
            }
            cost += minimum
            if chosen < cells { excess[chosen] += need }
        }
        return cost
    }

    /// The nearest prices that never rise and are nowhere below 0 (pool adjacent violators).
    package static func project(_ prices: inout [Double]) {
        var blocks: [(sum: Double, count: Int)] = []
        for price in prices {
            var block = (sum: price, count: 1)
            while let last = blocks.last, last.sum * Double(block.count) < block.sum * Double(last.count) {
                block = (last.sum + block.sum, last.count + block.count)
                blocks.removeLast()
            }
            blocks.append(block)
        }
        var cell = 0
        for block in blocks {
            let price = max(0, block.sum / Double(block.count))
            for _ in 0..<block.count {
                prices[cell] = price
                cell += 1
            }
        }
    }
}

extension Replay {
    /// The slow blank share that no policy can go below, even one that knows the whole scroll. 0 ... 1.
    package static func bound(_ trace: Trace, _ origin: Origin) -> Double {
        LowerBound.slowBlankShare(PlayableTrace(trace), origin)
    }
}

extension PlayableTrace {
    /// How far about what has been shown a place is guessed at, in viewports.
    static let guessed = 3.0

    /// When each item can first be known to be shown, item by item in milliseconds, to a scheduler that foresees the whole
    /// scroll but for where it is put at once: a jump, or the thumb of the scrollbar, is known when it begins. What lies within
    /// ``guessed`` viewports of anything shown before is known, too.
    var foreseeable: [Int: Double] {
        let height = trace.viewport.height
        var moments: [Int: Double] = [:]
        var since = 0.0
        var last: (top: Double, phase: ScrollPhase?, time: Double)?
        var known = 0..<0
        for frame in frames {
            let (top, phase) = (frame.sample.scrollTop, frame.sample.phase)
            if let last {
                let moved = top - last.top
                let isTaken = phase == .drag && last.phase != .drag
                if isTaken || Motion.isJump(moved, in: frame.time - last.time, phase, height: height) {
                    since = frame.time
                }
            }
            last = (top, phase, frame.time)
            let near = layout.items(in: (top - Self.guessed * height)..<(top + (1 + Self.guessed) * height))
            for item in near where !known.contains(item) && moments[item] == nil { moments[item] = since }
            known = near
        }
        return moments
    }
}
