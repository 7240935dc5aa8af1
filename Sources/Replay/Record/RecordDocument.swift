import JSON
import Viewport

/// A record as JSON, version 1: the scroll as in a trace, and what became of each wanted picture.
///
/// Times are in milliseconds since `start`, which is a time of the samples' clock. Positions are in CSS pixels of the layout in force.
package struct RecordDocument: Sendable {
    private let record: ScrollRecord
    private let trace: Trace
    private let layout: any Layout
    private let player: Replay.Player
    private let prefetching: Bool
    private let held: [Int]

    /// - Parameters:
    ///   - options: options of the model's layout.
    ///   - held: items whose pictures the page has now.
    package init(_ record: ScrollRecord, _ model: ViewportModel, _ options: LayoutOptions, held: [Int]) {
        let trace = Trace(
            name: "", itemCount: model.layout.itemCount, viewport: model.viewport, layout: options,
            samples: record.samplesSinceStart)
        let arrived = Set(record.pictures.lazy.filter { $0.outcome == .arrived }.map(\.item))
        self.init(
            record, trace, model.layout, .policy(model.policy), prefetching: model.prefetching,
            held: held.filter { !arrived.contains($0) }.sorted())
    }

    /// - Parameters:
    ///   - trace: the scroll since the record's start.
    ///   - held: items whose pictures the page had before, in order.
    init(
        _ record: ScrollRecord, _ trace: Trace, _ layout: any Layout, _ player: Replay.Player, prefetching: Bool = true,
        held: [Int] = []
    ) {
        self.record = record
        self.trace = trace
        self.layout = layout
        self.player = player
        self.prefetching = prefetching
        self.held = held
    }

    /// Returns the record of the same scroll with another policy and network, from the same pictures on the page. Takes a tenth of a
    /// second or more. Returns `nil` if nothing has scrolled.
    package func simulated(_ player: Replay.Player, _ origin: Origin) -> RecordDocument? {
        guard let first = trace.samples.first, let last = trace.samples.last else { return nil }
        var trace = trace
        if first.time > record.start {
            trace.samples.insert(ScrollSample(time: record.start, scrollTop: first.scrollTop, phase: .idle), at: 0)
        }
        let end = max(last.time, record.time)
        trace.samples.append(ScrollSample(time: end, scrollTop: last.scrollTop, phase: last.phase))
        let playable = PlayableTrace(trace, layout: layout)
        let played = Replay.play(playable, player, origin, held: held, record: ScrollRecord())
        return played.record.map { RecordDocument($0, trace, layout, player, held: held) }
    }

    package var bytes: [UInt8] {
        let start = record.start
        var writer = JSONWriter(capacity: 64 * (trace.samples.count + 2 * record.pictures.count))
        writer.object {
            trace.writeHeader(to: &$0)
            $0.member("policy", player.description)
            $0.member("prefetching", prefetching)
            $0.member("start", start)
            $0.member("end", (record.time - start).rounded(to: 1))
            $0.member("samples") { $0.array { for sample in trace.samples { sample.write(to: &$0, since: start) } } }
            $0.member("exposure") {
                $0.array { for moment in record.moments(since: start) { moment.write(to: &$0, since: start) } }
            }
            $0.member("stops") {
                $0.array { for stop in record.stops where stop.time >= start { stop.write(to: &$0, since: start) } }
            }
            $0.member("held") { writer in
                writer.array {
                    for range in Self.ranges(of: held) {
                        $0.array {
                            $0.value(range.lowerBound)
                            $0.value(range.upperBound)
                        }
                    }
                }
            }
            $0.member("pictures") {
                $0.array {
                    for picture in record.pictures where picture.wanted >= start {
                        picture.write(to: &$0, layout.frame(of: picture.item), since: start)
                    }
                }
            }
        }
        return writer.bytes
    }

    /// Returns the changes of a record as `{"start","end","stops":[…],"pictures":[…]}`. Omits pictures and stops from before the start.
    package static func changes(
        _ changes: (pictures: [Int], stops: Range<Int>), of record: ScrollRecord, in layout: any Layout
    ) -> [UInt8] {
        let start = record.start
        var writer = JSONWriter(capacity: 256 * (changes.pictures.count + 1))
        writer.object {
            $0.member("start", start)
            $0.member("end", (record.time - start).rounded(to: 1))
            $0.member("stops") {
                let stops = record.stops[changes.stops]
                $0.array { for stop in stops where stop.time >= start { stop.write(to: &$0, since: start) } }
            }
            $0.member("pictures") {
                $0.array {
                    for picture in changes.pictures.lazy.map({ record.pictures[$0] }) where picture.wanted >= start {
                        picture.write(to: &$0, layout.frame(of: picture.item), since: start)
                    }
                }
            }
        }
        return writer.bytes
    }

    /// Returns the runs of consecutive numbers in a sorted list.
    private static func ranges(of items: [Int]) -> [ClosedRange<Int>] {
        var ranges: [ClosedRange<Int>] = []
        for item in items {
            if let last = ranges.last, item == last.upperBound + 1 {
                ranges[ranges.count - 1] = last.lowerBound...item
            } else {
                ranges.append(item...item)
            }
        }
        return ranges
    }
}

extension ScrollRecord.Moment {
    fileprivate func write(to writer: inout JSONWriter, since start: Double) {
        writer.object {
            $0.member("t", max(0, time - start).rounded(to: 1))
            $0.member("visible", visible)
            $0.member("blank", blank)
        }
    }
}

extension ScrollRecord.Stop {
    fileprivate func write(to writer: inout JSONWriter, since start: Double) {
        writer.object {
            $0.member("t", (time - start).rounded(to: 1))
            $0.member("y", landing.scrollTop.rounded(to: 1))
            $0.member("confidence", landing.confidence.rounded(to: 2))
        }
    }
}

extension ScrollRecord.Picture {
    fileprivate func write(to writer: inout JSONWriter, _ frame: Frame, since start: Double) {
        func member(_ name: String, _ time: Double?, _ writer: inout JSONWriter) {
            if let time { writer.member(name, (time - start).rounded(to: 1)) }
        }
        writer.object {
            $0.member("item", item)
            $0.member("top", frame.y.rounded(to: 1))
            $0.member("height", frame.height.rounded(to: 1))
            member("wanted", wanted, &$0)
            $0.member("reason", reason.rawValue)
            $0.member("neededIn", neededIn.rounded())
            $0.member("place", place)
            member("requested", requested, &$0)
            switch limit {
            case .host(let count)?:
                $0.member("waitedFor", "host")
                $0.member("limit", count)
            case .allHosts(let count)?:
                $0.member("waitedFor", "server")
                $0.member("limit", count)
            case .retry?: $0.member("waitedFor", "retry")
            case nil: break
            }
            switch outcome {
            case .pending: break
            case .arrived: member("arrived", ended, &$0)
            case .failed: member("failed", ended, &$0)
            case .cancelled(let cause):
                member("cancelled", ended, &$0)
                $0.member("cause", cause.rawValue)
            }
            member("seen", seen, &$0)
            if let bytes { $0.member("bytes", bytes) }
        }
    }
}
