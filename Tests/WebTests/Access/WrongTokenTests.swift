import Gallery
import MicroHTTP
import Synchronization
import Testing
import Web

/// Limits on guessing tokens.
@Suite struct WrongTokenTests {
    private static let secret = "0123456789+abc=/"
    private static var right: [(String, String)] { [("Authorization", "Bearer \(secret)")] }

    private static func ask(
        _ gatekeeper: Gatekeeper, _ headers: [(String, String)], _ target: String = "/api/v1/galleries",
        from address: String = "192.0.2.1"
    ) throws -> Response? {
        gatekeeper.verdict(on: try Request(.get, target, headers: headers, remoteAddress: address))
    }

    /// Sends wrong tokens until one is refused as too many. On any machine, some arrive within a second.
    private static func exhaust(_ gatekeeper: Gatekeeper, from address: String = "192.0.2.1") throws -> Response? {
        for number in 0..<1000 {
            let wrong = [("Authorization", "Bearer wrong-\(number)-0123456789")]
            let answer = try ask(gatekeeper, wrong, from: address)
            if answer?.status == 429 { return answer }
            #expect(answer?.status == 401)
        }
        return nil
    }

    @Test("too many wrong tokens get 429 with Retry-After, in headers, cookies and URLs")
    func tooMany() throws {
        let gatekeeper = try GatekeeperTests.gatekeeper(token: Self.secret)
        let refused = try #require(try Self.exhaust(gatekeeper))
        #expect(refused.header("Retry-After") == "1")
        #expect(refused.header("Content-Type") == "application/problem+json")
        let cookie = try AccessToken(Self.secret).cookieName + "=0123456789-abc=/"
        let page = [("Accept", "text/html")]
        for (headers, target) in [([("Cookie", cookie)], "/"), ([], "/?token=wrong"), (page, "/?token=wrong")] {
            let statuses = try (0..<1000).map { _ in try Self.ask(gatekeeper, headers, target)?.status }
            #expect(statuses.contains(429), "\(target) \(headers)")
        }
    }

    @Test("the right token is accepted while wrong ones are refused")
    func rightPasses() throws {
        let gatekeeper = try GatekeeperTests.gatekeeper(token: Self.secret)
        #expect(try Self.exhaust(gatekeeper) != nil)
        #expect(try Self.ask(gatekeeper, Self.right) == nil)
        #expect(try Self.ask(gatekeeper, [("Cookie", try GatekeeperTests.cookie)]) == nil)
        #expect(try Self.ask(gatekeeper, [], "/?token=0123456789%2Babc=/")?.status == 303)
    }

    @Test("a request without a token, or with another server's cookie, does not count as a guess")
    func noGuess() throws {
        let gatekeeper = try GatekeeperTests.gatekeeper(token: Self.secret)
        let none: [[(String, String)]] = [
            [], [("Cookie", "lookahead-other=0123456789abcdef")], [("Authorization", "Basic abc")],
        ]
        for headers in none { for _ in 0..<100 { #expect(try Self.ask(gatekeeper, headers)?.status == 401) } }
    }

    @Test("wrong tokens are counted for each client address, and for each IPv6 network")
    func byAddress() throws {
        let gatekeeper = try GatekeeperTests.gatekeeper(token: Self.secret, proxies: ["10.0.0.2"])
        #expect(try Self.exhaust(gatekeeper, from: "2001:db8::1") != nil)
        let wrong = [("Authorization", "Bearer wrong-token-0123456789")]
        #expect(try Self.ask(gatekeeper, wrong, from: "2001:db8:0:1::1")?.status == 401)
        for number in 0..<50 {
            let forwarded = wrong + [("X-Forwarded-For", "192.0.2.\(number)")]
            #expect(try Self.ask(gatekeeper, forwarded, from: "10.0.0.2")?.status == 401)
        }
    }

    @Test("five wrong tokens a second are allowed, and the number of tracked addresses is limited")
    func bounded() {
        let time = Mutex(ContinuousClock.now)
        let wrong = WrongTokens { time.withLock { $0 } }
        func wait(_ address: String) -> Int? { wrong.count(from: address).wait }
        for _ in 0..<5 { #expect(wait("a") == nil) }
        #expect(wait("a") == 1)
        time.withLock { $0 += .milliseconds(250) }
        #expect(wait("a") == nil)
        // Fills the tracked addresses. All further addresses count as one.
        for number in 1..<WrongTokens.maxAddresses { #expect(wait("\(number)") == nil) }
        for number in 0..<5 { #expect(wait("more-\(number)") == nil) }
        #expect(wait("one more") == 1)
        // Addresses are forgotten once their budget is full again, which makes room for others.
        time.withLock { $0 += .seconds(5) }
        #expect(wait("one more") == nil)
        for number in 0..<50 { #expect(wait("new-\(number)") == nil) }
    }

    @Test(
        "each further wrong token is delayed longer, up to two seconds, and the delay shrinks with time",
        arguments: [
            ([0], [50]),
            ([0, 0, 0, 0, 0, 0, 0, 0, 0], [50, 100, 200, 400, 800, 1600, 2000, 2000, 2000]),
            ([0, 1, 2, 3], [50, 100, 200, 400]),
            ([0, 0, 0, 10_000, 10_000, 40_000], [50, 100, 200, 200, 400, 100]),
            ([0, 60_000], [50, 50]),
            // All guesses are forgotten within seventy seconds.
            ([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 70_000], [50, 100, 200, 400, 800, 1600, 2000, 2000, 2000, 2000, 50]),
            // A clock that runs backwards.
            ([50_000, 0, 50_000], [50, 100, 200]),
        ] as [([Double], [Int])])
    func delays(times: [Double], milliseconds: [Int]) {
        var guesses = Guesses()
        #expect(times.map { guesses.delay(at: $0) } == milliseconds.map { .milliseconds($0) })
    }

    @Test("only requests with wrong tokens are delayed, for each address separately")
    func delayed() throws {
        let now = ContinuousClock.now
        let gatekeeper = try GatekeeperTests.gatekeeper(token: Self.secret, wrongTokens: WrongTokens { now })
        func delay(
            _ headers: [(String, String)], _ address: String, _ target: String = "/api/v1/galleries"
        ) throws -> Duration? {
            try gatekeeper.refusal(of: Request(.get, target, headers: headers, remoteAddress: address))?.delay
        }
        let wrong = [("Authorization", "Bearer wrong-token-0123456789")]
        for expected in [50, 100, 200, 400, 800, 1600, 2000, 2000] {
            #expect(try delay(wrong, "192.0.2.1") == .milliseconds(expected))
        }
        #expect(try delay([("Accept", "text/html")], "192.0.2.1", "/?token=wrong") == .seconds(2))
        #expect(try delay(wrong, "192.0.2.2") == .milliseconds(50))
        #expect(try delay([], "192.0.2.1") == .zero)
        #expect(try delay(Self.right, "192.0.2.1") == nil)
        #expect(try delay([], "192.0.2.1", "/?token=0123456789%2Babc=/") == .zero)
    }
}
