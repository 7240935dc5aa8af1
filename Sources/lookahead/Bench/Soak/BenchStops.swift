import ArgumentParser
import JSON

/// Servers stopped under load, again and again.
struct BenchStops: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stops", abstract: "Stop servers by SIGTERM under load, again and again.",
        discussion: """
            Each time the demo is started in a process of its own, streams are opened, pages scroll and ask for pictures, \
            and in the midst of it SIGTERM is sent. Fails where one does not end with status 0 within five seconds, or a \
            stream does not hear bye.
            """)

    @Option(help: "text or json.") var format = BenchFormat.text
    @Option(help: "How often (1 to 100000).") var count = 1000
    @Option(help: "Streams open each time (1 to 11000).") var streams = 100

    static let limit = 5.0

    func validate() throws {
        guard 1...100_000 ~= count else { throw ValidationError("--count must be from 1 to 100000, not \(count)") }
        guard 1...11_000 ~= streams else { throw ValidationError("--streams must be from 1 to 11000, not \(streams)") }
    }

    func run() throws {
        var random = SoakRandom(state: 1)
        var seconds: [Double] = []
        var (bad, unheard, answers) = (0, 0, 0)
        for _ in 0..<count {
            let load = StopLoad(streams: streams, delay: Double(random.below(50)))
            let outcome = try load.run(LoadLoop())
            seconds.append(outcome.seconds)
            if outcome.status != 0 || outcome.seconds > Self.limit { bad += 1 }
            unheard += outcome.streams - outcome.farewells
            answers += outcome.answers
        }
        seconds.sort()
        let (median, worst) = (seconds[seconds.count / 2], seconds[seconds.count - 1])
        switch format {
        case .text:
            print(
                "stops               \(count), with \(streams) streams open and \(answers / count) answers before each")
            print("status not 0, or late  \(bad)")
            print("streams without bye  \(unheard)")
            print("seconds             median \(median.text(2)), at most \(worst.text(2))")
        case .json:
            var writer = JSONWriter()
            writer.object {
                $0.member("stops", count)
                $0.member("streams", streams)
                $0.member("bad", bad)
                $0.member("unheard", unheard)
                $0.member("median", median)
                $0.member("worst", worst)
            }
            print(String(decoding: writer.bytes, as: UTF8.self))
        }
        guard bad == 0, unheard == 0 else {
            throw Running.Failure("\(bad) stops were late or not clean, \(unheard) streams did not hear bye")
        }
    }
}
