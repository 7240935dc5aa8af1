import Catalog
import Gallery
import JSON
import Media
import MicroHTTP

extension API {
    // The first description of a new gallery reads all its sections and dates.
    func listGalleries() -> Reply { later { Self.json(list) } }

    func getGallery(_ request: Request) -> Reply {
        later { () throws(Problem) in Self.json(try gallery(request).currentDocument) }
    }

    func deleteGallery(_ request: Request) -> Reply {
        // Ending thousands of sessions takes a while.
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
            galleryEvents.sendRemoved(gallery)
            return Response(status: 204)
        }
    }

    /// Document `{"galleries":[…]}`, joined from documents that are already encoded.
    private var list: [UInt8] {
        var bytes = Array("{\"galleries\":[".utf8)
        for (number, gallery) in galleries.all.enumerated() {
            if number > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes.append(contentsOf: gallery.currentDocument)
        }
        return bytes + Array("]}".utf8)
    }

    /// Opens the event stream about all galleries.
    func listen() -> Reply {
        guard galleryEvents.streamCount < Self.maxStreams else {
            return .now(Self.response(.tooManyStreams("all galleries", Self.maxStreams)))
        }
        return .stream(
            .events { stream in
                thumbnails.queries.common.start {
                    if !galleryEvents.attach(stream, hello: list, limit: Self.maxStreams) {
                        stream.close(bye: SessionEvent.bye(reason: "too many streams, or the server is stopping"))
                    }
                }
            })
    }
}
