import Gallery
import MicroHTTP

/// The permission that a route requires.
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

    private static let byPath = Dictionary(grouping: API.routes, by: \.path)

    /// Permissions by method and pattern.
    package static var table: [String: RouteAccess] {
        Dictionary(uniqueKeysWithValues: API.routes.map { ("\($0.method.rawValue) \($0.path)", $0.access) })
    }

    /// Returns the permission that the request's route requires. HEAD requires the same permission as GET. A route that is missing in
    /// ``API/routes`` requires the full token.
    package static func of(_ request: Request) -> RouteAccess {
        // The response is 404 or the list of allowed methods.
        if request.route.isEmpty || request.method == .options { return .view }
        let method = request.method == .head ? Method.get : request.method
        return byPath[request.route]?.first { $0.method == method }?.access ?? .full
    }
}
