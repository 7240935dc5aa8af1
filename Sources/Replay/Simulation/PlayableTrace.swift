import Trace
import Viewport

/// A trace made ready to be played: time from 0, positions within the content, cells per frame.
package struct PlayableTrace {
    /// Under this speed, in CSS pixels a second, a person can make out pictures: what `slowBlankShare` counts.
    static let slowSpeed = 1_500.0

    struct Frame {
        /// Milliseconds.
        var time: Double
        var sample: ScrollSample
        /// Whether the content stands elsewhere than in the frame before.
        var hasMoved: Bool
        /// How fast the content is on its way to the next frame, in CSS pixels a second; 0 for the last.
        var speed = 0.0
        /// The items that overlap the viewport.
        var visible: [Int]
        /// Index into `kinds` of what goes on from here to the next frame; nil where the trace does not say.
        var kind: Int?
    }

    let trace: Trace
    let layout: any Layout
    let frames: [Frame]
    /// The kinds of scrolling that the trace names, in the order in which they first come.
    let kinds: [String]
    /// When the last sample was taken.
    let end: Double

    package init(_ trace: Trace) {
        let layout = makeLayout(
            trace.layout, width: trace.viewport.width, sections: [0..<trace.itemCount], aspectRatios: nil)
        let furthest = max(0, layout.contentHeight - trace.viewport.height)
        let start = trace.samples.first?.time ?? 0
        var frames: [Frame] = []
        frames.reserveCapacity(trace.samples.count)
        var visible: [Int] = []
        let kinds = Self.kinds(of: trace)
        // The span that began last counts.
        let spans = trace.kinds.sorted { ($0.from, $0.to, $0.kind) < ($1.from, $1.to, $1.kind) }
        var begun = 0
        for sample in trace.samples {
            let time = sample.time - start
            let top = min(max(sample.scrollTop, 0), furthest)
            let last = frames.last
            let hasMoved = last.map { $0.sample.scrollTop != top } ?? false
            if let last, hasMoved {
                frames[frames.count - 1].speed = Self.speed(top - last.sample.scrollTop, in: time - last.time)
            }
            if last == nil || hasMoved {
                let bottom = top + trace.viewport.height
                visible = layout.items(in: top..<bottom).filter {
                    let frame = layout.frame(of: $0)
                    return frame.y < bottom && frame.maxY > top
                }
            }
            while begun < spans.count, spans[begun].from <= sample.time { begun += 1 }
            let span = begun > 0 ? spans[begun - 1] : nil
            let kind = span.flatMap { sample.time < $0.to ? kinds.firstIndex(of: $0.kind) : nil }
            frames.append(
                Frame(
                    time: time,
                    sample: ScrollSample(time: time, scrollTop: top, phase: sample.phase, hint: sample.hint),
                    hasMoved: hasMoved, visible: visible, kind: kind))
        }
        self.trace = trace
        self.layout = layout
        self.frames = frames
        self.kinds = kinds
        end = frames.last?.time ?? 0
    }

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

    static func kinds(of trace: Trace) -> [String] {
        var kinds: [String] = []
        for span in trace.kinds where !kinds.contains(span.kind) { kinds.append(span.kind) }
        return kinds
    }

    private static func speed(_ distance: Double, in time: Double) -> Double {
        time > 0 ? abs(distance) / time * 1e3 : .infinity
    }
}
