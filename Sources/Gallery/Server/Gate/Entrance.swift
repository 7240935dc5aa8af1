import MicroHTTP

/// Asks for the token: in a cookie, in a bearer header, or once in the URL of a page, which then is traded for the cookie.
struct Entrance: Sendable {
    let token: AccessToken
    /// Whether the cookie may be kept to TLS.
    let isSecure: Bool

    /// - Returns: `nil` for who has shown the token.
    func verdict(on request: Request) -> Response? {
        if isPage(request), let given = request.query("token"), isToken(given) { return welcome(request) }
        if let header = request.header("Authorization"), isToken(Self.bearer(header)) { return nil }
        if let cookies = request.header("Cookie"), hasCookie(cookies) { return nil }
        if isPage(request), Self.comesFromElsewhere(request) { return again(request) }
        let isRead = isPage(request) && (request.header("Accept") ?? "").contains("text/html")
        return isRead ? Self.question(isWrong: request.query("token") != nil) : refusal
    }

    /// For a person: a place to put the token.
    private static func question(isWrong: Bool) -> Response {
        let why = isWrong ? "This is not the token." : "Whoever runs it can give you one."
        return Response(
            status: 401, type: "text/html; charset=utf-8",
            headers: [
                ("WWW-Authenticate", "Bearer realm=\"lookahead\""), ("Cache-Control", "no-store"),
                ("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'"),
                ("Referrer-Policy", "no-referrer"), ("X-Content-Type-Options", "nosniff"),
            ],
            text: """
                <!doctype html><html lang="en"><meta charset="utf-8"><title>Lookahead</title>
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <style>
                :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
                body { max-width: 26rem; margin: 20vh auto 0; padding: 0 1rem; }
                h1 { margin: 0; font-size: 1.2rem; } p { margin: .25rem 0 1rem; }
                form { display: flex; gap: .5rem; } input { flex: 1; min-width: 0; }
                input, button { font: inherit; padding: .4rem .7rem; }
                </style>
                <main><h1>This gallery asks for a token</h1><p id="why">\(why)</p>
                <form action="./"><input name="token" type="password" aria-label="Token" aria-describedby="why"
                autocomplete="off" required autofocus><button>Open</button></form></main></html>

                """)
    }

    private var refusal: Response {
        let problem = Problem(
            401,
            "This server asks for its token. Open the page once with ?token=TOKEN at the end of its address, or send "
                + "the header Authorization: Bearer TOKEN.")
        return API.response(problem).adding([("WWW-Authenticate", "Bearer realm=\"lookahead\"")])
    }

    /// Tokens in other URLs than a person's would only stand in logs.
    private func isPage(_ request: Request) -> Bool {
        request.method == .get && !request.path.hasPrefix("/api/") && request.path != "/metrics"
    }

    /// A plus sign in a query stands for a space, which no token has.
    private func isToken(_ given: String) -> Bool { token.matches(given.replacing(" ", with: "+")) }

    private static func bearer(_ header: String) -> String {
        let parts = header.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return "" }
        return String(parts[1].drop { $0 == " " })
    }

    private func hasCookie(_ header: String) -> Bool {
        for pair in header.split(separator: ";") {
            let pair = pair.drop { $0 == " " }
            guard let equals = pair.firstIndex(of: "="), pair[..<equals] == token.cookieName else { continue }
            if token.matches(pair[pair.index(after: equals)...]) { return true }
        }
        return false
    }

    // MARK: Trading the URL's token for the cookie

    private func welcome(_ request: Request) -> Response {
        let cookie =
            "\(token.cookieName)=\(token.text); HttpOnly; SameSite=Strict; Path=/" + (isSecure ? "; Secure" : "")
        let target = Self.address(of: request)
        let headers = [("Set-Cookie", cookie), ("Cache-Control", "no-store"), ("Referrer-Policy", "no-referrer")]
        if Self.comesFromElsewhere(request) {
            return Self.hop(to: target, status: 200, headers: headers)
        }
        return Response(status: 303, headers: headers + [("Location", target)])
    }

    /// A browser keeps a strict cookie back when a link of another site, or a redirection from one, leads here. From a
    /// page of our own it comes along.
    private static func comesFromElsewhere(_ request: Request) -> Bool {
        guard request.header("Sec-Fetch-Mode") == "navigate", let site = request.header("Sec-Fetch-Site") else {
            return false
        }
        return site == "cross-site" || site == "same-site"
    }

    private func again(_ request: Request) -> Response {
        Self.hop(
            to: Self.address(of: request), status: 401,
            headers: [("Cache-Control", "no-store"), ("WWW-Authenticate", "Bearer realm=\"lookahead\"")])
    }

    /// A page that only leads on to an address.
    private static func hop(to address: String, status: Int, headers: [(name: String, value: String)]) -> Response {
        let url = address.replacing("&", with: "&amp;")
        let text = "<!doctype html><meta http-equiv=\"refresh\" content=\"0;url=\(url)\"><title>Lookahead</title>\n"
        return Response(
            status: status, type: "text/html; charset=utf-8",
            headers: headers + [
                ("Content-Security-Policy", "default-src 'none'"), ("X-Content-Type-Options", "nosniff"),
            ],
            text: text)
    }

    /// The request's own address without its token, relative, so that it holds under a proxy's path prefix, too.
    private static func address(of request: Request) -> String {
        let path = request.rawTarget.prefix { $0 != "?" }
        let last = path.hasPrefix("/") ? path[(path.lastIndex(of: "/") ?? path.startIndex)...].dropFirst() : ""
        let query = request.rawQuery.split(separator: "&").filter { !$0.hasPrefix("token=") && $0 != "token" }
        let address = "./\(last)" + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
        // A target may hold quotes and angle brackets as they are; here they would end more than the address.
        return address.replacing("\"", with: "%22").replacing("'", with: "%27").replacing("<", with: "%3C")
            .replacing(">", with: "%3E")
    }
}
