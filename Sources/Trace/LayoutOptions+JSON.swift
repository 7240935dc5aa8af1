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
