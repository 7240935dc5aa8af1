import JSON
import Viewport

extension Trace {
    /// Parses NDJSON: a header line, then one sample a line. Or parses a record: one line, with the samples in the header. Ignores
    /// unknown members and skips empty lines.
    ///
    /// - Throws: `TraceError` with the faulty line: malformed JSON, a missing or wrong member, a number out of range,
    ///   a time that runs backwards, or more than `limits` allow.
    public init(
        _ bytes: some Sequence<UInt8>, name: String, limits: TraceLimits = TraceLimits()
    ) throws(TraceError) {
        var reader = TraceReader(limits: limits)
        var line: [UInt8] = []
        for byte in bytes {
            if byte == UInt8(ascii: "\n") {
                try reader.take(line)
                line.removeAll(keepingCapacity: true)
            } else {
                line.append(byte)
                let limit = reader.hasHeader ? limits.lineBytes : limits.headerBytes
                if line.count > limit {
                    throw TraceError(line: reader.line + 1, reason: "longer than \(limit) bytes")
                }
            }
        }
        try reader.take(line)
        self = try reader.trace(name)
    }
}

struct TraceReader {
    let limits: TraceLimits
    private(set) var line = 0
    private var header: Trace?
    private var samples: [ScrollSample] = []

    init(limits: TraceLimits) { self.limits = limits }

    mutating func take(_ bytes: [UInt8]) throws(TraceError) {
        line += 1
        guard bytes.contains(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }) else { return }
        let json: JSON
        do { json = try JSON.parse(bytes) } catch { throw fault(error.description) }
        guard json.object != nil else { throw fault("not a JSON object") }
        guard header == nil else { return try readSample(json) }
        header = try readHeader(json)
        for sample in json["samples"]?.array ?? [] { try readSample(sample) }
    }

    var hasHeader: Bool { header != nil }

    func trace(_ name: String) throws(TraceError) -> Trace {
        guard var trace = header else { throw TraceError(line: max(1, line), reason: "no header line") }
        guard !samples.isEmpty else { throw TraceError(line: line, reason: "no samples") }
        trace.name = name
        trace.samples = samples
        return trace
    }

    private func readHeader(_ json: JSON) throws(TraceError) -> Trace {
        guard json["version"]?.integer == 1 else { throw fault("version must be 1") }
        guard let count = json["itemCount"]?.integer, (0...limits.items).contains(count) else {
            throw fault("itemCount must be a whole number from 0 to \(limits.items)")
        }
        guard let viewport = json["viewport"], let layout = json["layout"] else {
            throw fault("viewport and layout must be given")
        }
        let size = Size(
            width: try number(viewport, "width", 0...1_000_000), height: try number(viewport, "height", 0...1_000_000))
        return Trace(
            name: "", itemCount: count, viewport: size, layout: try readLayout(layout), samples: [],
            kinds: try readKinds(json))
    }

    private func readKinds(_ json: JSON) throws(TraceError) -> [Trace.Span] {
        guard let kinds = json["kinds"], kinds != .null else { return [] }
        guard let array = kinds.array else { throw fault("kinds must be an array") }
        var spans: [Trace.Span] = []
        for span in array {
            guard let kind = span["kind"]?.string, (1...64).contains(kind.utf8.count) else {
                throw fault("kinds: kind must be a name of 1 to 64 bytes")
            }
            let from = try number(span, "from", -1e12...1e12)
            spans.append(Trace.Span(from: from, to: try number(span, "to", from...1e12), kind: kind))
        }
        return spans
    }

    private func readLayout(_ json: JSON) throws(TraceError) -> LayoutOptions {
        let kind: LayoutOptions.Kind
        switch json["kind"]?.string {
        case "grid":
            kind = .grid(
                itemWidth: try number(json, "itemWidth", LayoutOptions.itemBounds),
                itemHeight: try number(json, "itemHeight", LayoutOptions.itemBounds))
        case "justified": kind = .justified(rowHeight: try number(json, "rowHeight", LayoutOptions.itemBounds))
        case "masonry": kind = .masonry(columnWidth: try number(json, "columnWidth", LayoutOptions.itemBounds))
        default: throw fault("layout.kind must be grid, justified or masonry")
        }
        var options = LayoutOptions(kind: kind)
        let spacing = LayoutOptions.spacingBounds
        options.lineSpacing = try number(json, "lineSpacing", spacing, or: 0)
        options.interitemSpacing = try number(json, "interitemSpacing", spacing, or: 0)
        options.headerHeight = try number(json, "headerHeight", spacing, or: 0)
        if let limit = json["smallSectionLimit"] {
            guard let limit = limit.integer, LayoutOptions.smallSectionBounds.contains(limit) else {
                throw fault(
                    "smallSectionLimit must be an integer from 0 to \(LayoutOptions.smallSectionBounds.upperBound)")
            }
            options.smallSectionLimit = limit
        }
        if let inset = json["sectionInset"] {
            options.sectionInset = EdgeInsets(
                top: try number(inset, "top", spacing, or: 0), left: try number(inset, "left", spacing, or: 0),
                bottom: try number(inset, "bottom", spacing, or: 0), right: try number(inset, "right", spacing, or: 0))
        }
        return options
    }

    private mutating func readSample(_ json: JSON) throws(TraceError) {
        guard samples.count < limits.samples else { throw fault("more than \(limits.samples) samples") }
        let time = try number(json, "t", -1e12...1e12)
        if let last = samples.last, time < last.time { throw fault("t goes backwards") }
        let top = try number(json, "y", -1e12...1e12)
        var phase: ScrollPhase?
        if let name = json["phase"], name != .null {
            guard let known = name.string.flatMap(ScrollPhase.init(rawValue:)) else {
                throw fault("phase must be one of \(ScrollPhase.allCases.map(\.rawValue).joined(separator: ", "))")
            }
            phase = known
        }
        samples.append(ScrollSample(time: time, scrollTop: top, phase: phase, hint: Hint(json["hint"])))
    }

    private func number(
        _ json: JSON, _ name: String, _ range: ClosedRange<Double>, or fallback: Double? = nil
    ) throws(TraceError) -> Double {
        guard let value = json[name] else {
            if let fallback { return fallback }
            throw fault("\(name) is missing")
        }
        guard let number = value.number, range.contains(number) else {
            throw fault("\(name) must be a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    private func fault(_ reason: String) -> TraceError { TraceError(line: line, reason: reason) }
}

extension Hint {
    /// Parses `{"kind","scrollTop"?,"item"?,"confidence"}`. `nil` if the kind is unknown, because a later version may have written
    /// the trace.
    init?(_ json: JSON?) {
        guard let json, let kind = json["kind"]?.string.flatMap(Kind.init(rawValue:)) else { return nil }
        self.init(
            kind: kind, scrollTop: json["scrollTop"]?.number, item: json["item"]?.integer,
            confidence: json["confidence"]?.number ?? Self.standardConfidence)
    }
}
