import PhotoFacts
import Pictures

/// The process that reads the metadata of files, which strangers have written, apart from the server. It is given open files and can
/// open none.
public enum FactsWorker {
    /// The first argument that the program's `main` answers with ``run()``.
    public static let command = "facts-worker"

    /// Runs until the server lets go. Returns the process's exit code.
    public static func run() -> Int32 {
        DescriptorWorker.run { request, descriptors in
            guard let latestYear = request.number(), let count = request.number() else { return nil }
            var rest = descriptors[...]
            var answer = FrameWriter()
            for _ in 0..<count {
                guard let file = FactFile(&request, &rest) else { return nil }
                FactFile.write(file.read(latestYear: latestYear), to: &answer)
            }
            return answer
        }
    }
}
