import Gallery
import MicroHTTP

/// Checks the token of a request. A token is sent in a cookie, in a bearer header, or once in the URL of a page, which sets the cookie.
struct Authentication: Sendable {
    enum Verdict {
        /// The request has a valid token with this access.
        case pass(Caller.Access)
        /// The request gets this response, a refusal or a redirection, after the delay.
        case respond(Response, after: Duration = .zero)
    }

    let tokens: AccessTokens
    /// Whether the cookie can be limited to TLS.
    let isSecure: Bool
    let isEmbedded: Bool
    /// Origins that may frame the token form. No other page may trick a person into entering the token.
    let embedOrigins: EmbedOrigins
    let wrongTokens: WrongTokens
    /// Network for which wrong tokens are counted.
    let network: String

    func verdict(on request: Request) -> Verdict {
        var isWrong = false
        if isPage(request), let given = request.query("token"), !given.isEmpty {
            if let token = match(given)?.token { return .respond(welcome(request, token)) }
            isWrong = true
        }
        let shown = Self.shown(request, tokens)
        if let access = shown.access { return .pass(access) }
        isWrong = isWrong || shown.isWrong
        let isRead = isPage(request) && (request.header("Accept") ?? "").contains("text/html")
        let guess = isWrong ? wrongTokens.count(from: network) : nil
        let delay = guess?.delay ?? .zero
        if let wait = guess?.wait {
            return .respond(
                isRead ? question("Too many wrong tokens. Wait a moment.", wait: wait) : Self.tooMany(wait),
                after: delay)
        }
        if isPage(request), Self.comesFromElsewhere(request) { return .respond(again(request), after: delay) }
        guard isRead else { return .respond(refusal, after: delay) }
        return .respond(
            question(isWrong ? "That token isn’t right." : "Ask the person who runs this gallery."), after: delay)
    }

    static let challenge = "Bearer realm=\"lookahead\""

    /// Returns the access that a request's bearer header or cookies give, and whether they contain a wrong token.
    static func shown(_ request: Request, _ tokens: AccessTokens) -> (access: Caller.Access?, isWrong: Bool) {
        var isWrong = false
        if let header = request.header("Authorization") {
            let given = bearer(header)
            if let access = tokens.match(given)?.access { return (access, false) }
            isWrong = !given.isEmpty
        }
        guard let header = request.header("Cookie") else { return (nil, isWrong) }
        let cookies = tokens.read(cookies: header)
        return (cookies.access, isWrong || cookies.isWrong)
    }

    private static func tooMany(_ wait: Int) -> Response {
        API.response(
            Problem(
                429, "Too many wrong tokens from this address. The right token is accepted immediately.",
                retryAfter: wait)
        )
    }

    /// Returns a page with a form for the token.
    ///
    /// - Parameter wait: seconds to wait after too many wrong tokens, otherwise `nil`.
    private func question(_ why: String, wait: Int? = nil) -> Response {
        Response(
            status: wait == nil ? 401 : 429, type: "text/html; charset=utf-8",
            headers: (wait.map { [("Retry-After", String($0))] } ?? [("WWW-Authenticate", Self.challenge)])
                + [("Cache-Control", "no-store"), ("Referrer-Policy", "no-referrer")]
                + embedOrigins.headers(policy: "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'"),
            text: """
                <!doctype html><html lang="en"><meta charset="utf-8"><title>Lookahead</title>
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <style>
                :root { color-scheme: light dark; --text: light-dark(#1d1e20, #eceae5);
                --accent: light-dark(#925600, #f2b25c); --ground: light-dark(#f6f5f2, #111316);
                font: 14px/1.45 system-ui, sans-serif; color: var(--text); background: var(--ground); }
                body { max-width: 26rem; margin: 20vh auto 0; padding: 0 16px; }
                svg { width: 32px; fill: var(--accent); } h1 { margin: 8px 0 0; font-size: 17px; font-weight: 620; }
                p { margin: 4px 0 16px; color: light-dark(#5f6064, #a2a5ac); }
                * { box-sizing: border-box; } form { display: flex; gap: 8px; } input { flex: 1; min-width: 0; }
                input, button { min-height: 44px; padding: 4px 16px; font: inherit; border-radius: 8px;
                border: 1px solid light-dark(#8b877e, #6d727c); color: var(--text); background: light-dark(#fff, #1a1d22); }
                button { border-color: var(--accent); color: var(--ground); background: var(--accent); font-weight: 600; }
                :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
                </style>
                <main><svg viewBox="0 0 24 24" aria-hidden="true"><rect x="2" y="3" width="9" height="8" rx="2"/>
                <rect x="13" y="3" width="9" height="8" rx="2"/><rect x="2" y="13" width="9" height="8" rx="2" opacity=".5"/>
                <rect x="13" y="13" width="9" height="8" rx="2" opacity=".25"/></svg><h1>Enter the access token</h1><p id="why">\(why)</p>
                <form action="./"><input name="token" type="password" aria-label="Token" aria-describedby="why"
                autocomplete="off" required autofocus><button>Open</button></form></main></html>

                """)
    }

