import Gallery
import MicroHTTP
import Testing
import Web

@Suite struct GatekeeperTests {
    static let secret = "0123456789+abc=/"

    static func gatekeeper(
        token: String? = nil, host: String = "127.0.0.1", allowed: [String] = [], proxies: [String] = [],
        embedOrigins: [String] = [], wrongTokens: WrongTokens = WrongTokens()
    ) throws -> Gatekeeper {
        Gatekeeper(
            tokens: try token.map { AccessTokens(full: try AccessToken($0), view: nil) },
            names: try HostNames(listening: host, allowed: allowed),
            proxies: try TrustedProxies(proxies), embedOrigins: try EmbedOrigins(embedOrigins),
            wrongTokens: wrongTokens)
    }

    static let hosts: [(listening: String, host: String, passes: Bool)] = [
        ("127.0.0.1", "127.0.0.1:8080", true),
        ("127.0.0.1", "localhost", true),
        ("127.0.0.1", "LOCALHOST.:8080", true),
        ("127.0.0.1", "pictures.localhost:1", true),
        ("127.0.0.1", "[::1]:8080", true),
        ("127.0.0.1", "pictures.example:8080", true),
        ("127.0.0.1", "evil.example", false),
        ("127.0.0.1", "pictures.example.evil.example", false),
        ("127.0.0.1", "127.0.0.1.evil.example", false),
        ("127.0.0.1", "localhost:8080:8080", false),
        ("127.0.0.1", "localhost:99999", false),
        ("127.0.0.1", "192.168.1.4", false),
        ("127.0.0.1", "", false),
        ("127.0.0.1", "[::1", false),
        ("192.168.1.4", "192.168.1.4:8080", true),
        ("192.168.1.4", "192.168.1.5", false),
        ("0.0.0.0", "192.168.1.5:8080", true),
        ("::", "[fd00::7]:8080", true),
        ("0.0.0.0", "evil.example", false),
    ]

    @Test("a host name gets the same verdict twice, even if many names come between")
    func again() throws {
        let gatekeeper = try Self.gatekeeper()
        for _ in 0..<2 {
            for number in 0..<(2 * AcceptedHosts.maximum) {
                let own = try Request(.get, "/", headers: [("Host", "h\(number).localhost")])
                #expect(gatekeeper.verdict(on: own) == nil)
                let other = try Request(.get, "/", headers: [("Host", "h\(number).example")])
                #expect(gatekeeper.verdict(on: other)?.status == 403)
            }
        }
    }

    @Test("only requests for the server's own host names are accepted", arguments: hosts)
    func hostHeader(listening: String, host: String, passes: Bool) throws {
        let gatekeeper = try Self.gatekeeper(host: listening, allowed: ["Pictures.Example"])
        let verdict = gatekeeper.verdict(on: try Request(.get, "/", headers: [("Host", host)]))
        #expect(verdict?.status == (passes ? nil : 403), "\(host)")
    }

    @Test("the health check needs no token and no host name")
    func health() throws {
        let gatekeeper = try Self.gatekeeper(token: Self.secret)
        #expect(gatekeeper.verdict(on: try Request(.get, "/healthz", headers: [("Host", "10.0.0.7")])) == nil)
    }

