#if canImport(Glibc)
    import Glibc
#else
    import Foundation
#endif

/// One movement of the content: how far it has come, in CSS pixels, so many milliseconds after it began.
struct Fling {
    /// Milliseconds until it has come to rest.
    var duration: Double
    var distance: (_ time: Double) -> Double

    /// `UIScrollView`, normal deceleration: the speed falls by 0.998 a millisecond (WWDC 2018, session 803), until 20
    /// pixels a second, where it stops. `speed` in pixels a second.
    static func apple(_ speed: Double) -> Fling {
        let rate = 0.998
        let duration = log(20 / max(speed, 21)) / log(rate)
        return Fling(duration: duration) { time in speed / 1e3 * (pow(rate, time) - 1) / log(rate) }
    }

    /// Android's `OverScroller`: a spline close to 1 - (1 - t/T)^k, k = ln 0.78 / ln 0.9, with T from the speed by its
    /// friction 0.015 on a screen of 132 dots an inch.
    static func android(_ speed: Double) -> Fling {
        let k = log(0.78) / log(0.9)
        let friction = 0.015 * 9.80665 * 39.37 * 132 * 0.84
        let duration = 1e3 * exp(log(0.35 * max(speed, 1) / friction) / (k - 1))
        return Fling(duration: duration) { time in
            speed / 1e3 * duration / k * (1 - pow(max(0, 1 - time / duration), k))
        }
    }

    /// A wheel turned by `count` notches, `gap` milliseconds apart, each eased out as browsers do: a factor 0.78 of
    /// what is left each frame.
    static func wheel(notch: Double, count: Double, gap: Double) -> Fling {
        let rate = log(0.78) * 60 / 1e3
        return Fling(duration: (count - 1) * gap + 500) { time in
            var distance = 0.0
            var start = 0.0
            for _ in 0..<Int(count) where time > start {
                distance += notch * (1 - exp(rate * (time - start)))
                start += gap
            }
            return distance
        }
    }

    /// From rest to rest: smoothstep, as a hand moves a thumb to a place it has in mind.
    static func reach(_ distance: Double, in duration: Double) -> Fling {
        Fling(duration: duration) { time in
            let x = min(1, time / duration)
            return distance * x * x * (3 - 2 * x)
        }
    }
}
