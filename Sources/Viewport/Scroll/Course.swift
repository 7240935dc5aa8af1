#if canImport(Glibc)
    import Glibc
#else
    import Foundation
#endif

/// Predicted course of a scroll: how far the content will still travel, and when it will have travelled each distance.
///
/// Distances are in CSS pixels along `direction`, speeds in CSS pixels a second, times in milliseconds from now.
package struct Course: Sendable {
    /// How the speed falls.
    package enum Law: Sendable, Hashable {
        /// The content does not move.
        case rest
        /// The speed stays the same until the movement ends, in about `lasting` milliseconds.
        case steady(lasting: Double)
        /// The speed falls by the same share each second, `rate`: `x(t) = v / rate (1 - e^(-rate t))`. On iOS the rate is 2.0,
        /// that is 0.998 a millisecond (WWDC 2018, session 803). For the smooth steps of a mouse wheel it is about 15.
        case exponential(rate: Double)
        /// The speed reaches zero after `lasting` milliseconds, as in Android's `OverScroller`:
        /// `x(t) = v T / k (1 - (1 - t / T)^k)`, with `k = ln 0.78 / ln 0.9 = 2.358`.
        case spline(lasting: Double)
        /// The rest of an aimed movement, which ends smoothly after `lasting` milliseconds: the remaining distance falls with
        /// the power `order` of the remaining time. See `AimFit`.
        case aimed(distance: Double, lasting: Double, order: Double)
    }

    /// ln 0.78 / ln 0.9, from Android.
    package static let splineExponent = 2.3582

    package var law: Law
    /// 1 downwards, -1 upwards.
    package var direction: Double
    package var speed: Double
    /// Maximum distance still to travel, because the content may end earlier.
    package var limit = Double.infinity

    package static let rest = Course(law: .rest, direction: 1, speed: 0)

    /// Distance still to travel.
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

    /// Returns the distance travelled after `time` milliseconds. A steady movement is assumed to last that long.
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

    /// Returns when the content will have travelled `x`. Infinite if it never will, 0 if `x` is behind.
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

    /// Returns when the speed will have fallen to `slow`. 0 if it has. For a steady movement this is its end.
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

    /// Returns the distance that will be travelled no faster than `slow`.
    package func distance(slowerThan slow: Double) -> Double {
        guard speed > slow else { return distance }
        switch law {
        case .rest, .steady: return 0
        case .exponential(let rate): return min(distance, slow / rate)
        case .spline: return distance * pow(slow / speed, Self.splineExponent / (Self.splineExponent - 1))
        case .aimed(_, _, let order): return distance * pow(slow / speed, order / (order - 1))
        }
    }

    /// Whether the movement may end at any moment.
    package var isUncertain: Bool {
        if case .steady = law { return true }
        return false
    }

    /// Returns the probability that the scroll still goes on as predicted after `time` milliseconds: 0 ... 1. A finger can
    /// leave or turn at any moment, whatever it did before, so the time for which it holds on is exponentially distributed. A
    /// released fling runs on.
    package func chance(at time: Double) -> Double {
        guard time > 0, case .steady(let lasting) = law else { return 1 }
        return exp(-time / max(1, lasting))
    }

    /// Time until the content practically rests: slower than 30 CSS pixels a second.
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
