import Media
import Store
import Synchronization

/// The facts about the pictures of all served folders, stored in a file of the cache directory.
///
/// The file can be deleted at any time: missing facts are read from the pictures again. If the file cannot be used, the index stays in
/// memory and warns once.
public final class PictureIndex: Sendable {
    private struct State {
        var file: IndexFile?
        var hasWarned = false
    }

    let equipment = Equipment()
    /// Reads metadata in other processes. `nil` if this process reads metadata.
    let reader: FactsReader?
    private let state = Mutex(State())
    private let warn: @Sendable (String) -> Void

    /// Opens the index. Never fails. Reads a database: do not call this on a thread that must not wait.
    ///
    /// - Parameters:
    ///   - directory: the folder of `index.sqlite`, created if missing. `nil` stores everything in memory.
    ///   - workers: processes that read metadata in a sandbox. If `nil`, this process reads the files.
    ///   - warn: receives a sentence for the operator if the file cannot be used or was renamed.
    public init(
        directory: String?, workers: WorkerPool? = nil,
        warn: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.warn = warn
        reader = workers.map { FactsReader($0, warn: warn) }
        guard let directory else { return }
        do {
            let file = try IndexFile(directory: directory, equipment: equipment, warn: warn)
            state.withLock { $0.file = file }
        } catch {
            failed(error)
        }
    }

    /// Closes the file. Later facts are stored only in memory.
    public func close() {
        let file = state.withLock { state in
            defer { state.file = nil }
            return state.file
        }
        file?.close()
    }

    /// Calls `body` with the file. Returns `nil` if there is no file or if `body` fails.
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
