import Catalog
import Gallery
import JSON
import MicroHTTP
import Synchronization
import Thumbnails

extension API {
    private static let listFormats: [String: ListFormat] = [
        "application/json": .json, "application/x-ndjson": .ndjson, "application/ndjson": .ndjson,
    ]

    /// Receives an arrangement, `{"of",…}`, which is short, or a list, which may be long and needs the full token.
    func receiveGallery(_ request: Request) -> UploadReply {
        let maker = gatekeeper.caller(of: request)
        let isJSON = request.header("Content-Type").map(Self.mediaType) == Self.jsonType
        let length = request.header("Content-Length").flatMap { Int($0) } ?? .max
        if isJSON, length <= min(Self.maxArrangement, settings.maxUpload) {
            return .collect(limit: Self.maxArrangement) { request in receiveWhole(request, maker) }
        }
        do throws(Problem) {
            let upload = try listUpload(request, maker)
            return .accept(
                Upload(
                    receive: { bytes in upload.feed(bytes).map(Self.response) },
                    finish: { await finish(upload, maker) }, abandoned: { upload.abandon() }))
        } catch {
            return .refuse(Self.response(error))
        }
    }

    private func receiveWhole(_ request: Request, _ maker: Caller) -> Reply {
        do throws(Problem) {
            if let (base, arrangement) = try arrangement(request) {
                return .later { await arrange(base, arrangement) }
            }
            let upload = try listUpload(request, maker)
            return .later {
                if let problem = upload.feed(request.body) { return Self.response(problem) }
                return await finish(upload, maker)
            }
        } catch {
            return .now(Self.response(error))
        }
    }

    /// Creates an upload for a JSON list `{"title","items":[…]}`, or for NDJSON with one item per line and the title in the query.
    private func listUpload(_ request: Request, _ maker: Caller) throws(Problem) -> ListUpload {
        guard maker.access == .full else { throw .viewOnly }
        let type = request.header("Content-Type").map(Self.mediaType) ?? ""
        guard let format = Self.listFormats[type] else {
            throw Problem(415, "Send the list as application/json or application/x-ndjson.")
        }
        let title = request.query("title") ?? "List"
        var limits = settings.lists
        limits.maxItems = settings.maxItems
        guard title.utf8.count <= limits.maxTitleBytes else {
            throw .outOfRange("/title", "at most \(limits.maxTitleBytes) bytes")
        }
        let totalBytes = request.header("Content-Length").flatMap { Int($0) }
        let share = uploads.share(for: maker.network)
        // The parser refuses a longer list with another status.
        guard share.hold(min(totalBytes ?? 0, settings.maxUpload)) else { throw .tooManyUploads }
        // In NDJSON, a bad line does not fail the whole list. The response lists such lines.
        return ListUpload(
            ListReader(format: format, limits: limits, stopsAtFirstProblem: format == .json), title: title,
            totalBytes: totalBytes, share: share, galleryEvents: galleryEvents)
    }

    private func finish(_ upload: ListUpload, _ maker: Caller) async -> Response {
        let id = Identifier.random(bytes: 8)
        let refusal = await sharing?.refusal(of: id)
        // Sorting the items of a long list into sections takes a while.
        let response = await respondLater { () throws(Problem) in
            let (gallery, list) = try upload.finish { catalog throws(Problem) in
                if let refusal { throw refusal }
                return try galleries.add(catalog, id: id, madeBy: maker)
            }
            galleryEvents.send("gallery", gallery.currentDocument)
            return Self.json(
                gallery.document(leftOut: list), status: 201,
                headers: [("Location", "\(APIPath.galleries)/\(gallery.id)")])
        }
        if response.status == 201 { await sharing?.made(id) }
        return response
    }
}

extension PictureGallery {
    /// Returns the gallery's document with information about omitted data: `"ignoredFieldCount"`, `"problemCount"`, and for the first
    /// problems `"problems":[{"line","field","reason"}]`.
    fileprivate func document(leftOut list: PictureList) -> [UInt8] {
        var writer = JSONWriter()
        writer.object {
            writeMembers(of: content, to: &$0)
            writeIndex(to: &$0)
            if list.wrongHints.count > 0 { $0.member("ignoredFieldCount", list.wrongHints.count) }
            guard list.problemCount > 0 else { return }
            $0.member("problemCount", list.problemCount)
            $0.member("problems") {
                $0.array {
                    for problem in list.problems {
                        $0.object {
                            if let line = problem.line { $0.member("line", line) }
                            if let field = problem.field { $0.member("field", field) }
                            $0.member("reason", problem.reason)
                        }
                    }
                }
            }
        }
        return writer.bytes
    }
}

