import JSON

/// The server's rates over the last second and its present counts; part of each `stats` event.
package struct ServerRates: Sendable {
    package var downloadsPerSecond = 0.0
    package var bytesPerSecond = 0.0
    package var cancelledPerSecond = 0.0
    /// Thumbnails that another server had made; `nil` where there is none.
    package var foundElsewherePerSecond: Double?
    package var queued = 0
    package var loading = 0
    package var rendering = 0
    package var sessions = 0

    package init() {}

    package func write(to writer: inout JSONWriter) {
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
