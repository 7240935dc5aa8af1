import ArgumentParser
import Gallery
import JSON
import Numbers
import Replay
import Terminal

/// Servers stopped under load, again and again.
struct BenchStops: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stops", abstract: "Stop servers under load by SIGTERM, many times.",
        discussion: """
            Each time, starts the demo in its own process, opens streams, scrolls pages that ask for pictures, and \
            sends SIGTERM. Fails if a server does not exit with status 0 in time, or if a stream does not get bye.
            """)

    @Option(BoundedNumber("count", "Servers to stop", unit: "stops", default: 1000, in: 1...100_000)) var count: Int
    @Option(BoundedNumber("streams", "Streams open each time", unit: "streams", default: 100, in: 1...11_000))
    var streams: Int
    @Option(BoundedNumber("limit", "Longest time to stop", unit: "seconds", default: 5.0, in: 0.1...600)) var limit:
        Double
    @Option(help: BenchFormat.help) var format = BenchFormat.text

    func run() throws {
        var random = SeededRandom(seed: 1)
        var seconds: [Double] = []
        var (bad, unheard, answers) = (0, 0, 0)
        let progress = ProgressReport("Stopping servers", unit: "stops")
        for _ in 0..<count {
            let load = StopLoad(streams: streams, delay: Double(random.below(50)), limit: limit)
            let outcome = try load.run(LoadLoop())
            seconds.append(outcome.seconds)
            if outcome.status != 0 || outcome.seconds > limit { bad += 1 }
            unheard += outcome.streams - outcome.farewells
            answers += outcome.answers
            progress.advance(of: count)
        }
        progress.end()
        seconds.sort()
        let (median, worst) = (seconds[seconds.count / 2], seconds[seconds.count - 1])
        switch format {
        case .text:
            print(
                "stops               \(count), with \(streams) streams open and \(answers / count) answers before each")
            print("late or status not 0  \(bad)")
            print("streams without bye  \(unheard)")
            print("seconds             median \(median.text(2)), at most \(worst.text(2))")
        case .json:
            print(
                JSONWriter.text {
                    $0.member("stops", count)
                    $0.member("streams", streams)
                    $0.member("bad", bad)
                    $0.member("unheard", unheard)
                    $0.member("median", median)
                    $0.member("worst", worst)
                })
        }
        guard bad == 0, unheard == 0 else {
            throw CommandFailure("\(bad) servers stopped late or not cleanly, \(unheard) streams did not get bye")
        }
    }
}
