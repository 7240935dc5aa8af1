/// The state of the scroll, worked out from samples: where it is, what moves it, how fast, and where it will end.
package struct Motion: Sendable {
    /// How long the content must have stood still to be at rest, in milliseconds. TanStack Virtual, virtua and
    /// react-window all wait 150 ms; a sample whose phase is `idle` says so at once.
    package static let restDelay = 150.0

    /// How long a dragged scrollbar must have stood still to be taken to have arrived, in milliseconds: pages post while it
    /// moves no further apart than ``silence``, and say nothing while it stands and is held.
    static let pause = 50.0

    /// Speeds no fling reaches, in CSS pixels a second: beyond them the content was put elsewhere, not scrolled.
    static let jumpSpeed = 40_000.0

    /// The longest time between the page's posts while it scrolls, in milliseconds.
    static let silence = 34.0

    /// CSS pixels a second; what passes faster is not looked at.
    package static let legibleSpeed = 1500.0

    /// CSS pixels a second, which no arrow key reaches that is held (40 pixels, 33 times a second); page keys do for a moment.
    static let arrowSpeed = 2500.0

    /// CSS pixels a second; no fling starts faster (Android limits them to 8000 dp/s, the fastest recorded on iOS are
    /// near 15,000), so that what does is the scrollbar.
    static let flingSpeed = 18_000.0

    /// Milliseconds; never runs backwards.
    package private(set) var time = 0.0
    /// CSS pixels, within the content.
    package private(set) var scrollTop = 0.0
    /// CSS pixels a second, positive downwards.
    package private(set) var velocity = 0.0
    /// 1 downwards, -1 upwards: the way of the last movement; downwards at the start and after a jump.
    package private(set) var direction = 1.0
    /// The input that moves the content; inferred when the page does not say.
    package private(set) var phase = ScrollPhase.idle
    /// When the content last moved, in milliseconds; nil before it ever has.
    package private(set) var lastMove: Double?
    /// When the content last jumped, in milliseconds; nil before it ever has.
    package private(set) var lastJump: Double?

    /// How the scroll is expected to go on.
    package private(set) var course = Course.rest
    /// Statistics of earlier gestures.
    package private(set) var habits = Habits()

    private var history = ScrollHistory()
    private var fling = FlingFit()
    // A wheel's notches and a touchpad's momentum come under one name, and some people turn a wheel evenly.
    private var notch = FlingFit(rate: FlingFit.wheelRate, within: 8...30)
    private var glide = FlingFit(rate: FlingFit.touchpadRate, within: 0.3...8)
    private var hypotheses = Motion.unknownLaw
    private var aim = AimFit()
    // Where and when the present gesture, or the present rest, began.
    private var began: ScrollHistory.Point?
    /// Whether a gesture is under way.
    private(set) var isMoving = false
    // The highest speed of the present gesture.
    private var peak = 0.0
    // When it last had half of that.
    private var heldUntil = 0.0
    // Where the present gesture was last too fast to be looked at.
    private var slowSince = ScrollHistory.Point(time: 0, scrollTop: 0)

    /// A notch, momentum, an even pace: e^0.7 is 2, so that a wheel is half as likely turned evenly until it is seen to be.
    private static let unknownLaw = Hypotheses(prior: [0, -0.3, -0.7])

    package init() {}

    /// Whether nothing has moved since the beginning or the last jump.
    package var hasJustJumped: Bool { lastJump == lastMove }

    /// When the content last moved, or first was anywhere.
    package var stillSince: Double { lastMove ?? began?.time ?? time }

    /// Whether the content stands still.
    package var isResting: Bool { phase == .idle }

    /// Takes in a sample whose `scrollTop` is within 0 ... `maxScrollTop`, of a viewport `height` CSS pixels tall.
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
            // Pages are silent at rest: the movement began a sample ago, not when the last one came.
            previous.time = time - Self.silence
            history.restart(at: previous)
        }
        if isJump(moved, since: previous.time, sample.phase, height: height) {
            settle(at: previous)
            began = point
            leap(to: point, as: .jump)
            direction = 1
            lastJump = time
            return
        }
        if moved != 0 {
            if (moved > 0) != (direction > 0), isMoving, abs(moved) > 2 { turn(at: previous) }
            direction = moved > 0 ? 1 : -1
            lastMove = time
        }
        if isLeap(moved, since: previous.time, sample.phase, height: height) {
            habits.add(Habits.Gesture(distance: moved, duration: 0, slow: 0, slowTime: 0, phase: .keyboard))
            began = point
            leap(to: point, as: .keyboard)
            return
        }
        // A finger that lands on a fling holds the content where it is.
        let isCaught = sample.phase == .touch && phase == .momentum && isMoving
        let rested = time >= restStart
        if isCaught || sample.phase == .idle || rested {
            // The last of a movement can come with the news that it is over.
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
        // A page key's step is soon over, whether the browser smooths it or not; one that is held goes on.
        if phase == .keyboard, peak > Self.arrowSpeed, abs(scrollTop - (began?.scrollTop ?? scrollTop)) <= height {
            course = .rest
        }
    }

    /// The scroll at `time` if no sample has come since the last one. The content stands where the last sample left it.
    ///
    /// A movement that comes next begins after the last sample, so this state is for one decision only.
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

    /// When the scroll counts as ended unless another sample comes, in milliseconds. `nil` if the content rests.
    var silenceEnd: Double? { isResting ? nil : restStart }

    /// When the content has stood still for long enough to be at rest.
    private var restStart: Double { (lastMove ?? -.infinity) + Self.restDelay }

    /// A gesture has ended.
    private mutating func settle(at point: ScrollHistory.Point) {
        guard isMoving, let start = began else { return }
        remember(from: start, to: ScrollHistory.Point(time: lastMove ?? point.time, scrollTop: point.scrollTop))
        began = ScrollHistory.Point(time: lastMove ?? point.time, scrollTop: point.scrollTop)
        isMoving = false
    }

    /// A gesture has turned without a rest: another one begins.
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

    /// The content is elsewhere at once: there was no movement to learn from.
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

    /// The layout changed at `time`: the content did not move, but its coordinates did.
    mutating func relocate(to scrollTop: Double, at time: Double) {
        self.time = max(self.time, time)
        self.scrollTop = scrollTop
        let point = ScrollHistory.Point(time: time, scrollTop: scrollTop)
        leap(to: point, as: .idle)
        began = point
    }

    private func isJump(_ moved: Double, since: Double, _ phase: ScrollPhase?, height: Double) -> Bool {
        // Without a phase, a leap out of a fast movement is the scrollbar being dragged.
        if phase == nil, abs(velocity) > Self.jumpSpeed / 2 { return false }
        return Self.isJump(moved, in: time - since, phase, height: height)
    }

    /// Whether content that `moved` so many CSS pixels in so many milliseconds was put elsewhere, not scrolled there.
    package static func isJump(_ moved: Double, in elapsed: Double, _ phase: ScrollPhase?, height: Double) -> Bool {
        if phase == .jump { return moved != 0 }
        guard phase != .drag, abs(moved) > 2 * max(1, height) else { return false }
        return abs(moved) > jumpSpeed / 1000 * max(1, elapsed)
    }

    /// A page or space key: a step of half a screen or more out of rest, faster than any hand.
    private func isLeap(_ moved: Double, since: Double, _ phase: ScrollPhase?, height: Double) -> Bool {
        guard !isMoving, phase != .drag, phase != .momentum, phase != .touch else { return false }
        return abs(moved) >= 0.5 * height && abs(moved) > Self.jumpSpeed / 2000 * max(1, time - since)
    }

    /// Infers the input that moves the content when the page does not say: the scrollbar if the gesture has been faster than anything
    /// else, a finger when the speed does not fall.
    private var guessedPhase: ScrollPhase {
        if peak > Self.flingSpeed { return .drag }
        return history.isSlowing ? .momentum : .touch
    }

    /// By how much the end of an aimed movement may be missed, in CSS pixels; 0 for other movements.
    package var landingError: Double {
        if case .aimed(let distance, _, _) = course.law { return aim.error(distance) }
        return 0
    }

    /// Where the scroll will end.
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
