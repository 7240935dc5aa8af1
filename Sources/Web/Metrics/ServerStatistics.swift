import Cluster
import Fetch
import Gallery
import Media
import MicroHTTP
import Store
import Synchronization
import TaskPool
import Thumbnails

/// Counts of the whole server since its start, collected on request.
final class ServerStatistics: Sendable {
    let requests = RequestMeter()

    private let sessions: SessionList
    private let thumbnails: ThumbnailService
    private let downloads: [Downloads]
    private let store: ThumbnailStore
    private let fetcher: CurlFetcher
    private let renders: RenderMeter
    private let shared: SharedThumbnails?
    /// The HTTP server. Set after the initializer, because the server needs the routes and the routes need these statistics.
    private let http = Mutex(Reference())

    private struct Reference: Sendable { weak var server: Server? }

    init(
        sessions: SessionList, thumbnails: ThumbnailService, downloads: [Downloads], store: ThumbnailStore,
        fetcher: CurlFetcher, renders: RenderMeter, shared: SharedThumbnails?
    ) {
        self.sessions = sessions
        self.thumbnails = thumbnails
        self.downloads = downloads
        self.store = store
        self.fetcher = fetcher
        self.renders = renders
        self.shared = shared
    }

    func watch(_ server: Server) { http.withLock { $0.server = server } }

    var metrics: [Metric] {
        let parts = [
            requests.metrics, connectionMetrics, sessionMetrics, downloads.flatMap(\.metrics), taskMetrics,
            downloadMetrics, cacheMetrics, renderMetrics, sharedMetrics,
        ]
        return parts.flatMap { $0 }
    }

    private var connectionMetrics: [Metric] {
        let http = http.withLock { $0.server }?.metrics ?? ServerMetrics()
        let pressure = sessions.all.map(\.pressure)
        var ended = Metric(
            "streams_ended_total", .counter, "Event streams that ended, by reason; stuck and overflow: slow clients."
        )
        for reason in CloseReason.allCases {
            ended = ended.with(http.endedStreams[reason] ?? 0, ("reason", "\(reason)"))
        }
        return [
            Metric("requests_in_flight", .gauge, "Requests in progress.").with(http.requestsInFlight),
            Metric("connections", .gauge, "Connections of requests; event streams count separately.").with(
                http.connections),
            Metric("connections_refused_total", .counter, "Connections refused because of a limit.")
                .with(http.refusedConnections),
            Metric("streams", .gauge, "Event streams open.").with(http.streams), ended,
            Metric("stream_queued_events", .gauge, "Events queued for slow clients.")
                .with(pressure.reduce(0) { $0 + $1.count }),
            Metric("stream_queued_bytes", .gauge, "Bytes queued for slow clients.")
                .with(pressure.reduce(0) { $0 + $1.bytes }),
            Metric("stream_events_dropped_total", .counter, "Events dropped because the client was too slow.")
                .with(http.droppedEvents),
        ]
    }

    private var sessionMetrics: [Metric] {
        let totals = sessions.totals
        let exposure = totals.exposure
        return [
            Metric("sessions", .gauge, "Sessions open.").with(totals.opened - totals.ended),
            Metric("sessions_opened_total", .counter, "Sessions opened.").with(totals.opened),
            Metric("sessions_ended_total", .counter, "Sessions ended.").with(totals.ended),
            Metric("visible_cell_seconds_total", .counter, "Time that cells were visible, as reported by the pages.")
                .with(exposure.visibleTime / 1000),
            Metric("blank_cell_seconds_total", .counter, "Time that cells were visible without a picture.")
                .with(exposure.blankTime / 1000),
            Metric("blank_share", .gauge, "Share of their visible time that cells were blank, since the start.")
                .with(exposure.visibleTime > 0 ? exposure.blankTime / exposure.visibleTime : 0),
            Metric("cells_shown_total", .counter, "Cells that entered the viewport.").with(exposure.shown),
            Metric("cells_shown_ready_total", .counter, "Cells that entered the viewport with their picture loaded.")
                .with(exposure.shownReady),
            Metric("unseen_bytes", .gauge, "Bytes of thumbnails sent and never shown.").with(exposure.unseenBytes),
        ]
    }

    private var taskMetrics: [Metric] {
        let pool = thumbnails.pool.counts
        var queued = Metric("tasks_queued", .gauge, "Tasks waiting, by stage.")
        var running = Metric("tasks_running", .gauge, "Tasks running, by stage.")
        var started = Metric("stages_started_total", .counter, "Stages of tasks started.")
        for kind in SlotKind.allCases {
            let stage = kind == .lookUp ? "store" : "\(kind)"
            queued = queued.with(pool.queued[kind], ("stage", stage))
            running = running.with(pool.running[kind], ("stage", stage))
            started = started.with(pool.started[kind], ("stage", stage))
        }
        return [
            queued, running, started,
            Metric("tasks_aborting", .gauge, "Running stages of cancelled tasks.").with(pool.aborting),
            Metric("carried_bytes", .gauge, "Bytes of pictures being fetched, or fetched and not yet rendered.").with(
                pool.carriedBytes),
            Metric("wants_refused_total", .counter, "Requests for a thumbnail refused because its host is paused.")
                .with(pool.refused),
            Metric("tasks_resting", .gauge, "Tasks waiting for a retry.").with(pool.waiting),
            Metric("task_retries_total", .counter, "Retries after a failure.").with(pool.retries),
            Metric("tasks_created_total", .counter, "Tasks created, one for each wanted thumbnail.").with(pool.created),
            Metric("tasks_total", .counter, "Tasks ended, by result.")
                .with(pool.ready, ("result", "ready")).with(pool.failed, ("result", "failed"))
                .with(pool.cancelled, ("result", "cancelled")),
        ]
    }

