import JSON
import Viewport

extension SessionCore.Update {
    /// Heights and widths of a viewport, in CSS pixels.
    static let viewportLengths = 1.0...100_000.0
    /// The largest `missing` list: more items than any screen shows.
    static let maxMissing = 5000

    /// `{"seq","time","scrollTop","width"?,"height"?,"phase"?,"hint"?,"missing"?}`
    ///
    /// - Parameter current: the viewport that stands where width or height is missing.
    init(_ reader: FieldReader, current: Size, itemCount: Int) throws(Problem) {
        seq = try reader.required("seq", try reader.integer("seq", in: 0...(1 << 53)))
        time = try reader.required("time", try reader.number("time"))
        scrollTop = try reader.required("scrollTop", try reader.number("scrollTop"))
        let width = try reader.number("width", in: Self.viewportLengths)
        let height = try reader.number("height", in: Self.viewportLengths)
        if width != nil || height != nil {
            viewport = Size(width: width ?? current.width, height: height ?? current.height)
        }
        phase = try reader.choice("phase", ScrollPhase.self)
        hint = try reader.object("hint").map { reader throws(Problem) in try Hint(reader, itemCount: itemCount) }
        missing = try reader.integers("missing", in: 0..<itemCount, maxCount: Self.maxMissing) ?? []
    }
}

extension Hint {
    /// `{"kind","scrollTop"?,"item"?,"confidence"?}`, one of the two places at least.
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
    func write(to writer: inout JSONWriter) {
        writer.object {
            $0.member("from", lowerBound)
            $0.member("to", upperBound)
        }
    }
}

extension Plan {
    /// `{"seq","visible","prefetch","cancel","ready","velocity","landing","contentHeight","scrollTop"}`
    func write(seq: Int, to writer: inout JSONWriter) {
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
