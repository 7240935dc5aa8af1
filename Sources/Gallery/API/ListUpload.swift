import Catalog
import JSON
import MicroHTTP
import Synchronization

/// Reads a list of items as it is uploaded, a piece at a time, into a gallery.
extension API {
    private static let listFormats: [String: ListFormat] = [
        "application/json": .json, "application/x-ndjson": .ndjson, "application/ndjson": .ndjson,
    ]

    /// Takes `{"title","items":[…]}` as JSON, or one item a line as NDJSON; NDJSON takes its title from the query.
    func receiveList(_ request: Request) -> UploadReply {
        let type = request.header("Content-Type").map(Self.mediaType) ?? ""
        guard let format = Self.listFormats[type] else {
            return .refuse(
                Self.response(Problem(415, "Send the list as application/json or application/x-ndjson.")))
        }
        let title = request.query("title") ?? "List"
        var limits = settings.lists
        limits.maxItems = settings.maxItems
        guard title.utf8.count <= limits.maxTitleBytes else {
            return .refuse(Self.response(.outOfRange("/title", "at most \(limits.maxTitleBytes) bytes")))
        }
        // Of a million lines one may be bad: it is told in the answer, not refused with the rest.
        let reader = ListUpload(ListReader(format: format, limits: limits, stopsAtFirstProblem: format == .json))
        return .accept(
            Upload(
                receive: { bytes in reader.feed(bytes).map(Self.response) },
                finish: { [galleries] in
                    do throws(Problem) {
                        let list = try reader.finish(title: title)
                        let gallery = try galleries.add(list, id: Identifier.random(bytes: 8))
                        return Self.json(
                            gallery.document(leftOut: list), status: 201,
                            headers: [("Location", "\(APIPath.galleries)/\(gallery.id)")])
                    } catch {
                        return Self.response(error)
                    }
                }))
    }
}

extension PictureGallery {
    /// Its document, and what was left out of it: `"problemCount"`, and of the first ones `"problems":[{"line","field","reason"}]`.
    fileprivate func document(leftOut list: ListCatalog) -> [UInt8] {
        var writer = JSONWriter()
        writer.object {
            writeMembers(to: &$0)
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

/// The reader of one upload. Pieces come one after the other; the lock only carries it between threads.
private final class ListUpload: Sendable {
    private let reader: Mutex<ListReader>

    init(_ reader: ListReader) { self.reader = Mutex(reader) }

    /// - Returns: what is wrong with the list so far.
    func feed(_ bytes: [UInt8]) -> Problem? {
        reader.withLock { reader in
            do throws(ListProblem) {
                try reader.feed(bytes)
                return nil
            } catch {
                return Problem(error)
            }
        }
    }

    func finish(title: String) throws(Problem) -> ListCatalog {
        let result: Result<ListCatalog, Problem> = reader.withLock { reader in
            do throws(ListProblem) {
                return .success(try reader.finish(title: title))
            } catch {
                return .failure(Problem(error))
            }
        }
        return try result.get()
    }
}

extension Problem {
    /// A list that is no JSON is malformed (400); one that is, and breaks a rule, is out of range (422).
    fileprivate init(_ problem: ListProblem) {
        let isMalformed = problem.entry == nil || problem.reason.hasPrefix("is not JSON")
        let pointer = problem.field.map { field in problem.entry.map { "/items/\($0)/\(field)" } ?? "/\(field)" }
        self.init(isMalformed ? 400 : 422, "\(problem).", field: pointer)
    }
}
