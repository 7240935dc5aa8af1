/// Where a scroll is expected to come to rest.
public struct Landing: Sendable, Hashable {
    /// How far the content will be scrolled then, in CSS pixels.
    public var scrollTop: Double
    /// How sure that is: 0 (a guess) ... 1 (it rests there already).
    public var confidence: Double

    public init(scrollTop: Double, confidence: Double) {
        self.scrollTop = scrollTop
        self.confidence = confidence
    }
}

/// What the samples say about the scroll: where it is, what moves it, how fast, and where it will end.
package struct Motion: Sendable {
    /// How long the content must have stood still to be at rest, in milliseconds. TanStack Virtual, virtua and
    /// react-window all wait 150 ms; a sample whose phase is `idle` says so at once.
    package static let restDelay = 150.0

    /// Speeds no fling reaches, in CSS pixels a second: beyond them the content was put elsewhere, not scrolled.
    static let jumpSpeed = 40_000.0

    /// Milliseconds; never runs backwards.
    package private(set) var time = 0.0
    /// CSS pixels, within the content.
    package private(set) var scrollTop = 0.0
    /// CSS pixels a second, positive downwards.
    package private(set) var velocity = 0.0
    /// 1 downwards, -1 upwards: the way of the last movement; downwards at the start and after a jump.
    package private(set) var direction = 1.0
    /// What moves the content; worked out when the page does not say.
    package private(set) var phase = ScrollPhase.idle
    /// When the content last moved, in milliseconds; nil before it ever has.
    package private(set) var lastMove: Double?
    /// When the content last jumped, in milliseconds; nil before it ever has.
    package private(set) var lastJump: Double?

    private(set) var history = ScrollHistory()

    package init() {}

    /// Whether the content stands still.
    package var isResting: Bool { phase == .idle }

    /// Takes in a sample whose `scrollTop` is within the content of a viewport `height` CSS pixels tall.
    mutating func update(_ sample: ScrollSample, height: Double) {
        let previous = history.last
        time = max(time, sample.time.clamped(to: -1e12...1e12, or: time))
        scrollTop = sample.scrollTop
        let point = ScrollHistory.Point(time: time, scrollTop: scrollTop)
        guard let previous else {
            history.restart(at: point)
            phase = .idle
            return
        }
        let moved = scrollTop - previous.scrollTop
        if isJump(moved, since: previous.time, sample.phase, height: height) {
            history.restart(at: point)
            phase = .jump
            velocity = 0
            direction = 1
            lastMove = time
            lastJump = time
            return
        }
        if moved != 0 {
            direction = moved > 0 ? 1 : -1
            lastMove = time
        }
        let rested = time - (lastMove ?? -.infinity) >= Self.restDelay
        if sample.phase == .idle && moved == 0 || rested {
            // The way the content came no longer says anything about where it goes next.
            if !isResting { history.restart(at: point) } else { history.add(point) }
            phase = .idle
            velocity = 0
            return
        }
        history.add(point)
        velocity = history.velocity(at: time)
        phase = sample.phase.flatMap { $0 == .idle || $0 == .jump ? nil : $0 } ?? guessedPhase
    }

    /// The content was laid out anew: it did not move, but its coordinates did.
    mutating func relocate(to scrollTop: Double) {
        self.scrollTop = scrollTop
        velocity = 0
        history.restart(at: ScrollHistory.Point(time: time, scrollTop: scrollTop))
    }

    private func isJump(_ moved: Double, since: Double, _ phase: ScrollPhase?, height: Double) -> Bool {
        if phase == .jump { return moved != 0 }
        guard phase != .drag, abs(moved) > 2 * max(1, height) else { return false }
        // Without a phase, a leap out of a fast movement is the scrollbar being dragged.
        if phase == nil, abs(velocity) > Self.jumpSpeed / 2 { return false }
        return abs(moved) > Self.jumpSpeed / 1000 * max(1, time - since)
    }

    /// What moves the content, when the page does not say.
    private var guessedPhase: ScrollPhase {
        abs(velocity) > Self.jumpSpeed ? .drag : .momentum
    }

    /// Where the scroll will end.
    package var landing: Landing {
        isResting
            ? Landing(scrollTop: scrollTop, confidence: 1)
            : Landing(scrollTop: scrollTop + velocity * 0.499, confidence: 0.5)
    }
}
