import Glibc
import Media
import Synchronization
import Threads

/// The file of a list. Detects changes of the file since it was last read.
///
/// Used only by the thread that reads the list, except ``Orders``.
final class ListFile {
    /// Orders from other threads.
    final class Orders: Sendable {
        fileprivate let signal: Wakeup
        private let state = Mutex((isStopped: false, mustRead: false))

        init?() {
            guard let signal = Wakeup() else { return nil }
            self.signal = signal
        }

        func stop() { order { $0.isStopped = true } }
        func readAgain() { order { $0.mustRead = true } }

        private func order(_ change: (inout (isStopped: Bool, mustRead: Bool)) -> Void) {
            state.withLock { change(&$0) }
            signal.signal()
        }

        fileprivate func take() -> (isStopped: Bool, mustRead: Bool) {
            // Clear the signal first. An order that arrives between the two steps then wakes the thread again.
            signal.clear()
            return state.withLock { state in
                defer { state.mustRead = false }
                return state
            }
        }
    }

    /// The state of a file. It changes if the contents change.
    struct Stamp: Equatable {
        let file: DirectoryID
        let size: Int64
        /// Time of the last change, in nanoseconds since 1970.
        let changed: Int64

        fileprivate init(_ status: stat) throws(ListProblem) {
            guard status.st_mode & S_IFMT == S_IFREG else { throw ListProblem(reason: "is not a file") }
            file = DirectoryID(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
            size = Int64(status.st_size)
            changed = DirectoryContents.changed(status)
        }

        init(ofOpen file: Int32) throws(ListProblem) {
            var status = stat()
            guard fstat(file, &status) == 0 else { throw ListProblem(reason: String(cString: strerror(errno))) }
            try self.init(status)
        }

        init(path: String) throws(ListProblem) {
            var status = stat()
            guard stat(path, &status) == 0 else { throw ListProblem(reason: String(cString: strerror(errno))) }
            try self.init(status)
        }
    }

    let path: String
    /// State of the file when it was last read. `nil` if the file cannot be read.
    private var stamp: Stamp?
    private let folder: String
    private let name: String
    private let options: FolderOptions
    private let orders: Orders
    private let warn: @Sendable (String) -> Void
    private let watch: FolderWatch?
    private var watched: (id: DirectoryID, number: Int32?)?
    private var hasWarned = false
    /// Reason why the last reading failed.
    private var problem: ListProblem?

    /// Starts to watch the file.
    init(_ path: String, options: FolderOptions, orders: Orders, warn: @escaping @Sendable (String) -> Void) {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        let folder = parts.dropLast().joined(separator: "/")
        self.path = path
        self.folder = parts.count < 2 ? "." : folder.isEmpty ? "/" : folder
        self.name = parts.last.map(String.init) ?? path
        self.options = options.clamped
        self.orders = orders
        self.warn = warn
        watch = options.watches ? FolderWatch { [folder = self.folder] _ in folder } : nil
        watchFolder()
    }

    /// - Parameter waits: whether to wait for the writer of a pipe.
    func open(waits: Bool = false) throws(ListProblem) -> Int32 {
        let file = Glibc.open(path, O_RDONLY | O_CLOEXEC | (waits ? 0 : O_NONBLOCK))
        guard file >= 0 else {
            let reason = String(cString: strerror(errno))
            // Do not retry until the file changes.
            stamp = try? Stamp(path: path)
            throw ListProblem(reason: reason)
        }
        stamp = try? Stamp(ofOpen: file)
        return file
    }

    /// Whether the open file can be watched, because it is not a pipe.
    var isRegular: Bool { stamp != nil }

    /// Whether the file that was opened last has not changed since then.
    func isUnchanged(_ file: Int32) -> Bool { (try? Stamp(ofOpen: file)) == stamp }

    /// Waits until the file should be read: if the file has changed and is complete, or if an order arrived.
    ///
    /// - Returns: whether an order requests the reading. `nil` if the thread must end.
    func waitUntilChanged() -> Bool? {
        while true {
            let order = orders.take()
            if order.isStopped { return nil }
            if order.mustRead { return true }
            guard let isWhole = waitForNotice() else { continue }
            do throws(ListProblem) {
                let now = try Stamp(path: path)
                if now != stamp, isWhole || now.changed < options.settledBefore { return false }
            } catch {
                stamp = nil
                report(error)
            }
        }
    }

    /// - Returns: whether a notice says that the file is complete. `nil` if an order arrived.
    private func waitForNotice() -> Bool? {
        guard options.watches, let watch else {
            return orders.signal.wait(options.watches ? Int32(clamping: options.checkInterval) : -1) ? nil : false
        }
        watchFolder()
        guard let changes = watch.collect(options, orders.signal) else { return nil }
        let own = changes.filter { $0.watch == watched?.number }
        if own.contains(where: \.isGone) {
            if let number = watched?.number { watch.remove(number) }
            watched = nil
        }
        return changes.contains(where: \.isOverflow) || own.contains { $0.isContent && $0.name == name }
    }

    /// Watches the folder that currently has the path.
    private func watchFolder() {
        guard let watch else {
            if options.watches { complain() }
            return
        }
        let id = DirectoryID(path: folder)
        guard id != watched?.id else { return }
        if let number = watched?.number { watch.remove(number) }
        watched = nil
        guard let id else { return }
        do throws(FolderWatch.NoneLeft) {
            watched = (id, try watch.add(folder))
        } catch {
            watched = (id, nil)
            complain()
        }
    }

    private func complain() {
        if hasWarned { return }
        hasWarned = true
        warn(
            "Changes of \(path) will be noticed late: the system has no watches left "
                + "(raise fs.inotify.max_user_watches).")
    }

    /// Warns once if the list cannot be read, and once if it can be read again.
    ///
    /// - Parameter again: whether to repeat a warning.
    func report(_ problem: ListProblem?, again: Bool = false) {
        guard again || problem != self.problem else { return }
        self.problem = problem
        guard let problem else { return warn("The list \(path) can be read again; the gallery shows it.") }
        warn(
            "The list \(path) cannot be read: \(problem). The gallery keeps the last list. Correct or replace the file; "
                + "it is read again when it changes.")
    }
}
