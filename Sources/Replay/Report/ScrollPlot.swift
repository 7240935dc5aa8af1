/// The scroll position over time as inline SVG. Fast stretches are shaded.
struct ScrollPlot {
    private static let width = 720.0
    private static let height = 120.0

    let svg: String

    init(_ playable: PlayableTrace) {
        let tops = playable.frames.map(\.sample.scrollTop)
        let minimum = tops.min() ?? 0
        let maximum = max(tops.max() ?? 1, minimum + 1)
        let end = max(playable.end, 1)
        func x(_ time: Double) -> String { (time / end * Self.width).text(1) }
        func y(_ top: Double) -> String { ((top - minimum) / (maximum - minimum) * (Self.height - 8) + 4).text(1) }

        var fast = ""
        var fastSince: Double?
        var line = ""
        var drawn: (x: String, y: String) = ("", "")
        for frame in playable.frames {
            let point = (x(frame.time), y(frame.sample.scrollTop))
            if point != drawn { line += "\(point.0),\(point.1) " }
            drawn = point
            let isFast = frame.speed >= PlayableTrace.slowSpeed
            if isFast, fastSince == nil { fastSince = frame.time }
            if !isFast, let since = fastSince {
                let width = (frame.time - since) / end * Self.width
                fast += "<rect x=\"\(x(since))\" y=\"0\" width=\"\(width.text(1))\" height=\"100%\"/>"
                fastSince = nil
            }
        }
        svg = """
            <svg viewBox="0 0 \(Self.width.text(0)) \(Self.height.text(0))" preserveAspectRatio="none" role="img" \
            aria-label="Scroll position from \(minimum.text(0)) to \(maximum.text(0)) pixels over \((end / 1e3).text(1)) \
            seconds"><g class="fast">\(fast)</g><polyline points="\(line)"/></svg>
            <p class="axis"><span>0 s</span><span>\(minimum.text(0)) px (top) to \(maximum.text(0)) px</span>\
            <span>\((end / 1e3).text(1)) s</span></p>

            """
    }
}
