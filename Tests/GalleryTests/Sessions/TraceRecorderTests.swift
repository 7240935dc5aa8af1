import Gallery
import Replay
import Testing
import Viewport

@Suite struct TraceRecorderTests {
    private let size = Size(width: 800, height: 600)

    private func read(_ recorder: TraceRecorder, _ layout: LayoutOptions) throws -> Trace {
        try Trace(recorder.trace(itemCount: 9, viewport: size, layout: layout).bytes, name: "x")
    }

    @Test("a recorder keeps the latest samples, restarts time at zero and drops invalid samples")
    func latest() throws {
        var recorder = TraceRecorder(capacity: 100)
        for i in 0..<5_000 {
            recorder.append(ScrollSample(time: Double(i) * 10, scrollTop: Double(i), phase: .wheel))
            recorder.append(ScrollSample(time: .nan, scrollTop: 0))
            recorder.append(ScrollSample(time: Double(i) * 10 - 1, scrollTop: 0))
        }
        let trace = try read(recorder, .standard)
        #expect(trace.samples.count == 100)
        #expect(trace.samples.first == ScrollSample(time: 0, scrollTop: 4_900, phase: .wheel))
        #expect(trace.duration == 990)
        #expect(trace.itemCount == 9 && trace.viewport == size)
    }

    @Test("a recorded trace replays with the same layout, phases and hints")
    func roundTrip() throws {
        var recorder = TraceRecorder(capacity: 100)
        var samples = ScrollPhase.allCases.enumerated().map {
            ScrollSample(time: Double($0.offset), scrollTop: 12.5, phase: $0.element)
        }
        for (index, kind) in Hint.Kind.allCases.enumerated() {
            let hint =
                index.isMultiple(of: 2)
                ? Hint(kind: kind, item: 7, confidence: 0.25) : Hint(kind: kind, scrollTop: 99.5, confidence: 1)
            samples.append(ScrollSample(time: 100 + Double(index), scrollTop: 3, hint: hint))
        }
        for sample in samples { recorder.append(sample) }
        var justified = LayoutOptions(kind: .justified(rowHeight: 220), lineSpacing: 4, interitemSpacing: 3)
        justified.sectionInset = EdgeInsets(top: 1, left: 2, bottom: 3, right: 4)
        justified.headerHeight = 40
        justified.smallSectionLimit = 6
        for layout in [justified, .standard, LayoutOptions(kind: .masonry(columnWidth: 150))] {
            let trace = try read(recorder, layout)
            #expect(trace.samples == samples)
            #expect(trace.layout == layout)
        }
    }
}
