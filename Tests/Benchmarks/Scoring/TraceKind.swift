import JSON
import Numbers
import Replay
import Viewport

#if canImport(Glibc)
    import Glibc
#else
    import Foundation
#endif

/// The ways of scrolling that policies are scored on.
public enum TraceKind: String, Sendable, CaseIterable {
    /// Flings downwards on iOS, one after another, each coming to rest.
    case fling
    /// Flings on Android, some upwards.
    case fling2
    /// A finger that moves steadily, up and down, looking.
    case skim
    /// A mouse wheel, a few notches at a time.
    case read
    /// The thumb of the scrollbar, far away at once.
    case drag
    /// The same with a mouse, as browsers do it: by whole pixels of the track, with holds on the way, and a correction after
    /// it has come near.
    case thumb
    /// Hard flings, caught before they come to rest.
    case hunt
    /// Page keys, and now and then the end of the list.
    case page
    /// A finger to and fro over one place.
    case wobble
    /// A mouse wheel turned at an even pace for several seconds, in notches or finer.
    case scan
    /// A mouse wheel in long, quick turns, one after another.
    case burst
    /// Two fingers on a touchpad, whose momentum comes as wheel events too.
    case pad
    /// Arrow and page keys held down: one step, a wait, and then repeats.
    case key
    /// The middle button's scrolling at a constant pace; the page takes it for a wheel.
    case auto
    /// A label of the scrubber or a search hit: elsewhere at once, then a few notches.
    case jump
    /// A few seconds of each of the others, one after the other, in an order of the seed's: what people do.
    case mixed

    /// All but `mixed`.
    public static var single: [TraceKind] { allCases.filter { $0 != .mixed } }

    /// A trace of this kind: 60 samples a second, a grid of `itemCount` cells of 200 x 180 in a viewport of 1200 x 900.
    ///
    /// - Parameters:
    ///   - seed: The same seed gives the same trace.
    ///   - seconds: About how long; it ends with the rest after a movement. Default 20, or of `mixed`
    ///     until every kind has had its turn, some 75; 1 to 3,600.
    ///   - itemCount: Default 200,000, at least 1,000.
    public func trace(seed: UInt64, seconds: Double? = nil, itemCount: Int = 200_000) -> Trace {
        let itemCount = min(max(itemCount, 1_000), 100_000_000)
        let layout = LayoutOptions(kind: .grid(itemWidth: 200, itemHeight: 180))
        let viewport = Size(width: 1_200, height: 900)
        let rows = (itemCount + 5) / 6
        let furthest = Double(rows) * 180 - viewport.height
        var random = SeededRandom(seed: seed)
        var scroll = ScriptedScroll(at: (random.uniform(0.2...0.8) * furthest * 10).rounded() / 10, furthest: furthest)
        scroll.rest(1_000)
        let end = (seconds ?? 20).clamped(to: 1...3_600, or: 20) * 1_000
        var spans: [Trace.Span] = []
        if self == .mixed {
            let order = Self.single.shuffled(using: &random)
            while seconds == nil ? spans.count < order.count : scroll.time < end {
                let kind = order[spans.count % order.count]
                let start = scroll.time
                let enough = min(seconds == nil ? .infinity : end, start + random.uniform(3_000...5_000))
                while scroll.time < enough { kind.move(&scroll, &random) }
                spans.append(
                    Trace.Span(from: start.rounded(to: 1), to: scroll.time.rounded(to: 1), kind: kind.rawValue))
            }
        } else {
            while scroll.time < end { move(&scroll, &random) }
        }
        return Trace(
            name: "\(rawValue)-\(seed)", itemCount: itemCount, viewport: viewport, layout: layout,
            samples: scroll.samples, kinds: spans)
    }
}
