import Pictures
import Store
import Synchronization

/// The facts of all served folders' pictures, kept in a file of the cache directory across restarts.
///
/// It can be thrown away at any time: what is missing is read from the pictures again. Where the file cannot be used the index
/// goes on in memory, and says so once.
public final class PictureIndex: Sendable {
    private struct State {
        var file: IndexFile?
        var hasWarned = false
    }

    let equipment = Equipment()
    /// Reads metadata; `nil` where this process does.
    let pool: FactsPool?
    private let state = Mutex(State())
    private let warn: @Sendable (String) -> Void

    /// Opens the index; never fails. Reads a database: not on a thread that must not wait.
    ///
    /// - Parameters:
    ///   - directory: the folder of `index.sqlite`; made when it is not there. `nil` keeps everything in memory.
    ///   - worker: how a process is started that reads metadata in a sandbox; without one, files are read in this process.
    ///   - warn: told in a sentence for the operator when the file cannot be used, or was set aside.
    public init(
        directory: String?, worker: RendererConfiguration? = nil,
        warn: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.warn = warn
        pool = worker.map { FactsPool($0, warn: warn) }
        guard let directory else { return }
        do {
            let file = try IndexFile(directory: directory, equipment: equipment, warn: warn)
            state.withLock { $0.file = file }
        } catch {
            failed(error)
        }
    }

    /// The processes that read metadata.
    package var workerProcesses: [Int32] { pool?.processes ?? [] }

    /// Lets go of the file. What is found later stays in memory.
    public func close() {
        let file = state.withLock { state in
            defer { state.file = nil }
            return state.file
        }
        file?.close()
        pool?.close()
    }

    /// Does something with the file; `nil` where there is none, or it fails.
    @discardableResult
    package func use<Value>(_ body: (IndexFile) throws -> Value) -> Value? {
        guard let file = state.withLock({ $0.file }) else { return nil }
        do { return try body(file) } catch {
            failed(error)
            return nil
        }
    }

    private func failed(_ error: any Error) {
        let isFirst = state.withLock { state in
            defer { state.hasWarned = true }
            return !state.hasWarned
        }
        if isFirst {
            warn(
                "The index cannot be used, so metadata may be read again after a restart: \(DatabaseFile.reason(error))."
            )
        }
    }
}
