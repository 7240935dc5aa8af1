import Gallery
import MicroHTTP
import Synchronization

/// Adapts `index.html`, so that the browser needs fewer requests. The addresses of the page's files get a version, so that a browser
/// requests each file only once. The document of the requested gallery is embedded, so that the page need not request it. The element's
/// module imports its modules with the same version.
final class FrontPage: Sendable {
    /// Maximum number of sections in an embedded gallery, to keep the document short. The page requests larger galleries itself.
    static let maxSections = 500
    /// Maximum number of cached documents. Usually there is one, for a single gallery.
    private static let capacity = 16
    private static let element = Array("<script type=\"application/json\" id=\"gallery\">".utf8)
    private static let arrangedElement = Array("<script type=\"application/json\" id=\"arranged\">".utf8)
    /// Query parameters that request an arrangement.
    private static let arranging = [
        "sort", "order", "group", "text", "taken", "folder", "camera", "lens", "kinds", "fiveStars",
    ]

    private struct Kept: Sendable {
        let source: Source
        let document: ConditionalDocument
    }

    private struct Source: Equatable {
        /// Entity tag of the file.
        let file: String?
        let version: String?
        /// Whether the imports of the page's modules are known.
        var hasModules = false
        /// Serial number of the gallery's content, or `nil` without a gallery.
        let content: Int?
        /// Serial number of the default arrangement's content, if the page opens in that arrangement.
        let arranged: Int?
        /// Number of items with known facts.
        let known: Int?
    }

    private let galleries: GalleryList
    private let firstScreens: FirstScreens
    /// Imports of the page's modules, and the version of the files that they were read from.
    private let modules = Mutex<(version: String, modules: PageModules)?>(nil)
    /// Documents by gallery id, by an empty id without a gallery, and by path for the element's module.
    private let kept = Mutex<[String: Kept]>([:])

    init(_ galleries: GalleryList, _ firstScreens: FirstScreens) {
        self.galleries = galleries
        self.firstScreens = firstScreens
    }

    /// Whether a request is for the page itself or for the element's module.
    static func isAsked(by request: Request) -> Bool {
        request.path == "/" || request.path == "/index.html" || request.path == Page.elementPath
    }

    /// Reads the imports of the page's modules, unless they are known for this version. Reads files.
    ///
    /// - Parameter source: returns the text of a file by its path in the page's folder.
    func readModules(version: String?, source: (String) -> String?) {
        guard let version, modules(at: version) == nil, let page = source("index.html") else { return }
        let read = PageModules(of: page, source: source)
        modules.withLock { $0 = (version, read) }
    }

    /// - Parameters:
    ///   - file: the requested file without changes.
    ///   - version: version of the page's files, or `nil` if there is none.
    /// - Returns: `nil` if the request is for another file, or if the file needs no changes.
    func response(to request: Request, _ file: Response, version: String?) -> Response? {
        guard Self.isAsked(by: request) else { return nil }
        if request.path == Page.elementPath { return element(file, version)?.response(to: request) }
        let gallery = request.query("gallery").map { galleries.gallery($0) } ?? only
        let arranged = gallery.flatMap { arrangement(of: $0, for: request) }
        if let gallery, let first = first(gallery, arranged, for: request) { firstScreens.begin(first, for: request) }
        return document(of: gallery, arranged, file, version)?.response(to: request)
    }

    /// Returns the arrangement in which the page opens a gallery, if that is the default arrangement and it exists already.
    private func arrangement(of gallery: PictureGallery, for request: Request) -> PictureGallery? {
        guard Self.isDefault(gallery, for: request) else { return nil }
        return galleries.defaultArrangement(of: gallery)
    }

    /// Returns the gallery or arrangement of the first screen, or `nil` if an arrangement has to be created first.
    private func first(
        _ gallery: PictureGallery, _ arranged: PictureGallery?, for request: Request
    ) -> PictureGallery? {
        if let arranged { return arranged }
        let isPlain =
            gallery.content.defaultArrangement == nil && Self.arranging.allSatisfy { request.query($0) == nil }
        return isPlain ? gallery : nil
    }

    /// Whether an address requests the gallery's default arrangement, explicitly or by naming none.
    private static func isDefault(_ gallery: PictureGallery, for request: Request) -> Bool {
        guard let usual = gallery.content.defaultArrangement else { return false }
        return arranging.allSatisfy { name in
            let value = request.query(name)
            return value == nil || name == "sort" && value == usual.sort.rawValue
        }
    }

    /// The only gallery, for addresses without one. If there are several, a person chooses on the page.
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

    private static func naming(_ version: String, in page: String) -> [UInt8] {
        var text = page
        for folder in ["js", "css"] {
            text = text.replacing("=\"\(folder)/", with: "=\"assets/\(version)/\(folder)/")
        }
        return Array(text.utf8)
    }

    /// Escapes JSON so that it cannot end an HTML element. A title may contain `</script>`.
    private static func escaped(_ document: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(document.count + 64)
        for byte in document {
            if byte == UInt8(ascii: "<") { result += "\\u003c".utf8 } else { result.append(byte) }
        }
        return result
    }
}
