import Dispatch
import Glibc
import Synchronization
import Threads

/// A list that is shown while it is still read: a long file, or lines that keep coming from a pipe.
public final class GrowingList: CatalogSource {
    private let publisher: CatalogPublisher

    /// Begins to read, and returns as soon as there is something to show: all of it, or what has come within the first
    /// moments.
    ///
    /// - Parameters:
    ///   - file: is closed in the end.
    ///   - name: of the source, in what the operator is told. Default: the title.
    ///   - firstLook: milliseconds after which what was read so far is shown; then more, ever more seldom.
    ///   - warn: told, in a sentence for the operator, which entries were left out.
    /// - Throws: ``ListProblem`` when what was read by then is no list, or holds no usable entry.
    public init(
        reading file: Int32, as format: ListFormat, title: String, name: String? = nil,
        limits: ListLimits = ListLimits(),
        firstLook: Int = 250, warn: @escaping @Sendable (String) -> Void = { _ in }
    ) throws(ListProblem) {
        publisher = CatalogPublisher(
            ListBuilder(limits: limits).finish(title: title, revision: -1, isComplete: false).catalog)
        let start = FirstLook()
        let reader = ListReader(format: format, limits: limits)
        let read: @Sendable () -> Void = { [publisher] in
            Niceness.raise(to: Niceness.pool)
            var list = FollowedList(
                file: file, title: title, name: name ?? title, reader: reader, publisher: publisher, warn: warn)
            let failure = list.follow(Pace(interval: firstLook)) { start.end() }
            publisher.finish()
            close(file)
            start.end(failure)
        }
        do throws(SystemThread.Refusal) {
            try SystemThread.detach("list", read)
        } catch {
            close(file)
            throw ListProblem(reason: "there is no thread to read it: \(String(cString: strerror(error.code)))")
        }
        if let problem = start.wait() { throw problem }
    }

    public var catalog: Catalog { publisher.catalog }
    public var changes: AsyncStream<Int> { publisher.changes }
}

/// Ends the wait for the first look, once.
private final class FirstLook: Sendable {
    private let isOver = DispatchSemaphore(value: 0)
    private let problem = Mutex<ListProblem?>(nil)

    func end(_ problem: ListProblem? = nil) {
        if let problem { self.problem.withLock { $0 = problem } }
        isOver.signal()
    }

    func wait() -> ListProblem? {
        isOver.wait()
        return problem.withLock { $0 }
    }
}

/// The work of the reading thread.
private struct FollowedList {
    private let file: Int32
    private let title: String
    private let name: String
    private let publisher: CatalogPublisher
    private let warn: @Sendable (String) -> Void
    private var reader: ListReader
    /// Items in the list as it was last shown; nil before.
    private var shown: Int?
    private var problemsTold = 0

    init(
        file: Int32, title: String, name: String, reader: ListReader, publisher: CatalogPublisher,
        warn: @escaping @Sendable (String) -> Void
    ) {
        self.file = file
        self.name = name
        self.title = title
        self.reader = reader
        self.publisher = publisher
        self.warn = warn
    }

    /// Reads to the end.
    ///
    /// - Parameter whenShown: called after the first look.
    /// - Returns: why there is no list, unless some of it was shown before.
    mutating func follow(_ pace: Pace, whenShown: () -> Void) -> ListProblem? {
        var pace = pace
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 262_144, alignment: 16)
        defer { buffer.deallocate() }
        do throws(ListProblem) {
            while true {
                if pace.isDue {
                    pace.run { showSoFar() }
                    whenShown()
                }
                var request = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
                // A wait that is cut short only looks again.
                guard poll(&request, 1, pace.wait) > 0 else { continue }
                let count = read(file, buffer.baseAddress, buffer.count)
                if count < 0, errno == EINTR || errno == EAGAIN { continue }
                guard count >= 0 else { throw ListProblem(reason: String(cString: strerror(errno))) }
                if count == 0 { break }
                try reader.feed(UnsafeBufferPointer(rebasing: buffer.bindMemory(to: UInt8.self)[..<count]))
            }
            let whole = try reader.finish(title: title, revision: publisher.catalog.revision + 1)
            tellRest()
            publisher.publish { _ in whole.catalog }
        } catch {
            guard let shown, shown > 0 else { return error }
            // Keep the items read so far: a session may show them.
            warn("\(name): \(error); the rest is not read.")
            tellRest()
        }
        return nil
    }

    private mutating func showSoFar() {
        guard shown != reader.count else { return }
        tellProblems()
        shown = reader.count
        publisher.publish { last in reader.soFar(title: title, revision: last.revision + 1).catalog }
    }

    private mutating func tellRest() {
        tellProblems()
        let more = reader.problemCount - reader.problems.count
        if more > 0 { warn("\(name): \(more) more entries are left out.") }
    }

    private mutating func tellProblems() {
        for problem in reader.problems.dropFirst(problemsTold) { warn("\(name): \(problem); left out.") }
        problemsTold = reader.problems.count
    }
}
