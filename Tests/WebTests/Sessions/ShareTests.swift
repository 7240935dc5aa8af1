import Catalog
import Gallery
import JSON
import TestSupport
import Testing
import Web

/// The share of one client address in shared limits.
@Suite(.timeLimit(.minutes(2)))
struct ShareTests {
    @Test("an address gets at most a quarter of the places, and can reuse those it gives back")
    func quarter() {
        for (places, maximum) in [(1, 1), (4, 1), (8, 2), (256, 64)] {
            var shares = AddressShares(of: places)
            func take(_ network: String?, _ isExpected: Bool) {
                let isTaken = shares.take(network)
                #expect(isTaken == isExpected)
            }
            for _ in 0..<maximum { take("192.0.2.1", true) }
            take("192.0.2.1", false)
            take("192.0.2.2", true)
            shares.giveBack("192.0.2.1")
            take("192.0.2.1", true)
            take("192.0.2.1", false)
            for _ in 0..<1000 { take(nil, true) }
        }
    }

    static let networks: [(address: String, network: String?)] = [
        ("127.0.0.1", nil), ("::1", nil), ("192.0.2.1", "192.0.2.1"), ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"), ("2001:db8:1:2::9", "2001:db8:1:2::"),
    ]

    @Test("clients are counted by IPv4 address or IPv6 network, and this machine is not counted", arguments: networks)
    func network(address: String, network: String?) {
        #expect(Caller(access: .full, address: address).network == network)
    }

    @Test("an address over its share of galleries or sessions gets 429 until it deletes one")
    func filled() async throws {
        let api = try await APIFixture([
            "--trusted-proxy", "127.0.0.1", "--max-galleries", "9", "--max-sessions", "8",
        ])
        let client = try TestClient(api.port)
        func from(_ address: String) -> String { "X-Forwarded-For: \(address)\r\n" }
        let gallery: JSON = ["title": "Mine", "items": [["url": "http://example.com/a.jpg"]]]
        let session: JSON = ["gallery": "pictures", "viewport": ["width": 600, "height": 400]]
        for (path, body) in [("galleries", gallery), ("sessions", session)] {
            let mine = try (0..<2).map { _ in try client.call("POST", path, body, headers: from("192.0.2.1")) }
            for answer in mine { #expect(answer.status == 201, "\(answer.text)") }
            let refused = try client.call("POST", path, body, headers: from("192.0.2.1"))
            #expect(refused.status == 429)
            #expect(refused.header("retry-after") != nil)
            #expect(refused.json["detail"]?.string?.contains("from this address") == true)
            #expect(try client.call("POST", path, body, headers: from("192.0.2.2")).status == 201)
            let id = try #require(mine[0].json["id"]?.string)
            #expect(try client.call("DELETE", "\(path)/\(id)", headers: from("192.0.2.1")).status == 204)
            #expect(try client.call("POST", path, body, headers: from("192.0.2.1")).status == 201)
        }
    }
}
