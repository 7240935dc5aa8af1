import Gallery
import MicroHTTP
import Synchronization

/// `index.html` with the version of the page's files in their addresses, so that a browser asks for them once; and with the
/// gallery that the address asks for written into it, so that the page need not ask for it first. And the module of the
/// element, with the same version in what it imports.
final class FrontPage: Sendable {
    /// A gallery of more sections would make the document too long to wait for; the page then asks for it.
    static let maxSections = 500
    /// Documents kept: those of the galleries that are opened most, usually one.
    private static let capacity = 16
    private static let element = Array("<script type=\"application/json\" id=\"gallery\">".utf8)
    private static let arrangedElement = Array("<script type=\"application/json\" id=\"arranged\">".utf8)
    /// Query parameters that ask for an arrangement.
    private static let arranging = [
        "sort", "order", "group", "text", "taken", "folder", "camera", "lens", "kinds", "fiveStars",
    ]

    private struct Kept: Sendable {
        /// The inputs it was made of.
        let source: Source
        let document: ConditionalDocument
    }

    private struct Source: Equatable {
        /// The file's tag.
        let file: String?
        /// The version of the page's files.
        let version: String?
        /// Whether it is known what its modules import.
        var hasModules = false
        /// The gallery's content; nil without one.
        let content: Int?
        /// That of its arrangement, where the page opens in one.
        let arranged: Int?
        /// Items whose facts are known.
        let known: Int?
    }

    private let galleries: GalleryList
    private let firstScreens: FirstScreens
    /// The imports of the page's modules, and the version of the files they were read from.
    private let modules = Mutex<(version: String, modules: PageModules)?>(nil)
    /// By the gallery's id, empty for the page without one; the element's by its path.
    private let kept = Mutex<[String: Kept]>([:])

    init(_ galleries: GalleryList, _ firstScreens: FirstScreens) {
        self.galleries = galleries
        self.firstScreens = firstScreens
    }

    /// Whether the page itself is asked for, or the module of the element.
    static func isAsked(by request: Request) -> Bool {
        request.path == "/" || request.path == "/index.html" || request.path == Page.elementPath
    }

    /// Reads what the page's modules import, where they have not been read in this version. Reads files.
    ///
    /// - Parameter source: the text of a file, by its path in the folder of the page.
    func readModules(version: String?, source: (String) -> String?) {
        guard let version, modules(at: version) == nil, let page = source("index.html") else { return }
        let read = PageModules(of: page, source: source)
        modules.withLock { $0 = (version, read) }
    }

    /// - Parameters:
    ///   - file: the file that is asked for, as it is.
    ///   - version: of the page's files; nil where they have none.
    /// - Returns: `nil` where something else is asked for, or there is nothing to write.
    func response(to request: Request, _ file: Response, version: String?) -> Response? {
        guard Self.isAsked(by: request) else { return nil }
        if request.path == Page.elementPath { return element(file, version)?.response(to: request) }
        let gallery = request.query("gallery").map { galleries.gallery($0) } ?? only
        let arranged = gallery.flatMap { arrangement(of: $0, for: request) }
        if let gallery, let first = first(gallery, arranged, for: request) { firstScreens.begin(first, for: request) }
        return document(of: gallery, arranged, file, version)?.response(to: request)
    }

    /// The arrangement in which the page opens a gallery, where that is the default one and has been made.
    private func arrangement(of gallery: PictureGallery, for request: Request) -> PictureGallery? {
        guard Self.isDefault(gallery, for: request) else { return nil }
        return galleries.defaultArrangement(of: gallery)
    }

    /// The first screen of the page; `nil` where it has to be made.
    private func first(
        _ gallery: PictureGallery, _ arranged: PictureGallery?, for request: Request
    ) -> PictureGallery? {
        if let arranged { return arranged }
        let isPlain =
            gallery.content.defaultArrangement == nil && Self.arranging.allSatisfy { request.query($0) == nil }
        return isPlain ? gallery : nil
    }

