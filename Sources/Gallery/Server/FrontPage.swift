import MicroHTTP

/// `index.html` with the gallery that the address asks for written into it, so that the page need not ask for it first.
enum FrontPage {
    /// A gallery of more sections would make the document too long to wait for; the page then asks for it.
    static let maxSections = 500

    private static let element = Array("<script type=\"application/json\" id=\"gallery\">".utf8)

    /// - Parameter file: the file that is asked for, as it is.
    /// - Returns: `nil` where something else is asked for, or there is nothing to write.
    static func response(to request: Request, _ file: Response, _ galleries: GalleryList) -> Response? {
        guard request.path == "/" || request.path == "/index.html",
            let gallery = request.query("gallery").map({ galleries.gallery($0) }) ?? galleries.all.first,
            gallery.content.sections.count <= maxSections
        else { return nil }
        let page = file.body
        guard let place = page.firstRange(of: element)?.upperBound else { return nil }
        let body = page[..<place] + escaped(gallery.document) + page[place...]
        let tag = EntityTag.of(Array(body))
        let headers =
            file.headers.filter { !["ETag", "Last-Modified"].contains($0.name) } + [(name: "ETag", value: tag)]
        if let given = request.header("if-none-match"), EntityTag.matches(given, tag) {
            return Response(status: 304, headers: headers.filter { $0.name != "Content-Type" })
        }
        return Response(headers: headers, body: body)
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
