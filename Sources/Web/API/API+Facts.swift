import Catalog
import Gallery
import JSON
import Media
import MicroHTTP
import Store

extension API {
    func facts(_ request: Request) -> Reply {
        respond(request) { named, index, item in
            // Reads a database or the picture's file.
            await respondLater(in: named.content.root) { facts(index, item, of: named.content) }
        }
    }

    private func facts(_ index: Int, _ item: Item, of content: GalleryContent) -> Response {
        var isDamaged = false
        if case .ready(let placeholder) = thumbnails.outcome(of: index, in: content) {
            isDamaged = placeholder.isDamaged
        }
        var writer = JSONWriter(capacity: 512)
        writer.object {
            $0.member("item", index)
            write(index, of: content, identity: StoreKey.identity(of: item.locator), to: &$0)
            $0.member("title", item.title)
            if let name = item.fileName { $0.member("name", name) }
            if case .file(let path, let root) = item.locator { $0.member("path", root.relative(path)) }
            $0.member("section", content.section(of: index) ?? 0)
            let facts = content.catalog.facts(index)
            let size = content.size(of: index)
            if let width = facts?.width ?? size?.width, let height = facts?.height ?? size?.height {
                $0.member("width", width)
                $0.member("height", height)
            }
            facts?.write(to: &$0)
            if isDamaged { $0.member("damaged", true) }
        }
        return Self.json(writer.bytes)
    }
}

extension PictureFacts {
    /// Writes the known members:
    /// `"bytes","mediaType","taken","camera","exposure","location","description","rating","kind","duration","pairedWith"`.
    func write(to writer: inout JSONWriter) {
        if let bytes { writer.member("bytes", bytes) }
        if let mediaType { writer.member("mediaType", mediaType) }
        if let taken {
            writer.member("taken") {
                $0.object {
                    $0.member("time", taken.text)
                    if let offset = taken.offsetText { $0.member("offset", offset) }
                    if let takenSource { $0.member("source", takenSource.rawValue) }
                    if let offsetSource { $0.member("offsetSource", offsetSource.rawValue) }
                }
            }
        }
        if camera != Camera() {
            writer.member("camera") {
                $0.object {
                    if let make = camera.make { $0.member("make", make) }
                    if let model = camera.model { $0.member("model", model) }
                    if let lens = camera.lens { $0.member("lens", lens) }
                }
            }
        }
        if exposure != Exposure() {
            writer.member("exposure") {
                $0.object {
                    if let seconds = exposure.seconds { $0.member("seconds", seconds) }
                    if let aperture = exposure.aperture { $0.member("aperture", aperture) }
                    if let iso = exposure.iso { $0.member("iso", iso) }
                    if let focalLength = exposure.focalLength { $0.member("focalLength", focalLength) }
                }
            }
        }
        if let location {
            writer.member("location") {
                $0.object {
                    $0.member("latitude", location.latitude)
                    $0.member("longitude", location.longitude)
                    if let altitude = location.altitude { $0.member("altitude", altitude) }
                }
            }
        }
        if let description { writer.member("description", description) }
        if let rating { writer.member("rating", rating) }
        if let motion { writer.member("kind", motion.kind) }
        if let duration { writer.member("duration", duration) }
        if !pairedWith.isEmpty {
            writer.member("pairedWith") { $0.array { for name in pairedWith { $0.value(name) } } }
        }
    }
}

extension PictureFacts.Motion {
    /// Value of `kind` in the API. The video of a Live Photo is a separate file, that of a motion photo is inside the picture's file.
    var kind: String { self == .embedded ? "motion" : "live" }
}
