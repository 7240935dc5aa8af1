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
            $0.member("layout") { layout.write(to: &$0) }
            if !kinds.isEmpty {
                $0.member("kinds") { writer in
                    writer.array { writer in
                        for span in kinds {
                            writer.object {
                                $0.member("from", span.from.rounded(to: 1))
                                $0.member("to", span.to.rounded(to: 1))
                                $0.member("kind", span.kind)
                            }
                        }
                    }
                }
            }
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
            if let hint = sample.hint { $0.member("hint") { hint.write(to: &$0) } }
        }
        return writer.bytes + [UInt8(ascii: "\n")]
    }
}
