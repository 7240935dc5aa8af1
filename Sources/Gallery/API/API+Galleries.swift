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
            // To end thousands of sessions takes a while.
            later { () throws(Problem) in
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

    /// `{"galleries":[…]}`, put together of what is written already.
    private var list: [UInt8] {
        var bytes = Array("{\"galleries\":[".utf8)
        for (number, gallery) in galleries.all.enumerated() {
            if number > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes.append(contentsOf: gallery.document)
        }
        return bytes + Array("]}".utf8)
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
    /// `{"id","title","itemCount","sections","source","revision","notShown"}`
    func written(_ content: GalleryContent) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writeMembers(of: content, to: &$0) }
        return writer.bytes
    }

    func writeMembers(of content: GalleryContent, to writer: inout JSONWriter) {
        writer.member("id", id)
        writer.member("title", title)
        writer.member("itemCount", content.itemCount)
        writer.member("source", catalog.kind.rawValue)
        writer.member("revision", content.catalog.revision)
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
