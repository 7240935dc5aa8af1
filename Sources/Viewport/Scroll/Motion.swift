/// State of the scroll, derived from samples: position, input, speed and predicted end.
package struct Motion: Sendable {
    /// Time without movement after which the content counts as at rest, in milliseconds. TanStack Virtual, virtua and
    /// react-window all wait 150 ms. A sample with the phase `idle` ends the movement immediately.
    package static let restDelay = 150.0

    /// Time without movement after which a dragged scrollbar counts as arrived, in milliseconds. While the scrollbar moves,
    /// pages post samples at most ``silence`` apart. While it is held still, they post nothing.
    static let pause = 50.0

    /// Speed that no fling reaches, in CSS pixels a second. Faster content was put elsewhere, not scrolled.
    static let jumpSpeed = 40_000.0

    /// Maximum time between two posts of the page while it scrolls, in milliseconds.
    static let silence = 34.0

    /// Maximum speed at which the person looks at the content, in CSS pixels a second.
    package static let legibleSpeed = 1500.0

    /// Speed that no held arrow key reaches (40 pixels, 33 times a second), in CSS pixels a second. Page keys reach it for a
    /// moment.
    static let arrowSpeed = 2500.0

    /// Speed that no fling exceeds at its start, in CSS pixels a second. Android limits flings to 8000 dp/s, and the fastest
    /// recorded on iOS are near 15,000. Faster movements come from the scrollbar.
    static let flingSpeed = 18_000.0

    /// In milliseconds. Never runs backwards.
    package private(set) var time = 0.0
    /// In CSS pixels, within the content.
    package private(set) var scrollTop = 0.0
    /// In CSS pixels a second, positive downwards.
    package private(set) var velocity = 0.0
    /// Direction of the last movement: 1 downwards, -1 upwards. Downwards at the start and after a jump.
    package private(set) var direction = 1.0
    /// The input that moves the content. Inferred if the page does not report it.
    package private(set) var phase = ScrollPhase.idle
    /// When the content last moved, in milliseconds, or `nil` if it never has.
    package private(set) var lastMove: Double?
    /// When the content last jumped, in milliseconds, or `nil` if it never has.
    package private(set) var lastJump: Double?

    package private(set) var course = Course.rest
    package private(set) var habits = Habits()

    private var history = ScrollHistory()
    private var fling = FlingFit()
    // The notches of a wheel and the momentum of a touchpad share one phase, and some people turn a wheel evenly.
    private var notch = FlingFit(rate: FlingFit.wheelRate, within: 8...30)
    private var glide = FlingFit(rate: FlingFit.touchpadRate, within: 0.3...8)
    private var hypotheses = Motion.unknownLaw
    private var aim = AimFit()
    // Start of the present gesture or rest.
    private var began: ScrollHistory.Point?
    /// Whether a gesture is under way.
    private(set) var isMoving = false
    // Highest speed of the present gesture.
    private var peak = 0.0
    // When the present gesture last had half of its highest speed.
    private var heldUntil = 0.0
    // Last point at which the present gesture was too fast to be looked at.
    private var slowSince = ScrollHistory.Point(time: 0, scrollTop: 0)

    /// Prior of a notch, momentum and an even pace. e^0.7 is 2: an even pace is half as likely as a notch until samples show
    /// it.
    private static let unknownLaw = Hypotheses(prior: [0, -0.3, -0.7])

    package init() {}

    /// Whether nothing has moved since the beginning or the last jump.
    package var hasJustJumped: Bool { lastJump == lastMove }

    /// When the content last moved. Before any movement, when its position was first known.
    package var stillSince: Double { lastMove ?? began?.time ?? time }

    package var isResting: Bool { phase == .idle }

    /// Updates the state with a sample whose `scrollTop` is within 0 ... `maxScrollTop`.
    mutating func update(_ sample: ScrollSample, height: Double, maxScrollTop: Double) {
        let previous = history.last
        time = max(time, sample.time.clamped(to: -1e12...1e12, or: time))
        scrollTop = sample.scrollTop
        let point = ScrollHistory.Point(time: time, scrollTop: scrollTop)
        guard var previous else {
            began = point
            history.restart(at: point)
            return
        }
        let moved = scrollTop - previous.scrollTop
        if !isMoving, moved != 0, time - previous.time > Self.silence {
            // Pages post nothing at rest, so the movement began one sample interval ago, not at the last sample.
            previous.time = time - Self.silence
            history.restart(at: previous)
        }
        if isJump(moved, since: previous.time, sample.phase, height: height) {
            settle(at: previous)
            began = point
            leap(to: point, as: .jump)
            habits.forgetGestures()
            direction = 1
            lastJump = time
            return
        }
        if moved != 0 {
            if (moved > 0) != (direction > 0), isMoving, abs(moved) > 2 { turn(at: previous) }
            direction = moved > 0 ? 1 : -1
            lastMove = time
        }
        if isPageKeyStep(moved, since: previous.time, sample.phase, height: height) {
            habits.add(Habits.Gesture(distance: moved, duration: 0, slow: 0, slowTime: 0, phase: .keyboard))
            began = point
            leap(to: point, as: .keyboard)
            return
        }
        // A finger that lands on a fling stops the content.
        let isCaught = sample.phase == .touch && phase == .momentum && isMoving
        let rested = time >= restStart
        if isCaught || sample.phase == .idle || rested {
            // The last movement can arrive in the same sample as the end of the gesture.
            settle(at: point)
            phase = isCaught ? .touch : .idle
            velocity = 0
            course = .rest
            history.restart(at: point)
            return
        }
        if !isMoving, moved != 0 {
            isMoving = true
            aim = AimFit()
            hypotheses = Self.unknownLaw
            peak = 0
            if let began { habits.addRest(previous.time - began.time) }
            began = previous
            slowSince = previous
        }
        history.add(point)
        velocity = history.velocity(at: time)
        peak = max(peak, abs(velocity))
        if abs(velocity) > peak / 2 { heldUntil = time }
        if abs(velocity) > Self.legibleSpeed { slowSince = point }
        let said = sample.phase.flatMap { $0 == .idle || $0 == .jump ? nil : $0 }
        phase = said ?? guessedPhase
        foresee(moved: moved, in: time - previous.time, room: direction > 0 ? maxScrollTop - scrollTop : scrollTop)
        // The step of a page key is soon over, whether or not the browser smooths it. A held page key moves further than the
        // viewport.
        if phase == .keyboard, peak > Self.arrowSpeed, abs(scrollTop - (began?.scrollTop ?? scrollTop)) <= height {
            course = .rest
        }
    }

    /// Returns the scroll at `time` if no sample has arrived since the last one. The content is where the last sample left it.
    ///
    /// A later movement begins after the last sample, so use this state for one decision only.
    func afterSilence(until time: Double, height: Double, maxScrollTop: Double) -> Motion {
        var motion = self
        if !isResting {
            motion.update(
                ScrollSample(time: time, scrollTop: scrollTop, phase: phase), height: height, maxScrollTop: maxScrollTop
            )
        } else {
            motion.time = max(self.time, time.clamped(to: -1e12...1e12, or: self.time))
        }
        return motion
    }

    /// When the scroll counts as ended unless another sample arrives, in milliseconds. `nil` if the content rests.
    var silenceEnd: Double? { isResting ? nil : restStart }

    /// When the content has been still for long enough to be at rest.
    private var restStart: Double { (lastMove ?? -.infinity) + Self.restDelay }

    /// Ends the present gesture.
    private mutating func settle(at point: ScrollHistory.Point) {
        guard isMoving, let start = began else { return }
        remember(from: start, to: ScrollHistory.Point(time: lastMove ?? point.time, scrollTop: point.scrollTop))
        began = ScrollHistory.Point(time: lastMove ?? point.time, scrollTop: point.scrollTop)
        isMoving = false
    }

    /// Begins another gesture, because the present one has turned without a rest.
    private mutating func turn(at point: ScrollHistory.Point) {
        if let start = began { remember(from: start, to: point) }
        began = point
        slowSince = point
        aim = AimFit()
        hypotheses = Self.unknownLaw
        peak = 0
        history.restart(at: point)
    }

    private mutating func remember(from start: ScrollHistory.Point, to end: ScrollHistory.Point) {
        habits.addHold(heldUntil - start.time, phase)
        habits.add(
            Habits.Gesture(
                distance: end.scrollTop - start.scrollTop, duration: end.time - start.time,
                slow: abs(end.scrollTop - slowSince.scrollTop), slowTime: slowSince.time - start.time,
                phase: phase))
    }

    /// Puts the content elsewhere without a movement to learn from.
    private mutating func leap(to point: ScrollHistory.Point, as phase: ScrollPhase) {
        history.restart(at: point)
        self.phase = phase
        velocity = 0
        course = .rest
        isMoving = false
        lastMove = time
    }

    private mutating func foresee(moved: Double, in elapsed: Double, room: Double) {
        if phase == .drag, time - (lastMove ?? time) >= Self.pause {
            course = .rest
            return
        }
        let speed = abs(velocity)
        guard speed > 0, history.points.count > 1 else {
            course = .rest
            return
        }
        switch phase {
        case .idle, .jump: course = .rest
        case .touch:
            let hold = habits.hold(phase, after: time - (began?.time ?? time))
            course = Course(law: .steady(lasting: hold), direction: direction, speed: speed)
        case .momentum: course = fling.course(history.points, direction: direction, speed: speed)
        case .wheel, .keyboard:
            let hold = habits.hold(phase, after: time - (began?.time ?? time))
            course = hypotheses.course(
                [
                    notch.course(history.points, direction: direction, speed: speed),
                    glide.course(history.points, direction: direction, speed: speed),
                    Course(law: .steady(lasting: hold), direction: direction, speed: speed),
                ], moved: abs(moved), in: elapsed)
        case .drag:
            course = aim.course(
                history.points, began: began ?? ScrollHistory.Point(time: time, scrollTop: scrollTop),
                direction: direction, speed: speed)
        }
        course.limit = max(0, room)
    }

    /// Moves to the coordinates of a layout that changed at `time`. The content itself did not move.
    mutating func relocate(to scrollTop: Double, at time: Double) {
        self.time = max(self.time, time)
        self.scrollTop = scrollTop
        let point = ScrollHistory.Point(time: time, scrollTop: scrollTop)
        leap(to: point, as: .idle)
        began = point
    }

    private func isJump(_ moved: Double, since: Double, _ phase: ScrollPhase?, height: Double) -> Bool {
        // If the phase is unknown, a jump during a fast movement is a scrollbar drag.
        if phase == nil, abs(velocity) > Self.jumpSpeed / 2 { return false }
        return Self.isJump(moved, in: time - since, phase, height: height)
    }

    /// Returns whether content that `moved` by this distance, in CSS pixels, within `elapsed` milliseconds was put elsewhere,
    /// not scrolled there.
    package static func isJump(_ moved: Double, in elapsed: Double, _ phase: ScrollPhase?, height: Double) -> Bool {
        if phase == .jump { return moved != 0 }
        guard phase != .drag, abs(moved) > 2 * max(1, height) else { return false }
        return abs(moved) > jumpSpeed / 1000 * max(1, elapsed)
    }

    /// Returns whether a movement is a step of a page or space key: half a screen or more out of rest, faster than any hand.
    private func isPageKeyStep(_ moved: Double, since: Double, _ phase: ScrollPhase?, height: Double) -> Bool {
        guard !isMoving, phase != .drag, phase != .momentum, phase != .touch else { return false }
        return abs(moved) >= 0.5 * height && abs(moved) > Self.jumpSpeed / 2000 * max(1, time - since)
    }

    /// Input inferred if the page does not report it: the scrollbar if the gesture has been faster than any fling, a finger if
    /// the speed does not fall, otherwise momentum.
    private var guessedPhase: ScrollPhase {
        if peak > Self.flingSpeed { return .drag }
        return history.isSlowing ? .momentum : .touch
    }

    /// Possible error of the end of an aimed movement, in CSS pixels. 0 for other movements.
    package var landingError: Double {
        if case .aimed(let distance, _, _) = course.law { return aim.error(distance) }
        return 0
    }

    package var landing: Landing {
        let confidence =
            switch course.law {
            case .rest: isResting ? 1.0 : 0.9
            case .steady: 0.3
            case .exponential, .spline: 0.8
            case .aimed(let distance, _, _): 1 / (1 + aim.error(distance) / 900)
            }
        return Landing(scrollTop: scrollTop + direction * course.distance, confidence: confidence)
    }
}
