import Media
import Synchronization

/// Reads the metadata of files in the processes of a ``WorkerPool``, many files with one request.
final class FactsReader: Sendable {
    /// The reason why the facts of a file were not read.
    enum Failure: Error {
        /// The file ends its reader process each time.
        case fatal
        /// The file may be readable at another time.
        case unavailable
    }

    /// Maximum number of files in a batch that may be unavailable. After that the batch is given up, because the disk hangs.
    private static let maximumInterruptions = 3
    private static let maximumWarnings = 20

    private let workers: WorkerPool
    private let warnings = Mutex(0)
    private let warn: @Sendable (String) -> Void

    init(_ workers: WorkerPool, warn: @escaping @Sendable (String) -> Void) {
        self.workers = workers
        self.warn = warn
    }

    /// Reads files. Uses one request unless a file ends its reader. Blocks until done.
    ///
    /// - Parameter isForPerson: whether a person waits for the result, not the index.
    /// - Returns: one result for each file, in the same order.
    func read(_ files: [FactFile], latestYear: Int, isForPerson: Bool = false) -> [Result<PictureFacts, Failure>] {
        var found: [Result<PictureFacts, Failure>] = []
        var interruptions = 0
        // After a failure, files are read one by one until the file that caused it has failed again.
        var isAlone = false
        while found.count < files.count {
            guard interruptions < Self.maximumInterruptions else {
                found += files.dropFirst(found.count).map { _ in .failure(.unavailable) }
                break
            }
            let rest = files.dropFirst(found.count).prefix(isAlone ? 1 : files.count)
            let (facts, failure) = ask(Array(rest), latestYear, isForPerson)
            found += facts.map { .success($0) }
            guard let failure else { continue }
            if case .noWorker(let reason) = failure {
                say("Metadata is not read: cannot start a process for it: \(reason)")
                interruptions = Self.maximumInterruptions
            } else if isAlone, let file = rest.first {
                found.append(.failure(verdict(on: file, failure)))
                if case .failure(.unavailable)? = found.last { interruptions += 1 }
                isAlone = false
            } else {
                // The signal that ended this worker may have ended others.
                if case .interrupted = failure { workers.endIdle() }
                isAlone = true
            }
        }
        return found
    }

    private func verdict(on file: FactFile, _ failure: RenderError) -> Failure {
        switch failure {
        case .workerDied(let reason):
            say("The metadata of \(file.path) cannot be read: its reader process failed: \(reason)")
            return .fatal
        case .tooSlow:
            say("The metadata of \(file.path) cannot be read: it takes too long")
            return .fatal
        case .shutDown: return .unavailable
        default:
            say("The metadata of \(file.path) is not read this time: \(failure)")
            return .unavailable
        }
    }

    /// - Returns: the facts of the files before the failure, or of all files if there was no failure.
    private func ask(
        _ files: [FactFile], _ latestYear: Int, _ isForPerson: Bool
    ) -> (found: [PictureFacts], failure: RenderError?) {
        var request = WorkerRequest.facts(descriptors: files.flatMap(\.descriptors))
        request.frame.number(latestYear)
        request.frame.number(files.count)
        for file in files { file.write(to: &request.frame) }
        var found: [PictureFacts] = []
        do throws(RenderError) {
            try workers.ask(request, for: isForPerson ? .facts : .index) { reply, isLast in
                // Each frame has the facts of a file. Otherwise a malicious worker could send frames without end.
                repeat {
                    guard found.count < files.count, let facts = files[found.count].facts(&reply) else { return false }
                    found.append(facts)
                } while !reply.isAtEnd
                return !isLast || found.count == files.count
            }
            return (found, nil)
        } catch {
            return (found, error)
        }
    }

    private func say(_ line: String) {
        let count = warnings.withLock { count in
            count += 1
            return count
        }
        if count <= Self.maximumWarnings { warn(line) }
    }
}
