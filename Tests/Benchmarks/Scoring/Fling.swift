import Numbers

#if canImport(Glibc)
    import Glibc
#else
    import Foundation
#endif

/// One movement of the content: how far it has come, in CSS pixels, so many milliseconds after it began.
package struct Fling {
    /// Milliseconds until it has come to rest.
    package var duration: Double
    package var distance: (_ time: Double) -> Double

    /// `UIScrollView`, normal deceleration: the speed falls by 0.998 a millisecond (WWDC 2018, session 803), until 20
    /// pixels a second, where it stops. `speed` in pixels a second.
    package static func apple(_ speed: Double) -> Fling {
        let rate = 0.998
        let duration = log(20 / max(speed, 21)) / log(rate)
        return Fling(duration: duration) { time in speed / 1e3 * (pow(rate, time) - 1) / log(rate) }
    }

    /// Android's `OverScroller`: a spline close to 1 - (1 - t/T)^k, k = ln 0.78 / ln 0.9, with T from the speed by its
    /// friction 0.015 on a screen of 132 dots an inch.
    package static func android(_ speed: Double) -> Fling {
        let k = log(0.78) / log(0.9)
        let friction = 0.015 * 9.80665 * 39.37 * 132 * 0.84
        let duration = 1e3 * exp(log(0.35 * max(speed, 1) / friction) / (k - 1))
        return Fling(duration: duration) { time in
            speed / 1e3 * duration / k * (1 - pow(max(0, 1 - time / duration), k))
        }
    }

    /// A wheel turned by `count` notches, `gap` milliseconds apart.
    package static func wheel(notch: Double, count: Double, gap: Double) -> Fling {
        var starts: [Double] = []
        var start = 0.0
        for _ in 0..<Int(clamping: count) {
            starts.append(start)
            start += gap
        }
        return steps(notch, at: starts, duration: (count - 1) * gap + 500)
    }

    /// Steps of the same length, one at each of these times, each eased out as browsers do: a factor 0.78 of what is
    /// left each frame.
    package static func steps(_ step: Double, at starts: [Double], duration: Double? = nil) -> Fling {
        let rate = log(0.78) * 60 / 1e3
        return Fling(duration: duration ?? (starts.last ?? 0) + 500) { time in
            var distance = 0.0
            for start in starts {
                guard time > start else { break }
                distance += step * (1 - exp(rate * (time - start)))
            }
            return distance
        }
    }

    /// Two fingers on a touchpad for `touch` milliseconds, sped up evenly to `speed` pixels a second, and then the
    /// momentum that the system adds: the speed falls by e^(-rate) a second until it is under 15 pixels a second.
    package static func pad(_ speed: Double, touch: Double, rate: Double) -> Fling {
        let pace = speed / 1e3
        return Fling(duration: touch + log(max(speed, 16) / 15) / rate * 1e3) { time in
            guard time > touch else { return pace * time * time / (2 * touch) }
            return pace * touch / 2 + pace * 1e3 / rate * (1 - exp(-rate / 1e3 * (time - touch)))
        }
    }

    /// A pace held for so long, which sways evenly by a share of itself: the integral of speed (1 + sway sin).
    package static func steady(_ speed: Double, sway: Double, period: Double, turn: Double, lasting duration: Double)
        -> Fling
    {
        Fling(duration: duration) { time in
            speed / 1e3 * (time + sway * period / 6.283 * (cos(turn) - cos(turn + 6.283 * time / period)))
        }
    }

    /// The same by whole steps of so many CSS pixels; distances were in steps.
    package func stepping(by step: Double) -> Fling {
        Fling(duration: duration) { [distance] time in distance(time).rounded() * step }
    }

    /// From rest to rest: smoothstep, as a hand moves a thumb to a place it has in mind.
    package static func reach(_ distance: Double, in duration: Double) -> Fling {
        Fling(duration: duration) { time in
            let x = min(1, time / duration)
            return distance * x * x * (3 - 2 * x)
        }
    }
}