/// Parses a list while it is being received, and reports the progress. Pieces arrive one after the other, so the lock only passes the
/// reader between threads.
package final class ListUpload: Sendable {
    enum Stage: String, CaseIterable { case receiving, done, refused, abandoned }

    /// Interval between progress events.
    private static let pause = Duration.milliseconds(250)

    package struct State {
        fileprivate var reader: ListReader
        fileprivate var bytes = 0
        fileprivate var reportedAt: ContinuousClock.Instant?
    }

    private enum Work {
        /// Waiting for the next piece.
        case idle
        /// A thread is processing a piece or the end, and holds the state's lock.
        case busy
        /// The client left while a thread was busy. That thread reports it.
        case left
        /// The end of the upload was reported.
        case over
    }

    private let number: Int
    private let title: String
    private let totalBytes: Int?
    /// This list's share of the bytes that all lists may use during their uploads.
    private let share: ByteBudget.Share
    private let galleryEvents: GalleryEvents
    private let state: Mutex<State>
    /// Held only for moments.
    private let work = Mutex(Work.idle)

    package init(
        _ reader: ListReader, title: String, totalBytes: Int?, share: ByteBudget.Share, galleryEvents: GalleryEvents
    ) {
        number = galleryEvents.nextUpload()
        self.title = title
        self.totalBytes = totalBytes
        self.share = share
        self.galleryEvents = galleryEvents
        state = Mutex(State(reader: reader))
    }

    /// - Returns: the problem of the list, or `nil` if there is none so far.
    package func feed(_ bytes: [UInt8]) -> Problem? {
        working { state in
            func refused(_ problem: Problem) -> (Problem?, Bool) {
                report(.refused, state, reason: problem.detail)
                return (problem, true)
            }
            state.bytes += bytes.count
            guard share.hold(max(totalBytes ?? 0, state.bytes)) else { return refused(.tooManyUploads) }
            do throws(ListProblem) {
                try state.reader.feed(bytes)
                let now = ContinuousClock.now
                if state.reportedAt.map({ $0.duration(to: now) >= Self.pause }) ?? true {
                    state.reportedAt = now
                    report(.receiving, state)
                }
                return (nil, false)
            } catch {
                return refused(Problem(error))
            }
        }
    }

    package func finish(
        _ add: (PictureList) throws(Problem) -> PictureGallery
    ) throws(Problem) -> (PictureGallery, PictureList) {
        let result: Result<(PictureGallery, PictureList), Problem> = working { state in
            do throws(Problem) {
                let catalog: PictureList
                do throws(ListProblem) {
                    catalog = try state.reader.finish(title: title)
                } catch {
                    throw Problem(error)
                }
                let gallery = try add(catalog)
                report(.done, state, gallery: gallery.id)
                return (.success((gallery, catalog)), true)
            } catch {
                report(.refused, state, reason: error.detail)
                return (.failure(error), true)
            }
        }
        return try result.get()
    }

    /// Records that the client left before the end. Does not wait for a thread that is processing a piece.
    package func abandon() {
        let isIdle = work.withLock { work in
            switch work {
            case .idle: work = .over
            case .busy:
                work = .left
                return false
            case .left, .over: return false
            }
            return true
        }
        if isIdle { reportAbandoned() }
    }

    /// - Parameter body: returns its result, and whether it reported the end of the upload.
    package func working<Value: Sendable>(_ body: (inout State) -> (Value, isOver: Bool)) -> Value {
        work.withLock { if $0 == .idle { $0 = .busy } }
        let (value, isOver) = state.withLock { body(&$0) }
        let hasLeft = work.withLock { work in
            defer { if work != .busy || isOver { work = .over } else { work = .idle } }
            return work == .left && !isOver
        }
        if hasLeft { reportAbandoned() }
        return value
    }

    private func reportAbandoned() {
        state.withLock { report(.abandoned, $0, reason: "the client disconnected or was too slow") }
    }

    /// Sends an event `{"upload","title","state","items","bytes","totalBytes"?,"gallery"?,"reason"?}`.
    private func report(_ stage: Stage, _ state: State, gallery: String? = nil, reason: String? = nil) {
        func document() -> [UInt8] {
            var writer = JSONWriter()
            writer.object {
                $0.member("upload", number)
                $0.member("title", title)
                $0.member("state", stage.rawValue)
                $0.member("items", state.reader.count)
                $0.member("bytes", state.bytes)
                if let totalBytes { $0.member("totalBytes", totalBytes) }
                if let gallery { $0.member("gallery", gallery) }
                if let reason { $0.member("reason", reason) }
            }
            return writer.bytes
        }
        galleryEvents.send("upload", key: UInt64(number), document())
    }
}

extension Problem {
    fileprivate static let tooManyUploads = Problem(
        503, "Too many or too long lists are being uploaded at the same time. Try again later.", retryAfter: 5)

    /// Creates a problem with status 400 if the list is not valid JSON, or 422 if the list breaks another rule.
    fileprivate init(_ problem: ListProblem) {
        let isMalformed =
            problem.entry == nil && problem.field == nil || problem.reason.hasPrefix("is not JSON")
        let pointer = problem.field.map { field in problem.entry.map { "/items/\($0)/\(field)" } ?? "/\(field)" }
        self.init(isMalformed ? 400 : 422, "\(problem).", field: pointer)
    }
}
