import JSON
import Viewport

extension Trace {
    /// The trace as NDJSON: a header line, then one line for each sample. Times are milliseconds since the first sample. Times
    /// and positions have one decimal. The name and the kinds are not written.
    package var bytes: [UInt8] {
        var writer = JSONWriter()
        writer.object { writeHeader(to: &$0) }
        var bytes = writer.bytes + [UInt8(ascii: "\n")]
        let start = samples.first?.time ?? 0
        for sample in samples {
            var writer = JSONWriter(capacity: 48)
            sample.write(to: &writer, since: start)
            bytes += writer.bytes + [UInt8(ascii: "\n")]
        }
        return bytes
    }

    /// Writes the members of the header.
    func writeHeader(to writer: inout JSONWriter) {
        writer.member("version", 1)
        writer.member("itemCount", itemCount)
        writer.member("viewport") { writer in
            writer.object {
                $0.member("width", viewport.width)
                $0.member("height", viewport.height)
            }
        }
        writer.member("layout") { layout.write(to: &$0) }
    }
}

extension ScrollSample {
    func write(to writer: inout JSONWriter, since start: Double) {
        writer.object {
            $0.member("t", (time - start).rounded(to: 1))
            $0.member("y", scrollTop.rounded(to: 1))
            if let phase { $0.member("phase", phase.rawValue) }
            if let hint { $0.member("hint") { hint.write(to: &$0) } }
        }
    }
}

extension Hint {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object {
            $0.member("kind", kind.rawValue)
            if let scrollTop { $0.member("scrollTop", scrollTop.rounded(to: 1)) }
            if let item { $0.member("item", item) }
            $0.member("confidence", confidence)
        }
    }
}

extension LayoutOptions {
    /// Writes `{"kind":"grid","itemWidth",…}`, `{"kind":"justified","rowHeight",…}` or `{"kind":"masonry","columnWidth",…}` with
    /// spacing, insets and header height.
    package func write(to writer: inout JSONWriter) {
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
