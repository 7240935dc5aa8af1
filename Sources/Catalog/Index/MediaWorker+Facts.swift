import Media

extension MediaWorker {
    /// Maximum time that facts wait to be sent together.
    private static let patience = Duration.milliseconds(20)

    /// Runs until the server closes the connection. Returns the process's exit code.
    public static func run() -> Int32 {
        run { request, descriptors, send in
            guard let latestYear = request.number(), let count = request.number() else { return false }
            var rest = descriptors[...]
            var facts = FrameWriter()
            var sent = ContinuousClock.now
            for index in 0..<count {
                guard let file = FactFile(&request, &rest) else { return false }
                // The next file may end this process. Send these facts now, so that the server has the facts of the files before it.
                if index > 0, ContinuousClock.now - sent > Self.patience {
                    guard send(facts, false) else { return false }
                    (facts, sent) = (FrameWriter(), ContinuousClock.now)
                }
                FactFile.write(file.read(latestYear: latestYear), to: &facts)
            }
            return send(facts, true)
        }
    }
}
