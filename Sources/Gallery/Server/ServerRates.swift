import JSON

/// The server's rates over the last second and its present counts; part of each `stats` event.
struct ServerRates: Sendable {
    var downloadsPerSecond = 0.0
    var bytesPerSecond = 0.0
    var cancelledPerSecond = 0.0
    /// Thumbnails that another server had made; `nil` where there is none.
    var foundElsewherePerSecond: Double?
    var queued = 0
    var loading = 0
    var rendering = 0
    var sessions = 0

    func write(to writer: inout JSONWriter) {
        writer.object {
            $0.member("downloadsPerSecond", downloadsPerSecond)
            $0.member("bytesPerSecond", bytesPerSecond)
            $0.member("cancelledPerSecond", cancelledPerSecond)
            if let foundElsewherePerSecond { $0.member("foundElsewherePerSecond", foundElsewherePerSecond) }
            $0.member("queued", queued)
            $0.member("loading", loading)
            $0.member("rendering", rendering)
            $0.member("sessions", sessions)
        }
    }
}
