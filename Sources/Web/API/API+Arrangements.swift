import Catalog
import Gallery
import JSON
import Media
import MicroHTTP

// Galleries in another order. An arrangement is created from an existing gallery and shared by all clients that request the same one.
extension API {
    /// Maximum size in bytes of a body that requests an arrangement. A longer body is a list.
    static let maxArrangement = 8192

    func timeline(_ request: Request) -> Reply {
        // Reads the date of every item.
        later { () throws(Problem) in Self.json(try timeline(of: try gallery(request))) }
    }

    func suggestions(_ request: Request) -> Reply {
        let (base, text): (PictureGallery, String)
        do throws(Problem) {
            (base, text) = (try gallery(request), try Self.searchText(request))
        } catch {
            return .now(Self.response(error))
        }
        return .later { [galleries] in
            do throws(Problem) {
                return Self.suggestions(try await galleries.suggestions(for: text, in: base))
            } catch {
                return Self.response(error)
            }
        }
    }

    private static func searchText(_ request: Request) throws(Problem) -> String {
        guard let text = request.query("text"), !text.isEmpty, text.utf8.count <= 200 else {
            throw Problem(422, "The query's text must have 1 to 200 bytes.", field: "/text")
        }
        return text
    }

    /// Returns `{"suggestions":[{"kind","value","count"}]}`.
    private static func suggestions(_ suggestions: [FilterSuggestion]) -> Response {
        var writer = JSONWriter()
        writer.object {
            $0.member("suggestions") {
                $0.array {
                    for suggestion in suggestions {
                        $0.object {
                            $0.member("kind", suggestion.kind.rawValue)
                            $0.member("value", suggestion.value)
                            $0.member("count", suggestion.count)
                        }
                    }
                }
            }
        }
        return json(writer.bytes)
    }

    func places(_ request: Request) -> Reply {
        // Searches for the file of each item that has moved.
        later { () throws(Problem) in Self.json(try placesDocument(request)) }
    }

    /// Returns `{"from","places":[item or null]}`: the present item numbers of items from an earlier revision or from another gallery.
    private func placesDocument(_ request: Request) throws(Problem) -> [UInt8] {
        let content = try gallery(request).content
        let id = request.query("of") ?? request.parameter("g") ?? ""
        let revision = try IntegerParameter.revision.given(request) ?? content.catalog.revision
        guard let former = self.content(of: id, revision: revision) else {
            throw Problem(
                404,
                "Revision \(revision) of the gallery \"\(id.prefix(bytes: 80))\" is gone: a revision exists only while "
                    + "a session shows it.")
        }
        let from = try IntegerParameter.from.value(request)
        let count = try IntegerParameter.itemCount.value(request)
        let items = min(from, former.itemCount)..<min(from + count, former.itemCount)
        let places = content.places(of: items, in: former)
        var writer = JSONWriter(capacity: 8 * places.count)
        writer.object {
            $0.member("from", items.lowerBound)
            $0.member("places") {
                $0.array { for place in places { if let place { $0.value(place) } else { $0.null() } } }
            }
        }
        return writer.bytes
    }

    /// Returns a gallery's content at a revision, the present one or an earlier one. An earlier one exists only while a session shows it.
    private func content(of id: String, revision: Int) -> GalleryContent? {
        if let content = galleries.gallery(id)?.content, content.catalog.revision == revision { return content }
        return sessions.all.first { $0.gallery.id == id && $0.content.catalog.revision == revision }?.content
    }

    /// Returns the gallery to arrange and the arrangement, or `nil` if the body requests something else.
    func arrangement(_ request: Request) throws(Problem) -> (base: PictureGallery, arrangement: Arrangement)? {
        // Search for the member before parsing: nearly all bodies are lists.
        guard request.body.firstRange(of: Array("\"of\"".utf8)) != nil,
            let reader = try? FieldReader(body: request.body),
            let id = try reader.string("of", maxLength: 200)
        else { return nil }
        guard let base = galleries.gallery(id) else {
            throw Problem(422, "There is no gallery \"\(id.prefix(bytes: 80))\".", field: "/of")
        }
        if let first = base.base {
            throw Problem(
                422,
                "\"\(id.prefix(bytes: 80))\" is itself an arrangement; arrange the gallery \"\(first.id)\" instead.",
                field: "/of"
            )
        }
        return (base, try Arrangement(reader))
    }

    /// Responds 201 with the new gallery, or 200 if it already exists.
    func arrange(_ base: PictureGallery, _ arrangement: Arrangement) async -> Response {
        do throws(Problem) {
            let (gallery, isNew) = try await galleries.arrange(base, arrangement)
            return Self.json(
                gallery.currentDocument, status: isNew ? 201 : 200,
                headers: [("Location", "\(APIPath.galleries)/\(gallery.id)")])
        } catch {
            return Self.response(error)
        }
    }

    /// Returns `{"months":[{"month","from","count"}],"undated":{"from","count"}}`.
    private func timeline(of gallery: PictureGallery) throws(Problem) -> [UInt8] {
        let content = gallery.content
        guard content.itemCount <= ArrangementSource.maxItems else {
            throw Problem(
                409,
                "The gallery has \(content.itemCount) items; a timeline supports at most \(ArrangementSource.maxItems)."
            )
        }
        guard let timeline = content.catalog.timeline else {
            throw Problem(
                409,
                "The gallery is not sorted by date: create an arrangement of it with \"sort\":\"taken\" and "
                    + "request the timeline of that arrangement.")
        }
        var writer = JSONWriter()
        writer.object {
            $0.member("months") {
                $0.array {
                    for month in timeline.months {
                        $0.object {
                            $0.member("month", month.name)
                            $0.member("from", month.from)
                            $0.member("count", month.count)
                        }
                    }
                }
            }
            $0.member("undated") {
                $0.object {
                    $0.member("from", timeline.undated.lowerBound)
                    $0.member("count", timeline.undated.count)
                }
            }
        }
        return writer.bytes
    }
}