    static let origins: [(Method, [(String, String)], passes: Bool)] = [
        (.post, [], true),
        (.post, [("Origin", "http://localhost:8080")], true),
        (.post, [("Origin", "http://localhost")], false),
        (.post, [("Origin", "http://evil.example")], false),
        (.post, [("Origin", "null")], false),
        (.delete, [("Origin", "http://localhost:8081")], false),
        (.patch, [("Sec-Fetch-Site", "same-origin"), ("Origin", "https://pictures.example")], true),
        (.post, [("Sec-Fetch-Site", "same-site")], false),
        (.post, [("Sec-Fetch-Site", "cross-site"), ("Origin", "http://localhost:8080")], false),
        (.post, [("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "navigate")], false),
        (.get, [("Origin", "http://evil.example")], true),
        (.get, [("Sec-Fetch-Site", "none")], true),
        (.get, [("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "navigate")], true),
        (.get, [("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "no-cors")], false),
    ]

    @Test("pages of other origins can neither write nor embed", arguments: origins)
    func otherOrigins(method: Method, headers: [(String, String)], passes: Bool) throws {
        let request = try Request(method, "/api/v1/sessions", headers: headers + [("Host", "localhost:8080")])
        #expect(try Self.gatekeeper().verdict(on: request)?.status == (passes ? nil : 403), "\(headers)")
    }

    static var cookie: String {
        get throws { "\(try AccessToken(secret).cookieName)=\(secret)" }
    }

    static let keys: [(target: String, headers: [(String, String)], status: Int?)] = [
        ("/", [], 401),
        ("/js/main.js", [], 401),
        ("/metrics", [], 401),
        ("/api/v1/galleries", [("Authorization", "Bearer \(secret)")], nil),
        ("/api/v1/galleries", [("Authorization", "bearer  \(secret)")], nil),
        ("/api/v1/galleries", [("Authorization", "Bearer \(secret)x")], 401),
        ("/api/v1/galleries", [("Authorization", "Bearer ")], 401),
        ("/api/v1/galleries", [("Authorization", secret)], 401),
        ("/api/v1/galleries", [("Authorization", "Basic \(secret)")], 401),
        ("/api/v1/galleries?token=0123456789%2Babc=/", [], 401),
        ("/metrics?token=0123456789%2Babc=/", [], 401),
        ("/?token=0123456789%2Babc=/", [], 303),
        ("/?token=0123456789+abc=/", [], 303),
        ("/?token=", [], 401),
        ("/?token=0123456789-abc=/", [], 401),
        ("/api/v1/galleries", [("Cookie", "a=b; lookahead-x=\(secret)")], 401),
    ]

    @Test("a server with a token requires it", arguments: keys)
    func token(target: String, headers: [(String, String)], status: Int?) throws {
        let verdict = try Self.gatekeeper(token: Self.secret).verdict(on: try Request(.get, target, headers: headers))
        #expect(verdict?.status == status, "\(target) \(headers)")
        if status == 401 {
            #expect(verdict?.header("WWW-Authenticate")?.hasPrefix("Bearer") == true)
            #expect(verdict?.header("Content-Type") == "application/problem+json")
        }
    }

    @Test(
        "only embedding origins may frame the page that asks for the token",
        arguments: [[], ["https://blog.example"]])
    func frames(origins: [String]) throws {
        let gatekeeper = try Self.gatekeeper(token: Self.secret, embedOrigins: origins)
        let link = [("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "navigate")]
        for (target, headers) in [("/", [("Accept", "text/html")]), ("/?token=0123456789%2Babc=/", link), ("/", link)] {
            let answer = try #require(gatekeeper.verdict(on: try Request(.get, target, headers: headers)))
            let policy = answer.header("Content-Security-Policy") ?? ""
            #expect(policy.hasPrefix("default-src 'none'; "), "\(policy)")
            #expect(policy.hasSuffix("; frame-ancestors \(origins.first ?? "'none'")"), "\(policy)")
            #expect(answer.header("X-Frame-Options") == (origins.isEmpty ? "DENY" : nil))
        }
    }

    @Test("the cookie is accepted beside other cookies")
    func cookies() throws {
        let gatekeeper = try Self.gatekeeper(token: Self.secret)
        for cookies in [try Self.cookie, "a=b; \(try Self.cookie)", "\(try Self.cookie)x; \(try Self.cookie); c"] {
            #expect(
                gatekeeper.verdict(on: try Request(.post, "/api/v1/sessions", headers: [("Cookie", cookies)])) == nil)
        }
    }

    static let addresses = [
        ("/?token=0123456789%2Babc=/", "./"),
        ("/?a=1&token=0123456789%2Babc=/&b=2", "./?a=1&b=2"),
        ("/deep/page.html?token=0123456789%2Babc=/", "./page.html"),
        ("http://localhost/?token=0123456789%2Babc=/", "./"),
        ("/x\"y?token=0123456789%2Babc=/&q='<", "./x%22y?q=%27%3C"),
        ("//evil.example?token=0123456789%2Babc=/", "./evil.example"),
    ]

    @Test("the token in a URL is exchanged for a cookie and removed from the URL", arguments: addresses)
    func trade(target: String, location: String) throws {
        let verdict = try Self.gatekeeper(token: Self.secret).verdict(on: try Request(.get, target))
        #expect(verdict?.status == 303)
        #expect(verdict?.header("Location") == location)
        #expect(verdict?.header("Set-Cookie") == "\(try Self.cookie); HttpOnly; SameSite=Strict; Path=/")
        #expect(verdict?.header("Cache-Control") == "no-store")
    }

    @Test("a link from another site is answered with a page that redirects, so that the strict cookie is sent")
    func links() throws {
        let gatekeeper = try Self.gatekeeper(token: Self.secret)
        let link = [("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "navigate")]
        let first = try #require(
            gatekeeper.verdict(on: try Request(.get, "/?token=0123456789%2Babc=/&a=1&b=2", headers: link)))
        #expect(first.status == 200)
        #expect(first.header("Set-Cookie") != nil)
        #expect(String(decoding: first.body, as: UTF8.self).contains("content=\"0;url=./?a=1&amp;b=2\""))
        let later = try #require(gatekeeper.verdict(on: try Request(.get, "/?follow=7", headers: link)))
        #expect(later.status == 401)
        #expect(later.header("Set-Cookie") == nil)
        #expect(String(decoding: later.body, as: UTF8.self).contains("url=./?follow=7"))
        let again = [("Sec-Fetch-Site", "same-origin"), ("Sec-Fetch-Mode", "navigate")]
        let refused = gatekeeper.verdict(on: try Request(.get, "/?follow=7", headers: again))
        #expect(refused?.header("Content-Type") == "application/problem+json")
    }

    static let forwarded: [(peer: String, headers: [(String, String)], status: Int?)] = [
        ("10.0.0.2", [("X-Forwarded-Host", "pictures.example")], nil),
        ("10.0.0.2", [("X-Forwarded-Host", "evil.example, pictures.example")], nil),
        ("10.0.0.2", [("X-Forwarded-Host", "evil.example")], 403),
        ("10.1.0.2", [("X-Forwarded-Host", "pictures.example")], 403),
        ("10.0.0.2", [("Origin", "https://pictures.example"), ("X-Forwarded-Host", "pictures.example")], nil),
        ("10.0.0.2", [("Origin", "https://other.example"), ("X-Forwarded-Host", "pictures.example")], 403),
    ]

    @Test("forwarded headers count only from trusted proxies", arguments: forwarded)
    func proxies(peer: String, headers: [(String, String)], status: Int?) throws {
        let gatekeeper = try Self.gatekeeper(allowed: ["pictures.example"], proxies: ["10.0.0.0/16"])
        let request = try Request(
            .post, "/api/v1/sessions", headers: headers + [("Host", "backend.example")], remoteAddress: peer)
        #expect(gatekeeper.verdict(on: request)?.status == status)
    }

    @Test("behind TLS the cookie is Secure, and the client's address is the forwarded one")
    func secure() throws {
        let headers = [("X-Forwarded-Proto", "https"), ("X-Forwarded-For", "6.6.6.6, 192.0.2.9, 10.0.0.3")]
        let gatekeeper = try Self.gatekeeper(token: Self.secret, proxies: ["10.0.0.0/16"])
        let target = "/?token=0123456789%2Babc=/"
        let trusted = try Request(.get, target, headers: headers, remoteAddress: "10.0.0.2")
        #expect(gatekeeper.verdict(on: trusted)?.header("Set-Cookie")?.hasSuffix("; Secure") == true)
        let other = try Request(.get, target, headers: headers, remoteAddress: "192.0.2.1")
        #expect(gatekeeper.verdict(on: other)?.header("Set-Cookie")?.hasSuffix("; Secure") == false)
        let proxies = try TrustedProxies(["10.0.0.0/16"])
        #expect(proxies.client(of: trusted) == "192.0.2.9")
        #expect(proxies.client(of: other) == "192.0.2.1")
    }

    @Test(
        "a token that is short or needs quoting is refused",
        arguments: ["", "0123456789abcde", "0123456789 abcdef", "0123456789;abcdef", "0123456789äöüabcdef"])
    func weakTokens(text: String) {
        #expect(throws: SettingError.self) { try AccessToken(text) }
    }

    @Test(
        "a token is guessable if it is short, repetitive, sequential or made of common words",
        arguments: [
            ("1111111111111111", true), ("83649201756482910", true), ("4711081547110815", true),
            ("passwordpassword", true), ("lookahead-secret-token", true), ("My-Secret-Password", true),
            ("0123456789abcdef", true), ("abcdefghijklmnop", true), ("aaaaaaaaaaaaaaab", true),
            ("9f86d081884c7d65", false), ("9f86d081884c7d659a2feaa0c55ad015", false), ("qK7vXw2ZpT9cRb4N", false),
            ("correct-horse-battery", false), ("84719305628461937205", false),
        ])
    func guessable(text: String, isGuessable: Bool) throws {
        let token = try AccessToken(text)
        #expect(token.isGuessable == isGuessable, "\(token.estimatedBits) bits")
    }

    @Test("invalid host names and proxies are refused")
    func wrongNames() {
        for host in ["http://a.example", "a.example:80", ""] {
            #expect(throws: SettingError.self) { try HostNames(listening: "127.0.0.1", allowed: [host]) }
        }
        #expect(throws: SettingError.self) { try TrustedProxies(["proxy.example"]) }
    }
}
