import PhotoFacts
import Pictures

/// The process that reads the metadata of files, which strangers have written, apart from the server. It is given open files and can
/// open none.
public enum FactsWorker {
    /// The first argument that the program's `main` answers with ``run()``.
    public static let command = "facts-worker"

    /// Runs until the server lets go. Returns the process's exit code.
    public static func run() -> Int32 {
        DescriptorWorker.run { request, descriptors, send in
            guard let latestYear = request.number(), let count = request.number() else { return false }
            var rest = descriptors[...]
            var answer = FrameWriter()
            var sent = ContinuousClock.now
            for index in 0..<count {
                guard let file = FactFile(&request, &rest) else { return false }
                // The next file may end this process. The server then has the facts of the files before it.
                if index > 0, ContinuousClock.now - sent > patience {
                    guard send(answer) else { return false }
                    (answer, sent) = (FrameWriter(), ContinuousClock.now)
                }
                FactFile.write(file.read(latestYear: latestYear), to: &answer)
            }
            return send(answer)
        }
    }

    /// How long results wait to be sent together.
    private static let patience = Duration.milliseconds(20)
}