    private var refusal: Response {
        let problem = Problem(
            401,
            "This server needs an access token. Open the page once with ?token=TOKEN at the end of its address, or "
                + "send the header Authorization: Bearer TOKEN.")
        return API.response(problem).adding([("WWW-Authenticate", Self.challenge)])
    }

    /// Only pages accept a token in the URL. In other URLs, tokens would only end up in logs.
    private func isPage(_ request: Request) -> Bool {
        request.method == .get && !request.path.hasPrefix("/api/") && request.path != "/metrics"
    }

    /// In a query, a plus sign means a space. No token contains a space.
    private func match(_ given: String) -> (token: AccessToken, access: Caller.Access)? {
        tokens.match(given.replacing(" ", with: "+"))
    }

    private static func bearer(_ header: String) -> String {
        let parts = header.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return "" }
        return String(parts[1].drop { $0 == " " })
    }

    // MARK: Trading the URL's token for the cookie

    private func welcome(_ request: Request, _ token: AccessToken) -> Response {
        let cookie = "\(token.cookieName)=\(token.text); HttpOnly; " + attributes(request)
        let target = Self.address(of: request)
        let headers = [("Set-Cookie", cookie), ("Cache-Control", "no-store"), ("Referrer-Policy", "no-referrer")]
        if Self.comesFromElsewhere(request) {
            return hop(to: target, status: 200, headers: headers)
        }
        return Response(status: 303, headers: headers + [("Location", target)])
    }

    /// Returns the cookie's attributes. Normally the browser sends the cookie only with requests from pages of this site. If a page of
    /// another site embeds a gallery, the browser sends the cookie only from that site's pages. Browsers accept such a cookie only if it is
    /// secure, and treat loopback as secure.
    private func attributes(_ request: Request) -> String {
        if isEmbedded, request.header("Sec-Fetch-Site") == "cross-site" {
            return "SameSite=None; Path=/; Secure; Partitioned"
        }
        return "SameSite=Strict; Path=/" + (isSecure ? "; Secure" : "")
    }

    /// Whether a link or redirection of another site leads here. The browser then sends no strict cookie. It sends the cookie after a hop
    /// through a page of this server.
    private static func comesFromElsewhere(_ request: Request) -> Bool {
        guard request.header("Sec-Fetch-Mode") == "navigate", let site = request.header("Sec-Fetch-Site") else {
            return false
        }
        return site == "cross-site" || site == "same-site"
    }

    private func again(_ request: Request) -> Response {
        hop(
            to: Self.address(of: request), status: 401,
            headers: [("Cache-Control", "no-store"), ("WWW-Authenticate", Self.challenge)])
    }

    /// Returns a page that only redirects to an address.
    private func hop(to address: String, status: Int, headers: [(name: String, value: String)]) -> Response {
        let url = address.replacing("&", with: "&amp;")
        let text = "<!doctype html><meta http-equiv=\"refresh\" content=\"0;url=\(url)\"><title>Lookahead</title>\n"
        return Response(
            status: status, type: "text/html; charset=utf-8",
            headers: headers + embedOrigins.headers(policy: "default-src 'none'"), text: text)
    }

    /// Returns the request's address without the token. The address is relative, so that it stays valid under a proxy's path prefix.
    private static func address(of request: Request) -> String {
        let path = request.rawTarget.prefix { $0 != "?" }
        let last = path.hasPrefix("/") ? path[(path.lastIndex(of: "/") ?? path.startIndex)...].dropFirst() : ""
        let query = request.rawQuery.split(separator: "&").filter { !$0.hasPrefix("token=") && $0 != "token" }
        let address = "./\(last)" + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
        // A target may contain unescaped quotes and angle brackets, which would end the HTML attribute here.
        return address.replacing("\"", with: "%22").replacing("'", with: "%27").replacing("<", with: "%3C")
            .replacing(">", with: "%3E")
    }
}
