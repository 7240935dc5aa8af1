import Fetch
import Media
import Testing

@Suite struct AddressPolicyTests {
    private static let addresses: [(String, AddressKind?)] = [
        ("0.0.0.0", .unspecified), ("0.1.2.3", .reserved),
        ("10.0.0.0", .private), ("10.255.255.255", .private), ("9.255.255.255", nil), ("11.0.0.0", nil),
        ("100.63.255.255", nil), ("100.64.0.0", .shared), ("100.127.255.255", .shared), ("100.128.0.0", nil),
        ("126.255.255.255", nil), ("127.0.0.1", .loopback), ("127.255.255.254", .loopback), ("128.0.0.1", nil),
        ("169.253.255.255", nil), ("169.254.169.254", .linkLocal), ("169.255.0.0", nil),
        ("172.15.255.255", nil), ("172.16.0.1", .private), ("172.31.255.255", .private), ("172.32.0.0", nil),
        ("192.0.0.8", .reserved), ("192.0.2.1", .documentation), ("192.88.99.1", .sixToFour),
        ("192.167.255.255", nil), ("192.168.1.1", .private), ("192.169.0.0", nil),
        ("198.18.0.1", .benchmarking), ("198.19.255.255", .benchmarking), ("198.20.0.0", nil),
        ("198.51.100.7", .documentation), ("203.0.113.7", .documentation), ("168.63.129.16", .cloudService),
        ("223.255.255.255", nil), ("224.0.0.1", .multicast), ("239.255.255.250", .multicast),
        ("240.0.0.1", .reserved), ("255.255.255.254", .reserved), ("255.255.255.255", .broadcast),
        ("1.1.1.1", nil), ("93.184.216.34", nil),

        ("::", .unspecified), ("::1", .loopback), ("::2", .v4Compatible), ("::127.0.0.1", .v4Compatible),
        ("::ffff:127.0.0.1", .v4Mapped), ("::ffff:93.184.216.34", .v4Mapped), ("::ffff:0:127.0.0.1", .v4Mapped),
        ("64:ff9b::7f00:1", .nat64), ("64:ff9b:1::a00:1", .nat64), ("64:ff9b:2::1", .reserved),
        ("100::1", .reserved), ("1fff::1", .reserved),
        ("2001::1", .teredo), ("2001:0:4136:e378:8000:63bf:3fff:fdd2", .teredo), ("2001:2::1", .benchmarking),
        ("2001:10::1", .reserved), ("2001:db8::1", .documentation), ("3fff::1", .documentation),
        ("2002:7f00:1::", .sixToFour), ("2002:c0a8:101::1", .sixToFour),
        ("2606:4700::5efe:7f00:1", .isatap), ("2606:4700::200:5efe:7f00:1", .isatap), ("fe80::5efe:a00:1", .linkLocal),
        ("fc00::1", .uniqueLocal), ("fd12:3456::1", .uniqueLocal), ("fe80::1", .linkLocal), ("febf::1", .linkLocal),
        ("fec0::1", .siteLocal), ("ff02::1", .multicast), ("4000::1", .reserved), ("5f00::1", .reserved),
        ("2606:2800:220:1:248:1893:25c8:1946", nil), ("2001:4860:4860::8888", nil), ("2a00:1450::1", nil),
    ]

    @Test(
        "an address is refused by the reserved block that contains it, up to the block's last address",
        arguments: addresses)
    func kinds(text: String, kind: AddressKind?) throws {
        let address = try #require(IPAddress(text))
        #expect(AddressPolicy().refusal(of: address) == kind)
    }

    @Test("an allowed block permits its own addresses and no neighbours")
    func allowed() throws {
        let policy = AddressPolicy(allowed: [try #require(CIDR("192.168.7.0/24")), try #require(CIDR("fd00:1::/32"))])
        #expect(policy.refusal(of: try #require(IPAddress("192.168.7.255"))) == nil)
        #expect(policy.refusal(of: try #require(IPAddress("192.168.8.0"))) == .private)
        #expect(policy.refusal(of: try #require(IPAddress("::ffff:192.168.7.1"))) == .v4Mapped)
        #expect(policy.refusal(of: try #require(IPAddress("fd00:1:ffff::1"))) == nil)
        #expect(policy.refusal(of: try #require(IPAddress("fd00:2::1"))) == .uniqueLocal)
    }

    @Test("a block's prefix can have 0 bits up to the address's length")
    func prefixes() throws {
        let all = try #require(CIDR("10.1.2.3/0"))
        #expect(all.contains(.v4(0)) && all.contains(.v4(.max)) && !all.contains(.v6(0)))
        #expect(all.description == "0.0.0.0/0")
        let one = try #require(CIDR("10.1.2.3"))
        #expect(one.prefix == 32 && one.contains(.v4(0x0a01_0203)) && !one.contains(.v4(0x0a01_0202)))
        let everything = try #require(CIDR("::/0"))
        #expect(everything.contains(.v6(.max)) && !everything.contains(.v4(0)))
        #expect(CIDR("::1")?.prefix == 128)
    }

    @Test(
        "malformed blocks are refused",
        arguments: [
            "", "/", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/+8", "10.0.0/8", "::/129", "::1/1/1", "a/8",
            "010.0.0.1", "0x7f.1", "fe80::1%eth0", "10.0.0.0/99999999999999999999",
        ])
    func noBlocks(text: String) {
        #expect(CIDR(text) == nil)
    }
}