    private var downloadMetrics: [Metric] {
        let fetches = fetcher.counts
        let transfers = thumbnails.transfers.totals
        return [
            Metric("downloads_total", .counter, "Downloads ended, by result.")
                .with(fetches.succeeded, ("result", "succeeded")).with(fetches.failed, ("result", "failed"))
                .with(fetches.cancelled, ("result", "cancelled")),
            Metric("downloads_in_flight", .gauge, "Downloads running.").with(fetches.inFlight),
            Metric("download_bytes_total", .counter, "Bytes downloaded, as sent over the network.").with(
                fetches.wireBytes),
            Metric("download_wasted_bytes_total", .counter, "Bytes of downloads that were cancelled or failed.")
                .with(fetches.wastedBytes),
            Metric("download_connections_total", .counter, "Connections opened to download.").with(fetches.connections),
            Metric("download_sockets", .gauge, "Sockets open to download.").with(fetches.openSockets),
            Metric(
                "pictures_total", .counter,
                "Pictures read from files or downloaded, by result; kept: downloaded earlier but not used then."
            )
            .with(transfers.completed, ("result", "completed"))
            .with(transfers.abandoned, ("result", "abandoned"))
            .with(thumbnails.keptCount, ("result", "kept")),
            Metric("picture_bytes_total", .counter, "Bytes of pictures read or downloaded.").with(transfers.bytes),
            Metric("wasted_bytes_total", .counter, "Bytes of pictures that were cancelled or failed.")
                .with(transfers.abandonedBytes),
        ]
    }

    private var cacheMetrics: [Metric] {
        let store = store.statistics
        return [
            Metric("cache_hits_total", .counter, "Thumbnails found, by tier.")
                .with(store.memoryHits, ("tier", "memory")).with(store.diskHits, ("tier", "disk")),
            Metric("cache_misses_total", .counter, "Thumbnails not found in any tier.").with(store.misses),
            Metric("cache_bytes", .gauge, "Bytes stored, by tier.")
                .with(store.memoryBytes, ("tier", "memory")).with(store.diskBytes, ("tier", "disk")),
            Metric("cache_pending_bytes", .gauge, "Bytes waiting to be written to disk.").with(store.pendingBytes),
            Metric("cache_written_total", .counter, "Thumbnails written to disk.").with(store.written),
            Metric("cache_evicted_total", .counter, "Thumbnails deleted from disk to make room.").with(store.evicted),
            Metric("cache_dropped_total", .counter, "Thumbnails not written because the disk was too slow or failed.")
                .with(store.dropped),
        ]
    }

    private var renderMetrics: [Metric] {
        let counts = renders.counts
        return [
            Metric("render_seconds", .histogram, "Time to render a picture.").with(counts.succeeded),
            Metric(
                "render_failures_total", .counter, "Pictures that were not rendered: broken, over a limit, cancelled."
            )
            .with(counts.failed),
            Metric("render_sandbox", .gauge, "Whether a layer of the sandbox around the render workers is active.")
                .with(counts.sandbox.landlock > 0 ? 1 : 0, ("layer", "landlock"))
                .with(counts.sandbox.seccomp ? 1 : 0, ("layer", "seccomp"))
                .with(counts.sandbox.noNewPrivileges ? 1 : 0, ("layer", "no_new_privs")),
        ]
    }

    private var sharedMetrics: [Metric] {
        guard let counts = shared?.counts else { return [] }
        return [
            Metric("shared_claims_total", .counter, "Thumbnails requested from other servers, by outcome.")
                .with(counts.hits, ("result", "hit")).with(counts.failures, ("result", "failure"))
                .with(counts.led, ("result", "led")).with(counts.waited, ("result", "waited"))
                .with(counts.alone, ("result", "alone")).with(counts.hostPauses, ("result", "rests")),
            Metric(
                "shared_leases_lost_total", .counter, "Leases that expired before their thumbnail was rendered."
            )
            .with(counts.lost),
            Metric("shared_foreign_total", .counter, "Values in Redis that Lookahead did not write.")
                .with(counts.foreign),
            Metric(
                "shared_nodes", .gauge,
                "Servers that share, including this one. Limits per host are divided by this number."
            )
            .with(counts.nodes),
            Metric("shared_servers", .gauge, "Redis or Valkey servers that respond.").with(counts.reachable),
        ]
    }
}
