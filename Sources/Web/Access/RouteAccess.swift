import Gallery
import MicroHTTP

/// The permission that each route requires, in one table.
package enum RouteAccess: Sendable {
    /// No permission and no token needed.
    case anyone
    /// Any token, including the view token.
    case view
    /// Any token. A viewer can use only sessions opened by viewers.
    case ownSession
    /// Any token. The handler requires the full token, depending on the body.
    case byBody
    case full

    /// Permissions by method and pattern. HEAD needs the same permission as GET.
    package static let table: [String: RouteAccess] = [
        "GET \(Gatekeeper.healthPath)": .anyone,
        "GET \(Gatekeeper.readinessPath)": .anyone,
        "GET /{file...}": .view,
        "GET /metrics": .view,
        "GET \(APIPath.base)/stats": .view,
        "GET \(APIPath.base)/openapi.json": .view,
        "GET \(APIPath.base)/policies": .view,
        "GET \(APIPath.base)/demo/origin": .view,
        "PATCH \(APIPath.base)/demo/origin": .full,
        "GET \(APIPath.events)": .view,
        "GET \(APIPath.galleries)": .view,
        "POST \(APIPath.galleries)": .byBody,
        "GET \(APIPath.galleries)/{g}": .view,
        "DELETE \(APIPath.galleries)/{g}": .full,
        "GET \(APIPath.galleries)/{g}/timeline": .view,
        "GET \(APIPath.galleries)/{g}/suggestions": .view,
        "GET \(APIPath.galleries)/{g}/places": .view,
        "POST \(APIPath.galleries)/{g}/archive": .view,
        "POST \(APIPath.galleries)/{g}/downloads": .view,
        "GET \(APIPath.galleries)/{g}/downloads/{d}": .view,
        "GET \(APIPath.galleries)/{g}/items": .view,
        "GET \(APIPath.galleries)/{g}/placeholders": .view,
        "GET \(APIPath.galleries)/{g}/items/{i}": .view,
        "GET \(APIPath.galleries)/{g}/items/{i}/thumbnail": .view,
        "GET \(APIPath.galleries)/{g}/items/{i}/image": .view,
        "GET \(APIPath.galleries)/{g}/items/{i}/original": .view,
        "GET \(APIPath.galleries)/{g}/items/{i}/video": .view,
        "POST \(APIPath.sessions)": .view,
        "GET \(APIPath.sessions)/{s}": .view,
        "PATCH \(APIPath.sessions)/{s}": .ownSession,
        "DELETE \(APIPath.sessions)/{s}": .ownSession,
        "POST \(APIPath.sessions)/{s}/close": .ownSession,
        "POST \(APIPath.sessions)/{s}/viewport": .ownSession,
        "POST \(APIPath.sessions)/{s}/scroll": .ownSession,
        "GET \(APIPath.sessions)/{s}/events": .view,
        "GET \(APIPath.sessions)/{s}/layout": .view,
        "GET \(APIPath.sessions)/{s}/layout/index": .view,
        "GET \(APIPath.sessions)/{s}/trace": .view,
        "GET \(APIPath.follow)/{f}": .view,
        "GET \(APIPath.follow)/{f}/events": .view,
    ]

    /// Returns the permission that the request's route requires. A route that is missing in the table requires the full token.
    package static func of(_ request: Request) -> RouteAccess {
        // The response is 404 or the list of allowed methods.
        if request.route.isEmpty || request.method == .options { return .view }
        let method = request.method == .head ? Method.get : request.method
        return table["\(method.rawValue) \(request.route)"] ?? .full
    }
}
