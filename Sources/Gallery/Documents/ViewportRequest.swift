import JSON
import Viewport

extension SessionCore.Update {
    /// Allowed heights and widths of a viewport, in CSS pixels.
    package static let viewportLengths = 1.0...100_000.0
    /// Allowed times of a client's clock, in milliseconds. The range contains `Date.now()` until the year 2286.
    package static let times = -1e13...1e13
    /// Maximum length of a `missing` list: more items than any screen shows.
    package static let maxMissing = 5000
}

extension PostedViewport {
    /// `{"seq","time","scrollTop","width"?,"height"?,"phase"?,"hint"?,"missing"?}`
    package init(_ reader: FieldReader, itemCount: Int) throws(Problem) {
        update = SessionCore.Update(
            seq: try reader.required("seq", try reader.integer("seq", in: 0...(1 << 53))),
            time: try reader.required("time", try reader.number("time", in: SessionCore.Update.times)),
            scrollTop: try reader.required("scrollTop", try reader.number("scrollTop")))
        size = try SizeChange(reader)
        update.phase = try reader.choice("phase", ScrollPhase.self)
        update.hint = try reader.object("hint").map { reader throws(Problem) in
            try Hint(reader, itemCount: itemCount)
        }
        update.missing =
            try reader.integers("missing", in: 0..<itemCount, maxCount: SessionCore.Update.maxMissing) ?? []
    }
}

extension SizeChange {
    /// Allowed device pixels per CSS pixel.
    package static let pixelRatios = 0.25...8.0

    /// `{"width"?,"height"?}`
    package init(_ reader: FieldReader) throws(Problem) {
        width = try reader.number("width", in: SessionCore.Update.viewportLengths)
        height = try reader.number("height", in: SessionCore.Update.viewportLengths)
    }
}

extension ScrollRequest {
    /// `{"item"?,"scrollTop"?,"animated"?}`, with exactly one of `item` and `scrollTop`.
    package init(_ reader: FieldReader, itemCount: Int) throws(Problem) {
        animated = try reader.bool("animated") ?? false
        let item = try reader.integer("item", in: 0...max(0, itemCount - 1))
        switch (item, try reader.number("scrollTop")) {
        case (let item?, nil): target = .item(item)
        case (nil, let scrollTop?): target = .scrollTop(scrollTop)
        case (nil, nil): throw Problem(422, "Give an item or a scrollTop to scroll to.", field: "/item")
        default: throw Problem(422, "Give either item or scrollTop, not both.", field: "/scrollTop")
        }
    }
}

extension SessionChange {
    /// `{"layout"?,"policy"?,"prefetching"?,"name"?,"viewing"?,"viewport"?}`. `viewing` may be null.
    package init(_ reader: FieldReader, itemCount: Int) throws(Problem) {
        if let layout = try reader.object("layout") { options = try LayoutOptions(layout) }
        policy = try reader.choice("policy", PolicyName.self)
        prefetching = try reader.bool("prefetching")
        name = try reader.string("name", maxLength: Session.maxNameLength)
        if reader.object["viewing"] != nil {
            viewing = Viewing(item: try reader.integer("viewing", in: 0...max(0, itemCount - 1)))
        }
        if let viewport = try reader.object("viewport") {
            size = try SizeChange(viewport)
            pixelRatio = try viewport.number("pixelRatio", in: SizeChange.pixelRatios)
        }
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
