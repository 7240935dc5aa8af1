import Fetch
import Media
import Testing

/// URLs that aim at forbidden targets, each sent through the whole fetcher. An origin listens on the port they aim at
/// and must never see a connection.
@Suite(.timeLimit(.minutes(1))) struct HostileURLTests {
    enum Expected: Sendable, Hashable {
        case url(URLRefusal)
        case address(AddressKind)
    }

    /// PORT is replaced with the listening port.
    private static let table: [(String, Expected)] = [
        // Loopback in every spelling that a C library accepts.
        ("http://127.0.0.1:PORT/", .address(.loopback)),
        ("http://127.1:PORT/", .address(.loopback)),
        ("http://127.0.1:PORT/", .address(.loopback)),
        ("http://2130706433:PORT/", .address(.loopback)),
        ("http://0x7f000001:PORT/", .address(.loopback)),
        ("http://0x7f.1:PORT/", .address(.loopback)),
        ("http://017700000001:PORT/", .address(.loopback)),
        ("http://0177.0.0.1:PORT/", .address(.loopback)),
        ("http://127.0.0.1.:PORT/", .address(.loopback)),
        ("http://%31%32%37.0.0.1:PORT/", .address(.loopback)),
        ("http://localhost:PORT/", .address(.loopback)),
        ("http://LOCALHOST:PORT/", .address(.loopback)),
        ("http://a.localhost:PORT/", .address(.loopback)),
        ("http:127.0.0.1:PORT/", .url(.malformed)),
        ("http:///127.0.0.1:PORT/", .address(.loopback)),
        ("HTTP://127.0.0.1:PORT/", .address(.loopback)),
        ("http://[::1]:PORT/", .address(.loopback)),
        ("http://[0:0:0:0:0:0:0:1]:PORT/", .address(.loopback)),
        ("http://[::ffff:127.0.0.1]:PORT/", .address(.v4Mapped)),
        ("http://[::ffff:7f00:1]:PORT/", .address(.v4Mapped)),
        ("http://[::127.0.0.1]:PORT/", .address(.v4Compatible)),
        ("http://[64:ff9b::127.0.0.1]:PORT/", .address(.nat64)),
        ("http://[64:ff9b:1::7f00:1]:PORT/", .address(.nat64)),
        ("http://[2002:7f00:1::]:PORT/", .address(.sixToFour)),
        ("http://[2001:0:4136:e378:8000:63bf:80ff:fffe]:PORT/", .address(.teredo)),
        ("http://[2606:4700::5efe:7f00:1]:PORT/", .address(.isatap)),
        ("http://0.0.0.0:PORT/", .address(.unspecified)),
        ("http://0:PORT/", .address(.unspecified)),
        ("http://[::]:PORT/", .address(.unspecified)),
        // Neighbours, clouds, routers.
        ("http://169.254.169.254/latest/meta-data/", .address(.linkLocal)),
        ("http://2852039166/latest/meta-data/", .address(.linkLocal)),
        ("http://168.63.129.16/metadata", .address(.cloudService)),
        ("http://100.100.100.200/latest/meta-data/", .address(.shared)),
        ("http://10.0.0.1:PORT/", .address(.private)),
        ("http://172.16.0.1:PORT/", .address(.private)),
        ("http://192.168.0.1:PORT/", .address(.private)),
        ("http://3232235521:PORT/", .address(.private)),
        ("http://[fd00:ec2::254]/", .address(.uniqueLocal)),
        ("http://[fe80::1]:PORT/", .address(.linkLocal)),
        ("http://[fe80::1%25lo]:PORT/", .url(.zone)),
        ("http://[fec0::1]:PORT/", .address(.siteLocal)),
        ("http://[ff02::1]:PORT/", .address(.multicast)),
        ("http://224.0.0.1:PORT/", .address(.multicast)),
        ("http://255.255.255.255:PORT/", .address(.broadcast)),
        ("http://192.0.2.1:PORT/", .address(.documentation)),
        ("http://[2001:db8::1]:PORT/", .address(.documentation)),
        ("http://240.0.0.1:PORT/", .address(.reserved)),
        ("http://198.18.0.1:PORT/", .address(.benchmarking)),
        // Names that resolve to forbidden addresses; see `resolve` below.
        ("http://inside.example:PORT/", .address(.loopback)),
        ("http://inside6.example:PORT/", .address(.v4Mapped)),
        ("http://intranet.example:PORT/", .address(.private)),
        // Other schemes.
        ("file:///etc/passwd", .url(.scheme("file"))),
        ("FILE:///etc/passwd", .url(.scheme("file"))),
        ("ftp://127.0.0.1:PORT/", .url(.scheme("ftp"))),
        ("gopher://127.0.0.1:PORT/_GET%20/", .url(.scheme("gopher"))),
        ("dict://127.0.0.1:PORT/d:x", .url(.scheme("dict"))),
        ("ldap://127.0.0.1:PORT/", .url(.scheme("ldap"))),
        ("ws://127.0.0.1:PORT/", .url(.scheme("ws"))),
        ("data:image/png;base64,AAAA", .url(.malformed)),
        ("javascript:alert(1)", .url(.malformed)),
        ("//127.0.0.1:PORT/", .url(.malformed)),
        ("127.0.0.1:PORT/", .url(.malformed)),
        // Credentials, and hosts that hide behind them.
        ("http://user:secret@127.0.0.1:PORT/", .url(.credentials)),
        ("http://user@127.0.0.1:PORT/", .url(.credentials)),
        ("http://example.com:80@127.0.0.1:PORT/", .url(.credentials)),
        ("http://127.0.0.1:PORT\\@example.com/", .url(.credentials)),
        ("http://example.com\\@127.0.0.1:PORT/", .url(.credentials)),
        ("http://127.0.0.1:PORT#@example.com/", .address(.loopback)),
        ("http://127.0.0.1:PORT?@example.com/", .address(.loopback)),
        ("http://example.com#@127.0.0.1:PORT/../", .address(.documentation)),
        // Bytes that split a request, invalid ports and invalid hosts.
        ("http://127.0.0.1:PORT/\r\nX: 1", .url(.controlCharacter)),
        ("http://127.0.0.1:PORT/\u{0}", .url(.controlCharacter)),
        ("http://127.0.0.1:PORT/\t", .url(.controlCharacter)),
        ("http://127.0.0.1 :PORT/", .url(.malformed)),
        ("http://127.0.0.1:PORT%0d%0a/", .url(.malformed)),
        ("http://127.0.0.1:99999/", .url(.malformed)),
        ("http://127.0.0.1:0/", .url(.malformed)),
        ("http://127.0.0.1:-1/", .url(.malformed)),
        ("http://[127.0.0.1]:PORT/", .url(.malformed)),
        ("http://[::1/", .url(.malformed)),
        ("http://", .url(.malformed)),
        ("http://:PORT/", .url(.malformed)),
        ("", .url(.malformed)),
        ("http://example.com/" + String(repeating: "a", count: 9_000), .url(.tooLong)),
    ]

    private static func resolve(_ host: String, _ port: UInt16) -> [IPAddress]? {
        switch host {
        case "inside.example", "127.0.0.1.": [.v4(0x7f00_0001)]
        case "inside6.example": IPAddress("::ffff:127.0.0.1").map { [$0] }
        case "intranet.example": [.v4(0x0a00_0001)]
        // Every other name resolves to 192.0.2.1, so that the test queries no real resolver.
        case let name where name.hasSuffix("localhost"): nil
        default: [.v4(0xc000_0201)]
        }
    }

    @Test("every hostile URL is refused with its own reason before a connection is opened")
    func table() async throws {
        #expect(Self.table.count >= 40)
        try await withOrigin(configure: {
            $0.policy.origins = []
            $0.resolve = Self.resolve
        }) { origin, fetcher in
            for (text, expected) in Self.table {
                let url = text.replacing("PORT", with: "\(origin.port)")
                switch await fetcher.failure(url) {
                case .refusedURL(let refusal): #expect(expected == .url(refusal), "\(text)")
                case .refusedAddress(_, let kind): #expect(expected == .address(kind), "\(text)")
                case let other: Issue.record("\(text): \(String(describing: other))")
                }
            }
            #expect(origin.counts.accepts == 0)
            #expect(fetcher.counts.openSockets == 0)
        }
    }

    @Test("a redirect to a hostile URL is refused")
    func redirects() async throws {
        let targets = Self.table.map(\.0).filter { text in
            // A Location header holds no line end, and an empty or relative one is harmless.
            text.utf8.allSatisfy { $0 >= 0x20 } && text.contains("://") && text.count < 8_000
        }
        let trap = try TestOrigin()
        let port = trap.port
        try await withOrigin(
            { request, connection in
                connection.reply(
                    "302 Found", ["Location: " + targets[request.number].replacing("PORT", with: "\(port)")])
            }, configure: { $0.resolve = Self.resolve }
        ) { origin, fetcher in
            for (index, target) in targets.enumerated() {
                switch await fetcher.failure(origin.url("/to/\(index)")) {
                case .refusedURL, .refusedAddress: break
                case let other: Issue.record("\(target): \(String(describing: other))")
                }
            }
            #expect(origin.counts.requests == targets.count)
            #expect(trap.counts.accepts == 0)
        }
        await trap.stop()
    }

    @Test("parsing an accepted URL again gives the same URL")
    func stable() throws {
        let sound = [
            "http://example.com", "HTTP://Example.COM:080/a/../b?x=1#f", "http://0x7f.1/", "https://[::1]:8443/x y",
            "http://example.com/é?ü=ö", "http://example.com/%2e%2e/%00",
        ]
        for text in sound {
            let once = try WebURL(text)
            let twice = try WebURL(once.absolute)
            #expect(twice == once, "\(text)")
        }
        #expect(try WebURL("http://0x7f.1/").origin == WebOrigin(host: "127.0.0.1", port: 80))
        #expect(try WebURL("http://example.com/a b#f").absolute == "http://example.com/a%20b")
        #expect(try WebURL("https://EXAMPLE.com/").origin == WebOrigin(host: "example.com", port: 443))
    }
}
