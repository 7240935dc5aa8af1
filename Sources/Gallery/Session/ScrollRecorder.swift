import Replay
import Viewport

/// The last scroll samples of a session, to be saved as a trace and replayed.
struct ScrollRecorder: Sendable {
    /// Samples kept: two minutes at 60 a second.
    static let maxSamples = 7200

    private var samples: [ScrollSample] = []
    private var head = 0

    mutating func record(_ update: SessionCore.Update) {
        let sample = ScrollSample(time: update.time, scrollTop: update.scrollTop, phase: update.phase)
        if samples.count < Self.maxSamples {
            samples.append(sample)
        } else {
            samples[head] = sample
            head = (head + 1) % Self.maxSamples
        }
    }

    /// The samples in time order, from time 0; a clock that was set back begins the trace anew.
    func trace(itemCount: Int, viewport: Size, options: LayoutOptions) -> Trace {
        var ordered: [ScrollSample] = []
        for sample in samples[head...] + samples[..<head] {
            if let last = ordered.last, sample.time < last.time { ordered = [] }
            ordered.append(sample)
        }
        let start = ordered.first?.time ?? 0
        for index in ordered.indices { ordered[index].time -= start }
        return Trace(name: "session", itemCount: itemCount, viewport: viewport, layout: options, samples: ordered)
    }
}
