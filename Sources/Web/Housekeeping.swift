import Gallery
import Threads
import Thumbnails

/// Runs once a second. Sends `stats` to all listeners, ends sessions without a listener and downloads with slow readers, and gives up on
/// folders that do not respond.
struct Housekeeping: Sendable {
    let sessions: SessionList
    let thumbnails: ThumbnailService
    let downloads: [Downloads]
    let offers: ArchiveOffers
    let sessionGrace: Duration

    private static let period = Duration.seconds(1)

    func run() async {
        let clock = ContinuousClock()
        var last = Snapshot(thumbnails, at: clock.now)
        var next = clock.now
        while !Task.isCancelled {
            next = max(next + Self.period, clock.now)
            try? await clock.sleep(until: next)
            let current = Snapshot(thumbnails, at: clock.now)
            let rates = current.rates(since: last, sessions: sessions.count)
            last = current
            for kind in downloads { kind.endSlow(at: .now) }
            offers.expire(at: .now)
            thumbnails.giveUpOnFolders(at: .now)
            await sessions.notify(over: Self.period * 0.8) { $0.sendStats(rates) }
            sessions.end(reason: "no event stream for \(sessionGrace)") { $0.timeWithoutStream > sessionGrace }
        }
    }

    /// Counts at one moment. Rates are computed from the differences.
    private struct Snapshot {
        var time: ContinuousClock.Instant
        var transfers: TransferMeter.Totals
        var cancelled: Int
        /// Number of thumbnails found on another server, or `nil` if there are no other servers.
        var found: Int?
        var rates = ServerRates()

        init(_ thumbnails: ThumbnailService, at time: ContinuousClock.Instant) {
            self.time = time
            transfers = thumbnails.transfers.totals
            let counts = thumbnails.pool.counts
            cancelled = counts.cancelled
            found = thumbnails.foundElsewhere
            rates.queued = counts.queued.total
            rates.loading = counts.running.fetch + counts.running.remoteHead
            rates.rendering = counts.running.render + counts.running.largeRender
        }

        func rates(since last: Snapshot, sessions: Int) -> ServerRates {
            let seconds = max((time - last.time) / .seconds(1), 0.001)
            var rates = rates
            rates.downloadsPerSecond = Double(transfers.completed - last.transfers.completed) / seconds
            rates.bytesPerSecond = Double(transfers.bytes - last.transfers.bytes) / seconds
            rates.cancelledPerSecond = Double(cancelled - last.cancelled) / seconds
            if let found { rates.foundElsewherePerSecond = Double(found - (last.found ?? 0)) / seconds }
            rates.sessions = sessions
            return rates
        }
    }
}
