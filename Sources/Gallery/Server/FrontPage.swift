import MicroHTTP
import Synchronization

/// `index.html` with the gallery that the address asks for written into it, so that the page need not ask for it first.
final class FrontPage: Sendable {
    /// A gallery of more sections would make the document too long to wait for; the page then asks for it.
    static let maxSections = 500
    /// Documents kept: those of the galleries that are opened most, usually one.
    private static let capacity = 16
    private static let element = Array("<script type=\"application/json\" id=\"gallery\">".utf8)

    private struct Document: Sendable {
        /// What it was made of: the file's tag and the gallery's content.
        let file: String?
        let content: Int
        let tag: String
        let found: Response
        let unchanged: Response
    }

    private let galleries: GalleryList
    private let firstScreens: FirstScreens
    /// By the gallery's id.
    private let kept = Mutex<[String: Document]>([:])

    init(_ galleries: GalleryList, _ firstScreens: FirstScreens) {
        self.galleries = galleries
        self.firstScreens = firstScreens
    }

    /// - Parameter file: the file that is asked for, as it is.
    /// - Returns: `nil` where something else is asked for, or there is nothing to write.
    func response(to request: Request, _ file: Response) -> Response? {
        guard request.path == "/" || request.path == "/index.html",
            let gallery = request.query("gallery").map({ galleries.gallery($0) }) ?? only
        else { return nil }
        firstScreens.begin(gallery, for: request)
        guard let document = document(of: gallery, file) else { return nil }
        let given = request.header("if-none-match")
        return given.map { EntityTag.matches($0, document.tag) } == true ? document.unchanged : document.found
    }

    /// The gallery that an address without one leads to: where there are several, the page lets a person choose.
    private var only: PictureGallery? {
        let all = galleries.all
        return all.count == 1 ? all[0] : nil
    }

    private func document(of gallery: PictureGallery, _ file: Response) -> Document? {
        let content = gallery.content
        guard content.sections.count <= Self.maxSections else { return nil }
        let version = file.header("ETag")
        if let old = kept.withLock({ $0[gallery.id] }), old.file == version, old.content == content.serial {
            return old
        }
        let page = file.body
        guard let place = page.firstRange(of: Self.element)?.upperBound else { return nil }
        let body = Array(page[..<place] + Self.escaped(gallery.document) + page[place...])
        let tag = EntityTag.of(body)
        let headers =
            file.headers.filter { !["ETag", "Last-Modified"].contains($0.name) } + [(name: "ETag", value: tag)]
        let document = Document(
            file: version, content: content.serial, tag: tag, found: Response(headers: headers, body: body),
            unchanged: Response(status: 304, headers: headers.filter { $0.name != "Content-Type" }))
        kept.withLock { kept in
            if kept.count >= Self.capacity { kept = [:] }
            kept[gallery.id] = document
        }
        return document
    }

    /// JSON that no element of the page ends in: a title may hold `</script>`.
    private static func escaped(_ document: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(document.count + 64)
        for byte in document {
            if byte == UInt8(ascii: "<") { result += "\\u003c".utf8 } else { result.append(byte) }
        }
        return result
    }
}
