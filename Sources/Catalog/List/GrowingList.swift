import Dispatch
import Glibc
import Synchronization
import Threads

/// A list that is shown while it is read, such as a long file or lines from a pipe. A file is read again if it changes.
public final class GrowingList: CatalogSource {
    private let publisher: CatalogPublisher
    private let orders: ListFile.Orders?

    /// Starts to read. Returns as soon as there is something to show: the whole list, or the items that arrive in the first moments.
    ///
    /// - Parameters:
    ///   - file: descriptor to read from. Closed at the end.
    ///   - name: name of the source in messages for the operator. Default: the title.
    ///   - firstCheck: milliseconds until the items read so far are shown. Later updates are ever less frequent.
    ///   - warn: receives a sentence for the operator about entries that are left out.
    /// - Throws: ``ListProblem`` if the part read before the first update is not a list or has no usable entry.
    public init(
        reading file: Int32, as format: ListFormat, title: String, name: String? = nil,
        limits: ListLimits = ListLimits(),
        firstCheck: Int = 250, warn: @escaping @Sendable (String) -> Void = { _ in }
    ) throws(ListProblem) {
        orders = nil
        let start = FirstCheck()
        let list = FollowedList(title: title, name: name ?? title, format: format, limits: limits, warn: warn)
        publisher = CatalogPublisher(list.empty)
        do throws(ListProblem) {
            try start.detach { [publisher] in
                var list = list
                defer { close(file) }
                return list.follow(file, on: publisher, Pace(interval: firstCheck), whenShown: { start.end() })
            } then: { [publisher] in
                publisher.finish()
            }
        } catch {
            close(file)
            throw error
        }
        try start.wait()
    }

    /// Starts to read a file. The file name determines the format. Returns as soon as there is something to show. JSON is shown only after
    /// it has been read completely, because the title may be at its end.
    ///
    /// If the file changes later, it is read again and shown once complete. If the file cannot be read then, the last list stays.
    ///
    /// - Parameters:
    ///   - options: how the file is watched, and the delay before a long list is first shown.
    ///   - warn: receives a sentence for the operator about entries that are left out, or about a list that cannot be read.
    ///   - progress: receives the number of items and bytes read so far. Called on another thread after each 256 kB of JSON of the first
    ///     reading.
    /// - Throws: ``ListProblem`` if the file cannot be read, is not a list, or has no usable entry.
    public init(
        contentsOf path: String, limits: ListLimits = ListLimits(), watching options: FolderOptions = FolderOptions(),
        warn: @escaping @Sendable (String) -> Void = { _ in },
        progress: @escaping @Sendable (_ items: Int, _ bytes: Int) -> Void = { _, _ in }
    ) throws(ListProblem) {
        guard let format = ListFormat(path: path) else {
            throw ListProblem(reason: "the name of a list ends with \(ListFormat.endings)")
        }
        guard let orders = ListFile.Orders() else { throw ListProblem(reason: String(cString: strerror(errno))) }
        self.orders = orders
        let start = FirstCheck()
        let name = path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path[...]
        let list = FollowedList(
            title: PictureName.title(ofFile: String(name)), name: path, format: format, limits: limits, warn: warn)
        publisher = CatalogPublisher(list.empty)
        try start.detach { [publisher] in
            // Start the watch first, so that a change after the start of the first reading is noticed.
            let source = ListFile(path, options: options, orders: orders, warn: warn)
            do throws(ListProblem) {
                let file = try source.open(waits: true)
                defer { close(file) }
                var first = list
                let problem =
                    if format == .json {
                        first.follow(file, on: publisher, nil, progress: progress)
                    } else {
                        first.follow(
                            file, on: publisher, Pace(interval: options.publishInterval), whenShown: { start.end() })
                    }
                if let problem { throw problem }
            } catch {
                return error
            }
            start.end()
            guard source.isRegular else { return nil }
            while let isOrdered = source.waitUntilChanged() {
                list.read(source, again: publisher, isOrdered: isOrdered)
            }
            return nil
        } then: { [publisher] in
            publisher.finish()
        }
        try start.wait()
    }

    deinit { orders?.stop() }

    public var catalog: Catalog { publisher.catalog }
    public var changes: AsyncStream<Int> { publisher.changes }
    public func readAgain() { orders?.readAgain() }
}

/// Lets the initializer wait until the first items are shown.
private final class FirstCheck: Sendable {
    private let isOver = DispatchSemaphore(value: 0)
    private let problem = Mutex<ListProblem?>(nil)

    /// Starts the reading thread. The wait ends at the latest when `read` returns.
    func detach(
        _ read: @escaping @Sendable () -> ListProblem?, then finish: @escaping @Sendable () -> Void
    ) throws(ListProblem) {
        do throws(SystemThread.Refusal) {
            try SystemThread.detach("list") {
                Niceness.raise(to: Niceness.pool)
                let failure = read()
                finish()
                self.end(failure)
            }
        } catch {
            throw ListProblem(
                reason: "cannot start a thread to read the list: \(String(cString: strerror(error.code)))")
        }
    }

