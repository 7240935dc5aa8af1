import Fetch
import Testing

@Suite struct AuthorityTests {
    @Test("an origin needs a host and a port, and nothing else")
    func origins() {
        #expect(WebOrigin("Example.COM:80") == WebOrigin(host: "example.com", port: 80))
        #expect(WebOrigin("[::1]:8080") == WebOrigin(host: "::1", port: 8080))
        #expect(WebOrigin("[::1]:8080")?.description == "[::1]:8080")
        for text in ["", ":80", "a", "a:", "a:0", "a:65536", "::1:80", "http://a:80", "a@b:80", "a:+1", "[::1]"] {
            #expect(WebOrigin(text) == nil, "\(text)")
        }
    }

    @Test(
        "an authority is a host with an optional port",
        arguments: [
            ("Example.COM", "example.com", nil), ("a.:080", "a.", 80), ("[::1]", "::1", nil),
            ("[2001:DB8::1]:65535", "2001:db8::1", 65535), ("127.0.0.1:1", "127.0.0.1", 1),
            ("bücher.example", "bücher.example", nil),
        ] as [(String, String, UInt16?)])
    func authorities(text: String, host: String, port: UInt16?) {
        #expect(Authority(text) == Authority(host: host, port: port))
        #expect(Authority(text).flatMap { Authority($0.description) } == Authority(host: host, port: port))
    }

    @Test(
        "malformed authorities are refused",
        arguments: [
            "", ":", ":80", "[", "[]", "[]:80", "[::1", "[::1]80", "[::1]:", "[a]:80", "::1", "a:", "a:b", "a:80:80",
            "a b", "a/b",
            "a]", "a\n", "[fe80::1%eth0]",
        ])
    func noAuthority(text: String) { #expect(Authority(text) == nil) }

    @Test("a trailing full stop of a Host header and the standard port of an Origin header are dropped")
    func headers() {
        #expect(Authority(header: "A.example.:81") == Authority(host: "a.example", port: 81))
        #expect(Authority(header: ".") == nil)
        #expect(Authority(origin: "HTTPS://a.example:443")?.description == "a.example")
        #expect(Authority(origin: "http://[::1]:443")?.description == "[::1]:443")
        #expect(Authority(origin: "null") == nil && Authority(origin: "ftp://a") == nil)
        #expect(Authority.name(in: "https://A.example./x") == "a.example:443")
        #expect(Authority.name(in: "http://a.example:0080?x") == "a.example:80")
        #expect(Authority.name(in: "http://a.example:") == "a.example:80")
    }

    @Test(
        "localhost, its subdomains, 127.0.0.0/8 and ::1 are loopback",
        arguments: ["localhost", "a.localhost", "127.1.2.3", "::1"])
    func loopback(host: String) { #expect(Authority(host: host).isLoopback) }
}
