import Gallery
import JSON
import MicroHTTP

extension API {
    /// All routes of the server: of its API, its metrics and its page.
    static let routes = Route.galleries + Route.items + Route.sessions + Route.server

    /// The OpenAPI document of the routes.
    static let description: ConditionalDocument = {
        let body = OpenAPIDocument.document(of: routes, also: [.newItem, .traceHeader, .traceSample]).bytes
        return ConditionalDocument(
            type: jsonType, tag: EntityTag.of(body), headers: [("Cache-Control", "no-cache")], body: body)
    }()

    func addRoutes(to router: inout Router) {
        // Make the document now, because the handler of a request must not take milliseconds.
        _ = Self.description
        for route in Self.routes where route.isOffered(self) {
            switch route.handling {
            case .whole(let bodyLimit, let handler):
                router.on(route.method, route.path, bodyLimit: bodyLimit?(self)) { handler(self, $0) }
            case .upload(let limit, let handler):
                router.upload(route.method, route.path, limit: limit(self)) { handler(self, $0) }
            }
        }
    }
}

extension GalleryServer {
    /// The OpenAPI document of all routes.
    package static var description: [UInt8] { API.description.found.body }
}
