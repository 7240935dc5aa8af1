import Fetch
import Gallery
import Media
import MicroHTTP

/// Refuses requests without permission, based only on their head and before any handler runs.
///
/// The checks, in this order:
/// 1. The host must be a name of this server, otherwise 403.
/// 2. A page of another site may neither write (CSRF) nor embed anything, otherwise 403. Pages of the ``EmbedOrigins`` are exempt.
/// 3. If the server has a token, the request must contain it, otherwise 401, or 429 after too many wrong tokens.
/// 4. The token must allow the route, otherwise 403, see ``RouteAccess``.
///
/// `/healthz` and `/readyz` report the server's state to everyone.
package struct Gatekeeper: Sendable {
    static let healthPath = "/healthz"
    static let readinessPath = "/readyz"

    private let tokens: AccessTokens?
    private let wrongTokens: WrongTokens
    private let opener: @Sendable (_ session: String) -> Caller?
    private let names: HostNames
    private let proxies: TrustedProxies
    private let embedOrigins: EmbedOrigins
    private let accepted = AcceptedHosts()

    package init(
        tokens: AccessTokens?, names: HostNames, proxies: TrustedProxies, embedOrigins: EmbedOrigins,
        wrongTokens: WrongTokens = WrongTokens(),
        opener: @escaping @Sendable (_ session: String) -> Caller? = { _ in nil }
    ) {
        self.tokens = tokens
        self.wrongTokens = wrongTokens
        self.names = names
        self.proxies = proxies
        self.embedOrigins = embedOrigins
        self.opener = opener
    }

    /// Returns the caller of a request that passed. An embedding page can only view and scroll, even if its visitor has the full token.
    package func caller(of request: Request) -> Caller {
        let access = tokens.map { Authentication.shown(request, $0).access ?? .view } ?? .full
        return Caller(access: embedOrigins.made(request) ? .view : access, address: proxies.client(of: request))
    }

    /// Returns headers to add to every response. They name the origins that may read the response.
    func headers(for request: Request) -> [(name: String, value: String)] { embedOrigins.headers(for: request) }

    /// - Returns: the refusal or redirection, or `nil` if the request may pass.
    package func verdict(on request: Request) -> Response? { refusal(of: request)?.response }

    /// Returns the refusal or redirection with its delay, or `nil` if the request may pass.
    package func refusal(of request: Request) -> Refusal? {
        if request.path == Self.healthPath || request.path == Self.readinessPath { return nil }
        // Browsers always send a host. HTTP/1.0 tools may omit it.
        let host = proxies.host(of: request)
        if let host, !accepted.contains(host) {
            guard let authority = Authority(header: host), names.contains(authority) else {
                return Refusal(API.response(.unknownHost(host)))
            }
            accepted.insert(host)
        }
        let isEmbedded = embedOrigins.made(request)
        if isEmbedded {
            // Browsers send no cookie with a preflight or with a module that a page imports.
            if let response = embedOrigins.preflight(request) { return Refusal(response) }
            if Page.isOfElement(request) { return nil }
        } else if let problem = Self.crossOriginProblem(of: request, to: host) {
            return Refusal(API.response(problem))
        }
        if let tokens {
            let authentication = Authentication(
                tokens: tokens, isSecure: proxies.isSecure(request), isEmbedded: isEmbedded,
                embedOrigins: embedOrigins, wrongTokens: wrongTokens,
                network: Caller.network(of: proxies.client(of: request)))
            switch authentication.verdict(on: request) {
            case .respond(let response, let delay): return Refusal(response, after: delay)
            case .pass(.full) where !isEmbedded: return nil
            case .pass: break
            }
        } else if !isEmbedded {
            return nil
        }
        return isForViewers(request) ? nil : Refusal(API.response(.viewOnly))
    }

    private func isForViewers(_ request: Request) -> Bool {
        switch RouteAccess.of(request) {
        case .anyone, .view, .byBody: true
        case .ownSession: opener(request.parameter("s") ?? "").map { $0.access == .view } ?? true
        case .full: false
        }
    }

    /// Returns the problem if a page of another origin makes a request that it may not make, otherwise `nil`.
    private static func crossOriginProblem(of request: Request, to host: String?) -> Problem? {
        let isRead = [.get, .head, .options].contains(request.method)
        if let site = request.header("Sec-Fetch-Site") {
            // Links from other sites may pass. Their pages may neither embed nor write.
            let isWelcome =
                site == "same-origin" || site == "none"
                || isRead && request.header("Sec-Fetch-Mode") == "navigate"
            return isWelcome ? nil : .otherOrigin
        }
        guard !isRead, let origin = request.header("Origin") else { return nil }
        guard let from = Authority(origin: origin), let authority = host.flatMap({ Authority(header: $0) }),
            from.isSame(as: authority)
        else {
            return .otherOrigin
        }
        return nil
    }
}

extension Problem {
    fileprivate static func unknownHost(_ host: String) -> Problem {
        let name = host.prefix(bytes: 100)
        return Problem(
            403,
            "This server does not accept the host name \"\(name)\". To allow it, start the server with --allow-host "
                + "\(Authority(header: name)?.host ?? "NAME").")
    }

    package static let viewOnly = Problem(
        403,
        "A view token, or a page that embeds a gallery, can only view and scroll. To change galleries, the demo's origin "
            + "or sessions opened with the full token, use the full token on the server's own page.")

    fileprivate static let otherOrigin = Problem(
        403,
        "This server refuses requests from pages of another origin. To allow an origin, start the server with "
            + "--embed-origin. Behind a proxy, make the proxy pass on the Host header.")
}
