#if canImport(Glibc)
    import Glibc
#else
    import Foundation
#endif

/// How a scroll is expected to go on: how far it will still travel, and when it will have travelled so far.
///
/// Distances and speeds are along `direction`, in CSS pixels and CSS pixels a second; times are milliseconds from now.
package struct Course: Sendable {
    /// How the speed falls.
    package enum Law: Sendable, Hashable {
        /// The content rests.
        case rest
        /// The speed stays the same for as long as the finger does: about `lasting` milliseconds more.
        case steady(lasting: Double)
        /// The speed falls by the same share each second, `rate`: x(t) = v / rate (1 - e^(-rate t)). iOS: 2.0, that is
        /// 0.998 a millisecond (WWDC 2018, session 803); a mouse wheel's smooth steps about 15.
        case exponential(rate: Double)
        /// The speed reaches zero after `lasting` milliseconds: x(t) = v T / k (1 - (1 - t / T)^k), with k = ln 0.78 /
        /// ln 0.9 = 2.358, as Android's `OverScroller` does.
        case spline(lasting: Double)
        /// The rest of an aimed movement, which ends smoothly after `lasting` milliseconds: what is left falls with the
        /// power `order` of the time left. See `AimFit`.
        case aimed(distance: Double, lasting: Double, order: Double)
    }

    /// Android's ln 0.78 / ln 0.9.
    package static let splineExponent = 2.3582

    package var law: Law
    /// 1 downwards, -1 upwards.
    package var direction: Double
    package var speed: Double
    /// How far it will still travel at most: the content may end before.
    package var limit = Double.infinity

    package static let rest = Course(law: .rest, direction: 1, speed: 0)

    /// How far it will still travel.
    package var distance: Double {
        let free: Double =
            switch law {
            case .rest: 0
            case .steady(let lasting): speed * lasting / 1000
            case .exponential(let rate): speed / rate
            case .spline(let lasting): speed * lasting / 1000 / Self.splineExponent
            case .aimed(let distance, _, _): distance
            }
        return min(free, limit)
    }

    /// How far it will have travelled after `time` milliseconds, if it goes on so long.
    package func distance(after time: Double) -> Double {
        guard time > 0 else { return 0 }
        let free: Double =
            switch law {
            case .rest: 0
            case .steady: speed * time / 1000
            case .exponential(let rate): speed / rate * (1 - exp(-rate * time / 1000))
            case .spline(let lasting):
                distance * (1 - pow(max(0, 1 - time / max(1, lasting)), Self.splineExponent))
            case .aimed(let distance, let lasting, let order):
                distance * (1 - pow(max(0, 1 - time / max(1, lasting)), order))
            }
        return min(free, limit)
    }

    /// When it will have travelled `x`; infinite when it never will, 0 for what lies behind.
    package func time(toTravel x: Double) -> Double {
        guard x > 0 else { return 0 }
        guard x < distance, speed > 0 else { return .infinity }
        switch law {
        case .rest: return .infinity
        case .steady: return x / speed * 1000
        case .exponential(let rate): return -log(1 - x * rate / speed) / rate * 1000
        case .spline(let lasting):
            let share = x * Self.splineExponent * 1000 / (speed * lasting)
            return lasting * (1 - pow(max(0, 1 - share), 1 / Self.splineExponent))
        case .aimed(let whole, let lasting, let order): return lasting * (1 - pow(max(0, 1 - x / whole), 1 / order))
        }
    }

    /// When its speed will have fallen to `slow`; infinite when it ends before by the content's end or a lifted finger.
    package func time(toSlowTo slow: Double) -> Double {
        guard speed > slow else { return 0 }
        switch law {
        case .rest: return 0
        case .steady(let lasting): return lasting
        case .exponential(let rate): return log(speed / slow) / rate * 1000
        case .spline(let lasting): return lasting * (1 - pow(slow / speed, 1 / (Self.splineExponent - 1)))
        case .aimed(_, let lasting, let order): return lasting * (1 - pow(slow / speed, 1 / (order - 1)))
        }
    }

    /// How much of the distance it will travel no faster than `slow`.
    package func distance(slowerThan slow: Double) -> Double {
        guard speed > slow else { return distance }
        switch law {
        case .rest, .steady: return 0
        case .exponential(let rate): return min(distance, slow / rate)
        case .spline: return distance * pow(slow / speed, Self.splineExponent / (Self.splineExponent - 1))
        case .aimed(_, _, let order): return distance * pow(slow / speed, order / (order - 1))
        }
    }

    /// Whether it may end at any moment.
    package var isUncertain: Bool {
        if case .steady = law { return true }
        return false
    }

    /// How likely the scroll goes on as foreseen for so long, in milliseconds: 0 ... 1. A finger can leave or turn at
    /// any moment, whatever it did before, which makes its holding on exponentially distributed; a fling that nobody
    /// holds runs on.
    package func chance(at time: Double) -> Double {
        guard time > 0, case .steady(let lasting) = law else { return 1 }
        return exp(-time / max(1, lasting))
    }

    /// When it will be as good as at rest: slower than 30 CSS pixels a second.
    package var duration: Double {
        let free: Double =
            switch law {
            case .rest: 0
            case .steady(let lasting), .spline(let lasting), .aimed(_, let lasting, _): lasting
            case .exponential(let rate): log(max(1, speed / 30)) / rate * 1000
            }
        return limit < .infinity ? min(free, time(toTravel: limit * 0.999)) : free
    }
}
