import Viewport

/// A trace made ready to be played: time from 0, positions within the content, cells per frame.
struct Course {
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
    }

    let trace: Trace
    let layout: any Layout
    let frames: [Frame]
    /// When the last sample was taken.
    let end: Double

    init(_ trace: Trace) {
        let layout = makeLayout(
            trace.layout, width: trace.viewport.width, sections: [0..<trace.itemCount], aspectRatios: nil)
        let furthest = max(0, layout.contentHeight - trace.viewport.height)
        let start = trace.samples.first?.time ?? 0
        var frames: [Frame] = []
        frames.reserveCapacity(trace.samples.count)
        var visible: [Int] = []
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
            frames.append(
                Frame(
                    time: time, sample: ScrollSample(time: time, scrollTop: top, phase: sample.phase),
                    hasMoved: hasMoved, visible: visible))
        }
        self.trace = trace
        self.layout = layout
        self.frames = frames
        end = frames.last?.time ?? 0
    }

    private static func speed(_ distance: Double, in time: Double) -> Double {
        time > 0 ? abs(distance) / time * 1e3 : .infinity
    }
}