    func end(_ problem: ListProblem? = nil) {
        if let problem { self.problem.withLock { $0 = problem } }
        isOver.signal()
    }

    func wait() throws(ListProblem) {
        isOver.wait()
        if let problem = problem.withLock({ $0 }) { throw problem }
    }
}

/// One reading of a list, on the reading thread.
private struct FollowedList: Sendable {
    private let title: String
    private let name: String
    private let format: ListFormat
    private let limits: ListLimits
    private let warn: @Sendable (String) -> Void
    private var reader: ListReader
    /// Number of items in the list when it was last shown. `nil` before that.
    private var shown: Int?
    private var problemsReported = 0

    init(
        title: String, name: String, format: ListFormat, limits: ListLimits,
        warn: @escaping @Sendable (String) -> Void
    ) {
        self.title = title
        self.name = name
        self.format = format
        self.limits = limits
        self.warn = warn
        reader = ListReader(format: format, limits: limits)
    }

    /// The catalogue before the first item is read.
    var empty: Catalog { reader.soFar(title: title, revision: -1).catalog }

    /// Reads the list to its end.
    ///
    /// - Parameters:
    ///   - pace: schedule for showing the items read so far. If `nil`, only the whole list is shown.
    ///   - whenShown: called after the first items are shown.
    ///   - isCurrent: returns whether to show the whole list.
    /// - Returns: the reason why there is no list. `nil` if some of the list has been shown.
    mutating func follow(
        _ file: Int32, on publisher: CatalogPublisher, _ pace: Pace?, whenShown: () -> Void = {},
        isCurrent: () -> Bool = { true }, progress: (_ items: Int, _ bytes: Int) -> Void = { _, _ in }
    ) -> ListProblem? {
        var pace = pace
        var bytes = 0
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 262_144, alignment: 16)
        defer { buffer.deallocate() }
        do throws(ListProblem) {
            while true {
                if pace?.isDue == true {
                    pace?.run { showSoFar(on: publisher) }
                    whenShown()
                }
                var request = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
                // If the wait was interrupted, check again.
                guard poll(&request, 1, pace?.wait ?? -1) > 0 else { continue }
                let count = Glibc.read(file, buffer.baseAddress, buffer.count)
                if count < 0, errno == EINTR || errno == EAGAIN { continue }
                guard count >= 0 else { throw ListProblem(reason: String(cString: strerror(errno))) }
                if count == 0 { break }
                try reader.feed(UnsafeBufferPointer(rebasing: buffer.bindMemory(to: UInt8.self)[..<count]))
                bytes &+= count
                progress(reader.count, bytes)
            }
            let whole = try reader.finish(title: title, revision: publisher.catalog.revision + 1)
            guard isCurrent() else { return nil }
            reportRest()
            publisher.publish { _ in whole.catalog }
        } catch {
            guard let shown, shown > 0 else { return error }
            // Keep the items read so far, because a session may be showing them.
            warn("\(name): \(error); the rest is not read.")
            reportRest()
            publisher.publish { last in
                reader.soFar(title: title, revision: last.revision + 1, isComplete: true).catalog
            }
        }
        return nil
    }

    /// Reads a file again and shows it if it is a valid list. Otherwise the last list stays.
    ///
    /// - Parameter isOrdered: whether to show the list even if the file changes during the reading.
    func read(_ source: ListFile, again publisher: CatalogPublisher, isOrdered: Bool) {
        do throws(ListProblem) {
            let file = try source.open()
            defer { close(file) }
            guard source.isRegular else { throw ListProblem(reason: "is not a file") }
            var list = FollowedList(title: title, name: name, format: format, limits: limits, warn: warn)
            // A file that changes during the reading is read once more after it is complete.
            var isCurrent = true
            let problem = list.follow(
                file, on: publisher, nil,
                isCurrent: {
                    isCurrent = isOrdered || source.isUnchanged(file)
                    return isCurrent
                })
            guard isCurrent, problem == nil || isOrdered || source.isUnchanged(file) else { return }
            if let problem { throw problem }
            source.report(nil)
        } catch {
            source.report(error, again: isOrdered)
        }
    }

    private mutating func showSoFar(on publisher: CatalogPublisher) {
        guard shown != reader.count else { return }
        reportProblems()
        shown = reader.count
        publisher.publish { last in reader.soFar(title: title, revision: last.revision + 1).catalog }
    }

    private mutating func reportRest() {
        reportProblems()
        let more = reader.problemCount - reader.problems.count
        if more > 0 { warn("\(name): \(more) more entries are left out.") }
        if let sentence = reader.wrongHints.sentence { warn("\(name): \(sentence).") }
    }

    private mutating func reportProblems() {
        for problem in reader.problems.dropFirst(problemsReported) { warn("\(name): \(problem); left out.") }
        problemsReported = reader.problems.count
    }
}
