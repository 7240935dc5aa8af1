import Catalog
import JSON
import MicroHTTP

extension API {
    func addGalleryRoutes(to router: inout Router) {
        router.on(.get, APIPath.galleries) { _ in
            Self.answer {
                Self.json(list)
            }
        }
        router.on(.get, "\(APIPath.galleries)/{g}") { request in
            Self.answer { () throws(Problem) in Self.json(try gallery(request).document) }
        }
        router.on(.delete, "\(APIPath.galleries)/{g}") { request in
            Self.answer { () throws(Problem) in
                let gallery = try gallery(request)
                guard gallery.maker != nil else {
                    throw Problem(403, "The gallery \"\(gallery.id)\" came with the server and stays until that stops.")
                }
                galleries.remove(gallery.id)
                sessions.end(reason: "the gallery was deleted") { $0.gallery === gallery }
                news.tellRemoved(gallery)
                return Response(status: 204)
            }
        }
        router.upload(.post, APIPath.galleries, limit: settings.maxUpload) { request in receiveList(request) }
        router.on(.get, APIPath.events) { _ in listen() }
    }

    /// `{"galleries":[…]}`
    private var list: [UInt8] {
        var writer = JSONWriter()
        writer.object {
            $0.member("galleries") { $0.array { for gallery in galleries.all { gallery.write(to: &$0) } } }
        }
        return writer.bytes
    }

    /// The stream of what happens to all galleries.
    private func listen() -> Reply {
        let limit = settings.maxStreamsPerSession
        guard news.streamCount < limit else { return .now(Self.response(.tooManyStreams("all galleries", limit))) }
        return .stream(
            EventStreamAccept { stream in
                if !news.attach(stream, hello: list, limit: limit) {
                    stream.close(bye: SessionEvent.bye(reason: "too many streams, or the server is stopping"))
                }
            })
    }
}

extension PictureGallery {
    /// `{"id","title","itemCount","sections","source","revision"}`
    func write(to writer: inout JSONWriter) { writer.object { writeMembers(to: &$0) } }

    func writeMembers(to writer: inout JSONWriter) {
        let content = content
        writer.member("id", id)
        writer.member("title", title)
        writer.member("itemCount", content.itemCount)
        writer.member("source", catalog.kind.rawValue)
        writer.member("revision", content.catalog.revision)
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

    var document: [UInt8] {
        var writer = JSONWriter()
        write(to: &writer)
        return writer.bytes
    }
}
