import Catalog
import JSON
import MicroHTTP
import Pipeline

extension API {
    func addGalleryRoutes(to router: inout Router) {
        // A gallery that has just been made is described, which looks at all its sections and dates.
        router.on(.get, APIPath.galleries) { _ in later { Self.json(list) } }
        router.on(.get, "\(APIPath.galleries)/{g}") { request in
            later { () throws(Problem) in Self.json(try gallery(request).currentDocument) }
        }
        router.on(.delete, "\(APIPath.galleries)/{g}") { request in
            // To end thousands of sessions takes a while.
            later { () throws(Problem) in
                let gallery = try gallery(request)
                guard gallery.base == nil else {
                    throw Problem(403, "Arrangements cannot be deleted; unused ones expire.")
                }
                guard gallery.maker != nil else {
                    throw Problem(
                        403, "The gallery \"\(gallery.id)\" was added when the server started and cannot be deleted.")
                }
                galleries.remove(gallery.id)
                sharing?.deleted(gallery.id)
                sessions.end(reason: "the gallery was deleted") {
                    $0.gallery === gallery || $0.gallery.base === gallery
                }
                galleryEvents.tellRemoved(gallery)
                return Response(status: 204)
            }
        }
        router.upload(.post, APIPath.galleries, limit: settings.maxUpload) { request in receiveGallery(request) }
        addTimelineRoute(to: &router)
        addPlacesRoute(to: &router)
        router.on(.get, APIPath.events) { _ in listen() }
    }

    /// `{"galleries":[…]}`, joined from documents that are already encoded.
    private var list: [UInt8] {
        var bytes = Array("{\"galleries\":[".utf8)
        for (number, gallery) in galleries.all.enumerated() {
            if number > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes.append(contentsOf: gallery.currentDocument)
        }
        return bytes + Array("]}".utf8)
    }

    /// The stream of what happens to all galleries.
    private func listen() -> Reply {
        let limit = settings.maxStreamsPerSession
        guard galleryEvents.streamCount < limit else {
            return .now(Self.response(.tooManyStreams("all galleries", limit)))
        }
        return .stream(
            .events { stream in
                thumbnails.queries.common.start {
                    if !galleryEvents.attach(stream, hello: list, limit: limit) {
                        stream.close(bye: SessionEvent.bye(reason: "too many streams, or the server is stopping"))
                    }
                }
            })
    }
}

extension PictureGallery {
    /// Items whose facts are known: of a folder that is being read more than when it was listed; of an arrangement those that
    /// were known when it was made.
    var factsKnown: Int {
        let content = content
        return min(source?.factsKnown ?? content.catalog.factsKnown, content.itemCount)
    }

    /// The Gallery document, and how many of its items' facts are known by now.
    var currentDocument: [UInt8] {
        // The part that takes long is encoded once for each content.
        var bytes = document
        guard bytes.popLast() == UInt8(ascii: "}") else { return document }
        var writer = JSONWriter()
        writer.object { writeIndex(to: &$0) }
        return bytes + [UInt8(ascii: ",")] + writer.bytes.dropFirst()
    }

    /// `"index":{"known","of"}`
    func writeIndex(to writer: inout JSONWriter) {
        writer.member("index") {
            $0.object {
                $0.member("known", factsKnown)
                $0.member("of", content.itemCount)
            }
        }
    }

    /// `{"id","title","itemCount","source","revision","favorites"?,"arrangementLimit"?,"defaultArrangement"?,"of"?,"arrangement"?,"notShown"?,"taken"?,"sections"}`
    func written(_ content: GalleryContent) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writeMembers(of: content, to: &$0) }
        return writer.bytes
    }

    func writeMembers(of content: GalleryContent, to writer: inout JSONWriter) {
        writer.member("id", id)
        writer.member("title", title)
        writer.member("itemCount", content.itemCount)
        writer.member("source", content.catalog.kind.rawValue)
        writer.member("revision", content.catalog.revision)
        if keepsFavorites { writer.member("favorites", true) }
        if content.itemCount > ArrangementSource.maxItems {
            writer.member("arrangementLimit", ArrangementSource.maxItems)
        }
        writeArrangement(of: content, to: &writer)
        let notShown = content.catalog.notShown
        if !notShown.isEmpty {
            writer.member("notShown") {
                $0.array {
                    for kind in notShown {
                        $0.object {
                            $0.member("kind", kind.kind)
                            $0.member("count", kind.count)
                        }
                    }
                }
            }
        }
        if let taken = content.catalog.takenRange,
            let first = DateTaken(wallSeconds: taken.lowerBound, millisecond: 0, offset: nil),
            let last = DateTaken(wallSeconds: taken.upperBound, millisecond: 0, offset: nil)
        {
            writer.member("taken") {
                $0.object {
                    $0.member("from", first.text)
                    $0.member("to", last.text)
                }
            }
        }
        writer.member("sections") {
            $0.array {
                for section in content.sections {
                    $0.object {
                        $0.member("title", section.title)
                        $0.member("from", section.from)
                        $0.member("count", section.count)
                    }
                }
            }
        }
    }
}
