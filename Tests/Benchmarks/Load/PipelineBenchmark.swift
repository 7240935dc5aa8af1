import Bench
import Catalog
import Dispatch
import Gallery
import Glibc
import Pictures
import Trace

/// Measures the way from a want to a thumbnail: pool, downloads, rendering and store, without sessions and HTTP.
struct PipelineBenchmark: Sendable {
    /// Downloads at once. Default 32.
    var downloads = 32
    /// Share of the pictures that are let go of before they have come. Default 0.6.
    var cancelled = 0.6
    /// Within how many milliseconds of being wanted they are, evenly. Default 120: most while they are downloaded.
    var patience = 120.0
    /// Pictures wanted at once. Default twice the downloads.
    var window = 64
    /// Says which pictures are let go of, and when. Default 1.
    var seed: UInt64 = 1

    init() {}

    struct Figures: Sendable {
        var seconds = 0.0
        /// Pictures rendered, failed, and let go of.
        var ready = 0, failed = 0, cancelled = 0
        /// Downloads under way, on average, and how many the pool had learned to allow the host in the end.
        var meanDownloads = 0.0, learnedLimit = 0
        /// CPU seconds of this process and of the render workers.
        var processSeconds = 0.0, workerSeconds = 0.0
        /// Bytes of pictures that came, and of them those of downloads that were cancelled.
        var bytes = 0, wastedBytes = 0
        var connections = 0
        /// The most resident memory of this process, and of its largest worker, bytes.
        var peakMemory = 0, workerMemory = 0
        /// Before, and when all is stopped.
        var descriptorsBefore = 0, descriptorsAfter = 0
    }

    /// Wants every picture of `source` once.
    ///
    /// - Parameters:
    ///   - settings: its downloads are set to this benchmark's.
    ///   - source: whose origins `settings` allows.
    ///   - progress: told how many pictures are done with.
    func run(
        _ source: any CatalogSource, settings: Settings, progress: (_ done: Int) -> Void = { _ in }
    ) async throws -> Figures {
        var settings = settings
        settings.maxDownloads = downloads
        settings.maxDownloadsPerHost = downloads
        // Opens everything that stays open before anything is counted.
        var memoryOnly = settings
        memoryOnly.cacheDirectory = nil
        _ = try await pass(source, items: min(window, source.catalog.itemCount), settings: memoryOnly) { _ in }
        return try await pass(source, items: source.catalog.itemCount, settings: settings, progress)
    }

    private func pass(
        _ source: any CatalogSource, items: Int, settings: Settings, _ progress: (_ done: Int) -> Void
    ) async throws -> Figures {
        var figures = Figures()
        figures.descriptorsBefore = ProcessFigures(getpid()).descriptors
        let cpu = Self.cpuSeconds()
        try await measure(source, items: items, settings, &figures, progress)
        figures.processSeconds = Self.cpuSeconds() - cpu
        let after = ProcessFigures(getpid())
        figures.peakMemory = after.peakMemory
        figures.descriptorsAfter = after.descriptors
        return figures
    }

    private func measure(
        _ source: any CatalogSource, items: Int, _ settings: Settings, _ figures: inout Figures,
        _ progress: (_ done: Int) -> Void
    ) async throws {
        enum Event: Sendable {
            case begin
            case finished(Int, isReady: Bool)
            /// The item has been wanted for long enough.
            case left(Int)
        }
        let (events, continuation) = AsyncStream<Event>.makeStream()
        let pipeline = try ThumbnailPipeline(of: source, settings: settings, width: 256) { item, isReady in
            continuation.yield(.finished(item, isReady: isReady))
        }
        let timers = DispatchQueue(label: "lookahead.bench")
        let clock = ContinuousClock(), start = clock.now
        var random = SeededRandom(seed: seed)
        var next = 0
        /// Those wanted now, oldest first.
        var wanted: [Int] = []
        var downloads = 0, downloadTime = 0.0, since = 0.0
        continuation.yield(.begin)
        for await event in events {
            let now = (clock.now - start) / .milliseconds(1)
            downloadTime += Double(downloads) * (now - since)
            since = now
            switch event {
            case .begin: break
            case .finished(let item, let isReady):
                guard let place = wanted.firstIndex(of: item) else { continue }
                wanted.remove(at: place)
                if isReady { figures.ready += 1 } else { figures.failed += 1 }
            case .left(let item):
                guard let place = wanted.firstIndex(of: item) else { continue }
                wanted.remove(at: place)
                figures.cancelled += 1
            }
            while wanted.count < window, next < items {
                let item = next
                if random.unit() < cancelled {
                    let wait = DispatchTimeInterval.microseconds(Int(random.unit() * patience * 1e3))
                    timers.asyncAfter(deadline: .now() + wait) { continuation.yield(.left(item)) }
                }
                wanted.append(item)
                next += 1
            }
            progress(figures.ready + figures.failed + figures.cancelled)
            if wanted.isEmpty { break }
            pipeline.want(wanted)
            downloads = pipeline.downloads
        }
        figures.seconds = (clock.now - start) / .seconds(1)
        figures.meanDownloads = downloadTime / max(1e-9, since)
        figures.learnedLimit = pipeline.learnedLimit ?? downloads
        (figures.bytes, figures.wastedBytes) = pipeline.bytes
        figures.connections = pipeline.connections
        for process in pipeline.workerProcesses {
            let worker = ProcessFigures(process)
            figures.workerSeconds += worker.seconds
            figures.workerMemory = max(figures.workerMemory, worker.peakMemory)
        }
        await pipeline.shutdown()
    }

    private static func cpuSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
