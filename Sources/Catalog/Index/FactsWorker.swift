import PhotoFacts
import Pictures

/// The process that reads the metadata of untrusted files, separate from the server. It receives open files and cannot open any.
public enum FactsWorker {
    /// First command line argument of the process. The program's `main` must then call ``run()``.
    public static let command = "facts-worker"

    /// Runs until the server closes the connection. Returns the exit code of the process.
    public static func run() -> Int32 {
        DescriptorWorker.run { request, descriptors, send in
            guard let latestYear = request.number(), let count = request.number() else { return false }
            var rest = descriptors[...]
            var response = FrameWriter()
            var sent = ContinuousClock.now
            for index in 0..<count {
                guard let file = FactFile(&request, &rest) else { return false }
                // The next file may end this process. Send these results now, so that the server has the facts of the files before it.
                if index > 0, ContinuousClock.now - sent > patience {
                    guard send(response) else { return false }
                    (response, sent) = (FrameWriter(), ContinuousClock.now)
                }
                FactFile.write(file.read(latestYear: latestYear), to: &response)
            }
            return send(response)
        }
    }

    /// Maximum time that results wait to be sent together.
    private static let patience = Duration.milliseconds(20)
}
