import ArgumentParser
import Bench
import Catalog
import Foundation
import Gallery
import JSON
import Pictures
import Replay
import Terminal

struct BenchPipeline: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pipeline",
        abstract: "Measure downloads, rendering and storage together while most pictures are cancelled.",
        discussion: """
            The origin runs in its own process and answers over real HTTP, each picture after its latency. CPU time is \
            that of this process and its render workers, without the origin.
            """)

    @Option(
        BoundedNumber("items", "Pictures, of about 50 kB each", unit: "pictures", default: 10_000, in: 1...1_000_000))
    var items: Int
    @OptionGroup var origin: LatencyOptions
    @Option(BoundedNumber("concurrency", "Downloads at once", unit: "downloads", default: 32, in: 1...256))
    var concurrency: Int
    @Option(BoundedNumber("cancelled", "Share of the pictures that are cancelled", unit: "", default: 0.6, in: 0...1))
    var cancelled: Double
    @Option(help: BenchFormat.help) var format = BenchFormat.text

    func run() async throws {
        let server = try BenchServer.own([
            "origin", "--latency", "\(origin.latency)", "--jitter", "\(origin.jitter)",
        ])
        defer { server.stop() }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("lookahead-bench-\(getpid())")
        defer { try? FileManager.default.removeItem(at: folder) }
        var settings = Settings(
            publicDirectory: "", renderCommand: try Installation.renderCommand())
        settings.cacheDirectory = folder.path
        settings.allowedOrigins = ["127.0.0.1:\(server.port)"]
        var benchmark = PipelineBenchmark()
        benchmark.downloads = concurrency
        benchmark.window = 2 * concurrency
        benchmark.cancelled = cancelled
        benchmark.patience = 1.5 * origin.latency
        let progress = ProgressReport("Wanting pictures", unit: "pictures")
        let figures = try await benchmark.run(
            BenchCatalog(itemCount: items, origin: "http://127.0.0.1:\(server.port)"), settings: settings
        ) { progress.update($0, of: items) }
        progress.end()
        print(format == .json ? Self.json(figures) : text(figures))
    }

    private func text(_ figures: PipelineBenchmark.Figures) -> String {
        let total = figures.ready + figures.failed + figures.cancelled
        let rate = Double(figures.ready) / figures.seconds, cpu = figures.processSeconds + figures.workerSeconds
        let bytes = Double(figures.bytes) / 1e6, wasted = Double(figures.wastedBytes) / 1e6
        return """
            pictures      \(total): \(figures.ready) ready, \(figures.cancelled) let go of, \(figures.failed) failed
            time          \(figures.seconds.text(1)) s: \(rate.text(0)) thumbnails a second, \
            \((Double(total) / figures.seconds).text(0)) pictures wanted
            downloads     \(figures.meanDownloads.text(1)) at once on average, of \(concurrency); \
            \(figures.learnedLimit) allowed in the end
            CPU           \(cpu.text(2)) s: server \(figures.processSeconds.text(2)), \
            workers \(figures.workerSeconds.text(2)); \((1e3 * cpu / Double(max(1, figures.ready))).text(2)) ms a thumbnail
            bytes         \(bytes.text(1)) MB, of which wasted \(wasted.text(1)) (\((100 * wasted / max(bytes, 1e-9)).text(1)) %)
            connections   \(figures.connections)
            peak memory   \((Double(figures.peakMemory) / 1e6).text(1)) MB, the largest worker \
            \((Double(figures.workerMemory) / 1e6).text(1)) MB
            descriptors   \(figures.descriptorsBefore) before, \(figures.descriptorsAfter) after
            """
    }

    private static func json(_ figures: PipelineBenchmark.Figures) -> String {
        JSONWriter.text {
            $0.member("seconds", figures.seconds)
            $0.member("ready", figures.ready)
            $0.member("cancelled", figures.cancelled)
            $0.member("failed", figures.failed)
            $0.member("thumbnailsPerSecond", Double(figures.ready) / figures.seconds)
            $0.member("meanDownloads", figures.meanDownloads)
            $0.member("learnedLimit", figures.learnedLimit)
            $0.member("processCPUSeconds", figures.processSeconds)
            $0.member("workerCPUSeconds", figures.workerSeconds)
            $0.member("bytes", figures.bytes)
            $0.member("wastedBytes", figures.wastedBytes)
            $0.member("connections", figures.connections)
            $0.member("peakMemory", figures.peakMemory)
            $0.member("workerPeakMemory", figures.workerMemory)
            $0.member("descriptorsBefore", figures.descriptorsBefore)
            $0.member("descriptorsAfter", figures.descriptorsAfter)
        }
    }
}

/// As many addresses as wanted, of few pictures: painting them is not what is measured.
struct BenchCatalog: CatalogItems, CatalogSource {
    let itemCount: Int
    let origin: String

    var catalog: Catalog {
        let title = "Benchmark"
        return Catalog(
            kind: .list, title: title, sections: [Section(title: title, from: 0, count: itemCount)], items: self)
    }

    func item(_ index: Int) -> Item? {
        guard 0..<itemCount ~= index else { return nil }
        return Item(locator: .url("\(origin)/900x600?text=bench+\(index % 64)&item=\(index)"), title: "\(index)")
    }
}