    /// Whether an address asks for the gallery's default arrangement, by its name or by none.
    private static func isDefault(_ gallery: PictureGallery, for request: Request) -> Bool {
        guard let usual = gallery.content.defaultArrangement else { return false }
        return arranging.allSatisfy { name in
            let value = request.query(name)
            return value == nil || name == "sort" && value == usual.sort.rawValue
        }
    }

    /// The gallery that an address without one leads to: where there are several, the page lets a person choose.
    private var only: PictureGallery? {
        let all = galleries.all
        return all.count == 1 ? all[0] : nil
    }

    private func document(
        of gallery: PictureGallery?, _ arranged: PictureGallery?, _ file: Response, _ version: String?
    ) -> ConditionalDocument? {
        func short(_ gallery: PictureGallery?) -> (gallery: PictureGallery, content: GalleryContent)? {
            gallery.map { ($0, $0.content) }.flatMap { $0.1.sections.count <= Self.maxSections ? $0 : nil }
        }
        let shown = short(gallery)
        let arranged = shown == nil ? nil : short(arranged)
        let modules = version.flatMap(modules(at:))
        let source = Source(
            file: file.header("ETag"), version: version, hasModules: modules != nil, content: shown?.content.serial,
            arranged: arranged?.content.serial, known: shown?.gallery.factsKnown)
        guard source.version != nil || source.content != nil else { return nil }
        let id = (arranged ?? shown)?.gallery.id ?? ""
        if let old = kept.withLock({ $0[id] }), old.source == source { return old.document }
        var body = file.body
        if let version {
            let text = String(decoding: body, as: UTF8.self)
            body = Self.naming(version, in: modules?.written(into: text) ?? text)
        }
        if let shown {
            guard let place = body.firstRange(of: Self.element)?.upperBound else { return nil }
            body.insert(contentsOf: Self.escaped(shown.gallery.currentDocument), at: place)
        }
        if let arranged, let place = body.firstRange(of: Self.arrangedElement)?.upperBound {
            body.insert(contentsOf: Self.escaped(arranged.gallery.currentDocument), at: place)
        }
        return keep(body, file, as: id, source)
    }

    private func element(_ file: Response, _ version: String?) -> ConditionalDocument? {
        guard let version else { return nil }
        let modules = modules(at: version)
        let source = Source(
            file: file.header("ETag"), version: version, hasModules: modules != nil, content: nil, arranged: nil,
            known: nil)
        if let old = kept.withLock({ $0[Page.elementPath] }), old.source == source { return old.document }
        let plain = String(decoding: file.body, as: UTF8.self)
        let text = modules?.written(intoElement: plain) ?? plain
        let body = Array(text.replacing("'./js/", with: "'./assets/\(version)/js/").utf8)
        return keep(body, file, as: Page.elementPath, source)
    }

    private func modules(at version: String) -> PageModules? {
        modules.withLock { $0 }.flatMap { $0.version == version ? $0.modules : nil }
    }

    private func keep(_ body: [UInt8], _ file: Response, as id: String, _ source: Source) -> ConditionalDocument {
        let own = ["Content-Type", "ETag", "Last-Modified", "Vary"]
        let document = ConditionalDocument(
            type: file.header("Content-Type") ?? "text/html", tag: EntityTag.of(body),
            headers: file.headers.filter { !own.contains($0.name) }, body: body)
        kept.withLock { kept in
            if kept.count >= Self.capacity { kept = [:] }
            kept[id] = Kept(source: source, document: document)
        }
        return document
    }

    /// The page with scripts and styles at their lasting addresses.
    private static func naming(_ version: String, in page: String) -> [UInt8] {
        var text = page
        for folder in ["js", "css"] {
            text = text.replacing("=\"\(folder)/", with: "=\"assets/\(version)/\(folder)/")
        }
        return Array(text.utf8)
    }

    /// Escapes JSON so that it ends no element of the page: a title may hold `</script>`.
    private static func escaped(_ document: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(document.count + 64)
        for byte in document {
            if byte == UInt8(ascii: "<") { result += "\\u003c".utf8 } else { result.append(byte) }
        }
        return result
    }
}
