import JSON
import Viewport

extension LayoutOptions {
    /// The JSON object by which the API and traces name a layout.
    public func write(to writer: inout JSONWriter) {
        writer.object {
            switch kind {
            case .grid(let itemWidth, let itemHeight):
                $0.member("kind", "grid")
                $0.member("itemWidth", itemWidth)
                $0.member("itemHeight", itemHeight)
            case .justified(let rowHeight):
                $0.member("kind", "justified")
                $0.member("rowHeight", rowHeight)
            case .masonry(let columnWidth):
                $0.member("kind", "masonry")
                $0.member("columnWidth", columnWidth)
            }
            $0.member("lineSpacing", lineSpacing)
            $0.member("interitemSpacing", interitemSpacing)
            $0.member("sectionInset") {
                $0.object {
                    $0.member("top", sectionInset.top)
                    $0.member("left", sectionInset.left)
                    $0.member("bottom", sectionInset.bottom)
                    $0.member("right", sectionInset.right)
                }
            }
            $0.member("headerHeight", headerHeight)
            $0.member("smallSectionLimit", smallSectionLimit)
        }
    }
}

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
