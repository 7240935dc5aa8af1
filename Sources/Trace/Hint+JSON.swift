import JSON
import Viewport

extension Hint {
    /// `{"kind","scrollTop"?,"item"?,"confidence"}`; `nil` where it is none that is known here, for a trace may come from a
    /// later page.
    init?(_ json: JSON?) {
        guard let json, let kind = json["kind"]?.string.flatMap(Kind.init(rawValue:)) else { return nil }
        self.init(
            kind: kind, scrollTop: json["scrollTop"]?.number, item: json["item"]?.integer,
            confidence: json["confidence"]?.number ?? Self.standardConfidence)
    }

    func write(to writer: inout JSONWriter) {
        writer.object {
            $0.member("kind", kind.rawValue)
            if let scrollTop { $0.member("scrollTop", (scrollTop * 10).rounded() / 10) }
            if let item { $0.member("item", item) }
            $0.member("confidence", confidence)
        }
    }
}
