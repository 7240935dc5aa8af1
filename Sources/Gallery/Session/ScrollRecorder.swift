import JSON
import Viewport

/// The last scroll samples of a session, to be saved as a trace and replayed.
struct ScrollRecorder: Sendable {
    /// Samples kept: two minutes at 60 a second.
    static let maxSamples = 7200

    private struct Sample: Sendable {
        var time: Double
        var scrollTop: Double
        var phase: ScrollPhase?
    }

    private var samples: [Sample] = []
    private var head = 0

    mutating func record(_ update: SessionCore.Update) {
        let sample = Sample(time: update.time, scrollTop: update.scrollTop, phase: update.phase)
        if samples.count < Self.maxSamples {
            samples.append(sample)
        } else {
            samples[head] = sample
            head = (head + 1) % Self.maxSamples
        }
    }

    /// The trace as NDJSON: one header line, then the samples in time order, from time 0.
    func trace(itemCount: Int, viewport: Size, options: LayoutOptions) -> [UInt8] {
        var text: [UInt8] = []
        var header = JSONWriter()
        header.object {
            $0.member("version", 1)
            $0.member("itemCount", itemCount)
            $0.member("viewport") {
                $0.object {
                    $0.member("width", viewport.width)
                    $0.member("height", viewport.height)
                }
            }
            $0.member("layout") { options.write(to: &$0) }
        }
        text += header.bytes
        text.append(0x0A)
        let ordered = samples[head...] + samples[..<head]
        let start = ordered.first?.time ?? 0
        for sample in ordered where sample.time >= start {
            var line = JSONWriter(capacity: 64)
            line.object {
                $0.member("t", ((sample.time - start) * 10).rounded() / 10)
                $0.member("y", (sample.scrollTop * 10).rounded() / 10)
                if let phase = sample.phase { $0.member("phase", phase.rawValue) }
            }
            text += line.bytes
            text.append(0x0A)
        }
        return text
    }
}
