import JSON
import Viewport

/// A viewport update that a client posted.
package struct ViewportUpdate: Sendable, Equatable {
    var seq: Int
    /// Time of the page's clock, in milliseconds.
    var time: Double
    var scrollTop: Double
    var viewport: Size?
    var phase: ScrollPhase?
    /// Position to which the person may scroll next.
    var hint: Hint?
    /// Visible items whose pictures the page no longer holds.
    var missing: [Int] = []

    package init(
        seq: Int, time: Double, scrollTop: Double, viewport: Size? = nil, phase: ScrollPhase? = nil,
        hint: Hint? = nil, missing: [Int] = []
    ) {
        self.seq = seq
        self.time = time
        self.scrollTop = scrollTop
        self.viewport = viewport
        self.phase = phase
        self.hint = hint
        self.missing = missing
    }

    var sample: ScrollSample { ScrollSample(time: time, scrollTop: scrollTop, phase: phase, hint: hint) }
}

extension ViewportUpdate {
    /// Allowed heights and widths of a viewport, in CSS pixels.
    package static let viewportLengths = 1.0...100_000.0
    /// Allowed times of a client's clock, in milliseconds. The range contains `Date.now()` until the year 2286.
    package static let times = -1e13...1e13
    /// Maximum length of a `missing` list: more items than any screen shows.
    package static let maxMissing = 5000
}

/// A viewport update as posted: its size may have only a width or a height.
package struct PostedViewport: Sendable {
    /// The update, without its viewport.
    var update: ViewportUpdate
    var size: SizeChange
}

package enum PostedResponse: Sendable {
    case plan([UInt8])
    /// The update has to wait for a layout.
    case waits(ViewportUpdate)
}

extension PostedViewport {
    /// `{"seq","time","scrollTop","width"?,"height"?,"phase"?,"hint"?,"missing"?}`
    package init(_ reader: FieldReader, itemCount: Int) throws(Problem) {
        update = ViewportUpdate(
            seq: try reader.required("seq", try reader.integer("seq", in: 0...(1 << 53))),
            time: try reader.required("time", try reader.number("time", in: ViewportUpdate.times)),
            scrollTop: try reader.required("scrollTop", try reader.number("scrollTop")))
        size = try SizeChange(reader)
        update.phase = try reader.choice("phase", ScrollPhase.self)
        update.hint = try reader.object("hint").map { reader throws(Problem) in
            try Hint(reader, itemCount: itemCount)
        }
        update.missing =
            try reader.integers("missing", in: 0..<itemCount, maxCount: ViewportUpdate.maxMissing) ?? []
    }
}

/// A change of a viewport's size, in CSS pixels. `nil` leaves a length unchanged.
package struct SizeChange: Sendable {
    var width: Double?
    var height: Double?

    /// Returns the changed size, or `nil` if the client gave neither length.
    func applied(to size: Size) -> Size? {
        guard width != nil || height != nil else { return nil }
        return Size(width: width ?? size.width, height: height ?? size.height)
    }
}

extension SizeChange {
    /// Allowed device pixels per CSS pixel.
    package static let pixelRatios = 0.25...8.0

    /// `{"width"?,"height"?}`
    package init(_ reader: FieldReader) throws(Problem) {
        width = try reader.number("width", in: ViewportUpdate.viewportLengths)
        height = try reader.number("height", in: ViewportUpdate.viewportLengths)
    }
}

extension Hint {
    /// `{"kind","scrollTop"?,"item"?,"confidence"?}`, with at least one of `scrollTop` and `item`.
    fileprivate init(_ reader: FieldReader, itemCount: Int) throws(Problem) {
        let kind = try reader.required("kind", try reader.choice("kind", Kind.self))
        let scrollTop = try reader.number("scrollTop")
        let item = try reader.integer("item", in: 0...max(0, itemCount - 1))
        if scrollTop == nil, item == nil {
            throw Problem(422, "Give the hint a scrollTop or an item.", field: reader.path("scrollTop"))
        }
        self.init(
            kind: kind, scrollTop: scrollTop, item: item,
            confidence: try reader.number("confidence", in: 0...1) ?? Self.standardConfidence)
    }
}

extension Range<Int> {
    package func write(to writer: inout JSONWriter) {
        writer.object {
            $0.member("from", lowerBound)
            $0.member("to", upperBound)
        }
    }
}

extension Plan {
    func document(seq: Int) -> [UInt8] {
        var writer = JSONWriter(capacity: 1024)
        write(seq: seq, to: &writer)
        return writer.bytes
    }

    /// `{"seq","visible","prefetch","cancel","ready","velocity","landing","contentHeight","scrollTop"}`
    package func write(seq: Int, to writer: inout JSONWriter) {
        writer.object {
            $0.member("seq", seq)
            $0.member("scrollTop", scrollTop)
            $0.member("visible") { visible.write(to: &$0) }
            $0.member("prefetch") { $0.array { for item in prefetch { $0.value(item) } } }
            $0.member("cancel") { $0.array { for item in cancel { $0.value(item) } } }
            $0.member("ready", ready)
            $0.member("velocity", velocity)
            $0.member("landing") {
                $0.object {
                    $0.member("scrollTop", landing.scrollTop)
                    $0.member("confidence", landing.confidence)
                }
            }
            $0.member("contentHeight", contentHeight)
        }
    }
}
