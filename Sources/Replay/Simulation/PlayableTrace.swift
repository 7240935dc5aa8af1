import Viewport

/// A trace prepared for replay: time from 0, positions within the content, visible cells for each frame.
package struct PlayableTrace {
    /// Below this speed, in CSS pixels a second, a person can make out pictures. `slowBlankShare` counts only this time.
    package static let slowSpeed = 1_500.0

    package struct Frame {
        /// Milliseconds since the start of the trace.
        package var time: Double
        package var sample: ScrollSample
        /// Whether the scroll position differs from the frame before.
        package var hasMoved: Bool
        /// Scroll speed until the next frame, in CSS pixels a second. 0 for the last frame.
        package var speed = 0.0
        /// The items that overlap the viewport.
        package var visible: [Int]
        /// Index into `kinds` of the scrolling from here to the next frame, or `nil` if the trace does not say.
        package var kind: Int?
    }

    package let trace: Trace
    package let layout: any Layout
    package let frames: [Frame]
    /// The kinds of scrolling that the trace names, in the order of their first span in the file.
    package let kinds: [String]
    /// When the last sample was taken.
    package let end: Double

    /// - Parameter layout: the layout of the samples. By default all items are in one section and have the same aspect ratio.
    package init(_ trace: Trace, layout: (any Layout)? = nil) {
        let layout =
            layout
            ?? makeLayout(
                trace.layout, width: trace.viewport.width, sections: [0..<trace.itemCount], aspectRatios: nil)
        let furthest = max(0, layout.contentHeight - trace.viewport.height)
        let start = trace.samples.first?.time ?? 0
        var frames: [Frame] = []
        frames.reserveCapacity(trace.samples.count)
        var visible: [Int] = []
        let kinds = Self.kinds(of: trace)
        // If spans overlap, the span that began last counts.
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

    package static func kinds(of trace: Trace) -> [String] {
        var kinds: [String] = []
        for span in trace.kinds where !kinds.contains(span.kind) { kinds.append(span.kind) }
        return kinds
    }

    private static func speed(_ distance: Double, in time: Double) -> Double {
        time > 0 ? abs(distance) / time * 1e3 : .infinity
    }
}
