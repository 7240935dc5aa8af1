import JSON
import Viewport

extension Trace {
    /// The trace as NDJSON.
    public var bytes: [UInt8] {
        var bytes = headerLine
        for sample in samples { bytes += Self.line(sample) }
        return bytes
    }

    /// The first line, its newline included.
    public var headerLine: [UInt8] {
        var writer = JSONWriter()
        writer.object {
            $0.member("version", 1)
            $0.member("itemCount", itemCount)
            $0.member("viewport") { writer in
                writer.object {
                    $0.member("width", viewport.width)
                    $0.member("height", viewport.height)
                }
            }
            $0.member("layout") { writer in writer.object { write(layout, &$0) } }
        }
        return writer.bytes + [UInt8(ascii: "\n")]
    }

    /// A sample's line, its newline included; time and place to a tenth.
    public static func line(_ sample: ScrollSample) -> [UInt8] {
        var writer = JSONWriter(capacity: 48)
        writer.object {
            $0.member("t", (sample.time * 10).rounded() / 10)
            $0.member("y", (sample.scrollTop * 10).rounded() / 10)
            if let phase = sample.phase { $0.member("phase", phase.rawValue) }
        }
        return writer.bytes + [UInt8(ascii: "\n")]
    }

    private func write(_ layout: LayoutOptions, _ writer: inout JSONWriter) {
        switch layout.kind {
        case .grid(let width, let height):
            writer.member("kind", "grid")
            writer.member("itemWidth", width)
            writer.member("itemHeight", height)
        case .justified(let height):
            writer.member("kind", "justified")
            writer.member("rowHeight", height)
        case .masonry(let width):
            writer.member("kind", "masonry")
            writer.member("columnWidth", width)
        }
        writer.member("lineSpacing", layout.lineSpacing)
        writer.member("interitemSpacing", layout.interitemSpacing)
        let inset = layout.sectionInset
        if inset != EdgeInsets() {
            writer.member("sectionInset") { writer in
                writer.object {
                    $0.member("top", inset.top)
                    $0.member("left", inset.left)
                    $0.member("bottom", inset.bottom)
                    $0.member("right", inset.right)
                }
            }
        }
        if layout.headerHeight != 0 { writer.member("headerHeight", layout.headerHeight) }
    }
}
