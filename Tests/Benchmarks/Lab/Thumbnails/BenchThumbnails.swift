import ArgumentParser
import Foundation
import Gallery
import JSON
import Media
import Replay
import Terminal

struct BenchThumbnails: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "thumbnails",
        abstract: "Measure the cost of a thumbnail against the cost of decoding alone.",
        discussion: """
            Renders painted pictures, the same ones in each run. CPU times are those of one thread in the best round, \
            measured in turns with the limit: decoding the same bytes with TurboJPEG at 1/8.
            """)

    @Option(BoundedNumber("width", "Width of the thumbnails", unit: "pixels", default: 384, in: 16...2048)) var width:
        Int
    @Option(BoundedNumber("rounds", "Rounds; the best one counts", unit: "rounds", default: 3, in: 1...100))
    var rounds: Int
    @Option(
        help: "Measure only this set; may be repeated.", completion: .list(BenchCorpus.recipes.map(\.name)))
    var only: [String] = []
    @Option(
        help: "Folder of the pictures; missing ones are painted.", completion: .directory)
    var corpus: String?
    @Option(help: "Folder to write the thumbnails to.", completion: .directory) var output: String?
    @Option(help: BenchFormat.help) var format = BenchFormat.text
    @Flag(help: "Skip quality and throughput, which take longer.") var quick = false

    func validate() throws {
        let names = BenchCorpus.recipes.map(\.name)
        for name in only where !names.contains(name) {
            throw ValidationError("--only must be one of \(names.joined(separator: ", ")), not \"\(name)\"")
        }
    }

    private struct Row {
        var name: String
        var count: Int
        var figures: RenderBenchmark.Figures
        var throughput: RenderBenchmark.Throughput?
        var quality: RenderBenchmark.Quality?
    }

    func run() async throws {
        var rows: [Row] = []
        let recipes = BenchCorpus.recipes.filter { only.isEmpty || only.contains($0.name) }
        let progress = ProgressReport("Measuring thumbnails", unit: "steps")
        // Painting, rendering, and the two that take longer.
        let onStep = { progress.advance(of: recipes.count * (quick ? 2 : 4)) }
        for recipe in recipes {
            let set = try set(recipe)
            onStep()
            rows.append(try await measure(set, onStep))
            if let output { try writeThumbnails(of: set, to: output) }
        }
        progress.end()
        print(format == .json ? Self.json(rows) : Self.text(rows))
    }

    private func set(_ recipe: BenchCorpus.Recipe) throws -> BenchCorpus {
        guard let corpus else { return BenchCorpus(recipe) }
        if let set = BenchCorpus(recipe, readFrom: corpus) { return set }
        let set = BenchCorpus(recipe)
        try set.write(to: corpus)
        return set
    }

    private var size: ThumbnailSize { ThumbnailSize(width: width, height: 0) }

    private func measure(_ set: BenchCorpus, _ onStep: () -> Void) async throws -> Row {
        var row = Row(
            name: set.name, count: set.pictures.count,
            figures: try RenderBenchmark.measure(set.pictures, size: size, rounds: rounds))
        onStep()
        guard !quick else { return row }
        row.quality = try RenderBenchmark.quality(set.pictures, size: size)
        onStep()
        let workers = WorkerConfiguration(executable: try Installation.executable())
        row.throughput = try await RenderBenchmark.throughput(
            set.pictures, size: size, configuration: workers, rounds: rounds)
        onStep()
        return row
    }

    private func writeThumbnails(of set: BenchCorpus, to folder: String) throws {
        var thumbnails = set
        thumbnails.pictures = try RenderBenchmark.thumbnails(set.pictures, size: size)
        try thumbnails.write(to: folder)
    }

    private static func text(_ rows: [Row]) -> String {
        var table = TextTable([
            "set", "pictures", "kB", "thumb kB", "CPU ms", "limit ms", "ratio", "Mpx/s", "1 worker/s", "2 workers/s",
            "ratio", "worker MB", "SSIM", "encoded",
        ])
        for row in rows {
            let figures = row.figures
            table.add([
                row.name, "\(row.count)", (figures.sourceBytes / 1e3).text(0),
                (figures.thumbnailBytes / 1e3).text(1), figures.render.text(2),
                figures.decodeLimit?.text(2) ?? "-",
                figures.decodeLimit.map { (figures.render / $0).text(2) } ?? "-", figures.megapixelsPerSecond.text(0),
                row.throughput?.one.text(1) ?? "-", row.throughput?.two.text(1) ?? "-",
                row.throughput.map { ($0.two / $0.one).text(2) } ?? "-",
                row.throughput.map { ($0.workerBytes / 1e6).text(1) } ?? "-", row.quality?.rendered.text(4) ?? "-",
                row.quality?.encoded.text(4) ?? "-",
            ])
        }
        return table.text
    }

    private static func json(_ rows: [Row]) -> String {
        JSONWriter.text {
            $0.member("results") {
                $0.array {
                    for row in rows {
                        $0.object {
                            $0.member("set", row.name)
                            $0.member("pictures", row.count)
                            $0.member("sourceBytes", row.figures.sourceBytes)
                            $0.member("thumbnailBytes", row.figures.thumbnailBytes)
                            $0.member("cpuMilliseconds", row.figures.render)
                            if let limit = row.figures.decodeLimit { $0.member("limitMilliseconds", limit) }
                            $0.member("megapixelsPerSecond", row.figures.megapixelsPerSecond)
                            if let throughput = row.throughput {
                                $0.member("oneWorkerPerSecond", throughput.one)
                                $0.member("twoWorkersPerSecond", throughput.two)
                                $0.member("workerBytes", throughput.workerBytes)
                            }
                            if let quality = row.quality {
                                $0.member("ssim", quality.rendered)
                                $0.member("ssimEncoded", quality.encoded)
                            }
                        }
                    }
                }
            }
        }
    }
}
