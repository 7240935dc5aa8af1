import CImageCodecs
import Glibc
import Media

/// Measures rendering against its physical limit: a JPEG's entropy decoding, which no thumbnail can do without, stands
/// for the limit as TurboJPEG's decode at 1/8.
enum RenderBenchmark {
    /// The cost of one set of pictures, per picture.
    struct Figures: Sendable {
        /// CPU milliseconds of a whole rendering: probe, decode, scale, hash, encode. The best of the rounds.
        var render: Double
        /// CPU milliseconds of decoding alone, at 1/8, without early stop; nil unless all are JPEG. The best of the rounds.
        var decodeLimit: Double?
        /// Mean bytes of the encoded pictures.
        var sourceBytes: Double
        /// Mean bytes of the thumbnails.
        var thumbnailBytes: Double
        /// Pixels of the originals a second of CPU, in millions.
        var megapixelsPerSecond: Double
    }

    /// Renders every picture `rounds` times in this thread, in turns with the limit.
    ///
    /// - Throws: the first picture's ``RenderError``.
    static func measure(
        _ pictures: [[UInt8]], size: ThumbnailSize, options: RenderOptions = RenderOptions(), rounds: Int = 3
    ) throws(RenderError) -> Figures {
        let renderer = PictureRenderer()
        let decoder = tjInitDecompress()
        defer { tjDestroy(decoder) }
        let count = Double(max(1, pictures.count))
        var figures = Figures(
            render: .infinity, decodeLimit: nil, sourceBytes: Double(pictures.reduce(0) { $0 + $1.count }) / count,
            thumbnailBytes: 0, megapixelsPerSecond: 0)
        var pixels = 0.0
        for _ in 0..<max(1, rounds) {
            var bytes = 0
            pixels = 0
            let start = cpuMilliseconds()
            for picture in pictures {
                let thumbnail = try renderer.render(picture, size: size, options: options)
                bytes += thumbnail.bytes.count
                pixels += Double(thumbnail.sourceWidth) * Double(thumbnail.sourceHeight)
            }
            figures.render = min(figures.render, (cpuMilliseconds() - start) / count)
            figures.thumbnailBytes = Double(bytes) / count
            let decodeStart = cpuMilliseconds()
            if pictures.allSatisfy({ decodeEighth(decoder, $0) }) {
                figures.decodeLimit = min(figures.decodeLimit ?? .infinity, (cpuMilliseconds() - decodeStart) / count)
            }
        }
        figures.megapixelsPerSecond = pixels / count / 1e3 / figures.render
        return figures
    }

    /// The same pictures rendered by worker processes.
    struct Throughput: Sendable {
        /// Pictures a second through one worker, and through two.
        var one: Double, two: Double
        /// The most resident memory a worker has had, in bytes.
        var workerBytes: Double
    }

    /// The best of the rounds, one worker and two in turns.
    ///
    /// - Throws: the first picture's ``RenderError``.
    static func throughput(
        _ pictures: [[UInt8]], size: ThumbnailSize, configuration: WorkerConfiguration, rounds: Int = 3
    ) async throws(RenderError) -> Throughput {
        var best = [0.0, 0.0]
        var workerBytes = 0
        // At the end of a few large pictures one of two workers has nothing to do: so many that it hardly counts.
        let pictures = Array(repeatElement(pictures, count: 1 + 47 / max(1, pictures.count)).joined())
        for _ in 0..<max(1, rounds) {
            for workers in 1...2 {
                var configuration = configuration
                configuration.workers = workers
                let renderer = Renderer(configuration)
                // The workers' start is not what is measured.
                _ = await renderAll(renderer, Array(pictures.prefix(2 * workers)), size)
                let start = ContinuousClock.now
                let failure = await renderAll(renderer, pictures, size)
                let time = ContinuousClock.now - start
                for process in renderer.pool.processes {
                    workerBytes = max(workerBytes, ProcessFigures(process).peakMemory)
                }
                await renderer.shutdown()
                if let failure { throw failure }
                best[workers - 1] = max(best[workers - 1], Double(pictures.count) / (time / .seconds(1)))
            }
        }
        return Throughput(one: best[0], two: best[1], workerBytes: Double(workerBytes))
    }

    private static func renderAll(_ renderer: Renderer, _ pictures: [[UInt8]], _ size: ThumbnailSize) async
        -> RenderError?
    {
        await withTaskGroup(of: RenderError?.self) { group in
            for picture in pictures {
                group.addTask {
                    do throws(RenderError) {
                        _ = try await renderer.render(picture, size: size)
                        return nil
                    } catch {
                        return error
                    }
                }
            }
            return await group.reduce(nil) { $0 ?? $1 }
        }
    }

    private static func decodeEighth(_ decoder: tjhandle?, _ bytes: [UInt8]) -> Bool {
        var width: Int32 = 0, height: Int32 = 0, sampling: Int32 = 0, space: Int32 = 0
        guard tjDecompressHeader3(decoder, bytes, UInt(bytes.count), &width, &height, &sampling, &space) == 0 else {
            return false
        }
        let scaled = (width: Int((width + 7) / 8), height: Int((height + 7) / 8))
        var pixels = [UInt8](repeating: 0, count: scaled.width * scaled.height * 3)
        return tjDecompress2(
            decoder, bytes, UInt(bytes.count), &pixels, Int32(scaled.width), 0, Int32(scaled.height),
            Int32(TJPF_RGB.rawValue), TJFLAG_FASTUPSAMPLE) == 0
    }

    private static func cpuMilliseconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
    }
}
