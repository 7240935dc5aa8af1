/// How events are spread over streams, by every server that `bench events` measures.
enum StreamTurns {
    /// The elements of a part, 0 ..< parts, of all.
    static func part<Element>(_ part: Int, of parts: Int, _ all: [Element]) -> ArraySlice<Element> {
        all[(part * all.count / parts)..<((part + 1) * all.count / parts)]
    }

    /// Calls `send` each millisecond with the part of the streams whose turn it is: each has one turn a second.
    static func run(seconds: Int, _ send: (_ part: Int, _ parts: Int) -> Void) async {
        let clock = ContinuousClock()
        let began = clock.now
        for tick in 0..<(seconds * 1000) {
            try? await clock.sleep(until: began + .milliseconds(tick))
            send(tick % 1000, 1000)
        }
    }
}
