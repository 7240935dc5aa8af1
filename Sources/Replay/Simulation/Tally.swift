import Numbers

/// Measures a replay: how long visible cells were blank, and which fetched bytes were never seen. A cell that shows a preview counts
/// as half blank.
package struct Tally {
    /// Minimum pause in the movement that counts as a stop, in milliseconds. Shorter pauses are part of the movement.
    static let stopDelay = 150.0

    var requests = 0
    var cancelled = 0
    private(set) var bytes = 0.0
    private(set) var shownBytes = 0.0

    private let playable: PlayableTrace
    private var time = 0.0
    private var frame = -1
    private var blank: Set<Int> = []
    /// The blank items that show a preview.
    private var previewed: Set<Int> = []
    private var pictures: [Int: Picture] = [:]
    private var previews: [Int: Picture] = [:]

    private var all = Shares()
    private var byKind: [Shares]

    private var lastMove: Double?
    private var settled: Double?
    private var settles: [Double] = []

    /// Total visible time of cells, and the part of it without their picture.
    private struct Shares {
        var cells = 0.0
        var blanks = 0.0
        var slowCells = 0.0
        var slowBlanks = 0.0

        mutating func add(cells: Double, blanks: Double, isSlow: Bool) {
            self.cells += cells
            self.blanks += blanks
            guard isSlow else { return }
            slowCells += cells
            slowBlanks += blanks
        }

        var blankShare: Double { cells > 0 ? blanks / cells : 0 }
        var slowBlankShare: Double { slowCells > 0 ? slowBlanks / slowCells : 0 }
    }

    private struct Picture {
        package var bytes: Double
        var isShown = false
        var isSeen = false
    }

    /// - Parameter held: items whose pictures the page has already.
    init(playable: PlayableTrace, held: [Int]) {
        self.playable = playable
        byKind = playable.kinds.map { _ in Shares() }
        for item in held { pictures[item] = Picture(bytes: 0, isShown: true) }
    }

    /// Number of items in view without their picture.
    var blankCount: Int { blank.count }

    /// - Parameter isElsewhere: Whether every cell is new on the page.
    /// - Returns: the items in view whose pictures the page has, but does not show yet because their cells are new.
    mutating func show(frame index: Int, at now: Double, isElsewhere: Bool = false) -> [Int] {
        pass(to: now)
        var mounting: [Int] = []
        let next = playable.frames[index]
        if next.hasMoved {
            if let lastMove, now - lastMove >= Self.stopDelay { settles.append((settled ?? now) - lastMove) }
            lastMove = now
            settled = nil
        }
        if frame < 0 || next.hasMoved {
            blank.removeAll(keepingCapacity: true)
            previewed.removeAll(keepingCapacity: true)
            for item in next.visible {
                let isThere = pictures[item]?.isShown == true
                if isThere && !isElsewhere { see(item) } else { blank.insert(item) }
                if isThere && isElsewhere { mounting.append(item) }
                if !isThere, previews[item]?.isShown == true { showPreview(of: item) }
            }
        }
        frame = index
        if settled == nil, blank.isEmpty { settled = now }
        return mounting
    }

    mutating func show(_ item: Int, at now: Double) {
        pass(to: now)
        pictures[item]?.isShown = true
        guard blank.remove(item) != nil else { return }
        previewed.remove(item)
        see(item)
        if settled == nil, blank.isEmpty { settled = now }
    }

    mutating func showPreview(_ item: Int, at now: Double) {
        pass(to: now)
        previews[item]?.isShown = true
        if blank.contains(item) { showPreview(of: item) }
    }

    private mutating func showPreview(of item: Int) {
        previewed.insert(item)
        seePreview(item)
    }

    /// Counts the bytes of an item or of a part of it. The bytes of a preview are a part of the picture's.
    mutating func fetched(_ item: Int, bytes: Double, whole: Bool, preview: Bool = false) {
        self.bytes += bytes
        if whole { pictures[item] = Picture(bytes: bytes) }
        if preview { previews[item] = Picture(bytes: bytes) }
    }

    mutating func finish(at now: Double) {
        pass(to: now)
        if let lastMove { settles.append((settled ?? now) - lastMove) }
    }

    private mutating func seePreview(_ item: Int) {
        guard let preview = previews[item], !preview.isSeen else { return }
        previews[item]?.isSeen = true
        shownBytes += preview.bytes
    }

    private mutating func see(_ item: Int) {
        seePreview(item)
        guard let picture = pictures[item], !picture.isSeen else { return }
        pictures[item]?.isSeen = true
        shownBytes += picture.bytes
    }

    private mutating func pass(to now: Double) {
        defer { time = now }
        guard frame >= 0, now > time else { return }
        let cells = Double(playable.frames[frame].visible.count) * (now - time)
        let blanks = (Double(blank.count) - Double(previewed.count) / 2) * (now - time)
        let isSlow = playable.frames[frame].speed < PlayableTrace.slowSpeed
        all.add(cells: cells, blanks: blanks, isSlow: isSlow)
        if let kind = playable.frames[frame].kind { byKind[kind].add(cells: cells, blanks: blanks, isSlow: isSlow) }
    }

    package var score: Score {
        let settles = settles.sorted()
        func quantile(_ q: Double) -> Double {
            settles.isEmpty ? 0 : settles[min(settles.count - 1, Int(clamping: Double(settles.count) * q))]
        }
        return Score(
            blankShare: all.blankShare, slowBlankShare: all.slowBlankShare,
            waste: bytes > 0 ? max(0, 1 - shownBytes / bytes) : 0, settleP50: quantile(0.5), settleP95: quantile(0.95),
            requests: requests, cancelled: cancelled, bytes: bytes,
            byKind: zip(playable.kinds, byKind).filter { $1.cells > 0 }.map { kind, shares in
                Score.KindScore(
                    kind: kind, blankShare: shares.blankShare, slowBlankShare: shares.slowBlankShare)
            })
    }
}
