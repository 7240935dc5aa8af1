import Cluster
import Testing

@Suite("Redis addresses")
struct RedisAddressTests {
    @Test("a host alone gets the default port and database")
    func plain() throws {
        let address = try #require(RedisAddress("redis://cache.example"))
        #expect(address.host == "cache.example" && address.port == 6379 && address.database == 0)
        #expect(address.user == nil && address.password == nil)
    }

    @Test("an address holds a user, an encoded password, a port and a database")
    func whole() throws {
        let address = try #require(RedisAddress("redis://look:p%40ss%3A%2F@[::1]:7000/3"))
        #expect(address.user == "look" && address.password == "p@ss:/")
        #expect(address.host == "::1" && address.port == 7000 && address.database == 3)
        #expect(address.description == "[::1]:7000/3", "the description hides the password")
        #expect(try #require(RedisAddress("redis://:secret@h")).user == nil)
    }

    @Test(
        "invalid addresses are refused",
        arguments: [
            "", "h", "http://h", "redis://", "redis://h:0", "redis://h:65536", "redis://h:x", "redis://h/x",
            "redis://::1", "redis://user@h", "redis://h h", "redis://:p%4@h", "redis://[::1", "redis://:6379",
            "redis-sentinel://h#m",
        ])
    func refused(text: String) { #expect(RedisAddress(text) == nil) }

    @Test("keys spread evenly over servers, in any order of their names")
    func rendezvous() {
        let names = ["a:6379/0", "b:6379/0", "c:6379/0"]
        let hash = RendezvousHash(names)
        let other = RendezvousHash(names.reversed())
        var counts = [0, 0, 0]
        for number in 0..<3_000 {
            let place = hash.place(of: "key \(number)")
            counts[place] += 1
            #expect(names[place] == names.reversed()[other.place(of: "key \(number)")])
        }
        #expect(counts.allSatisfy { $0 > 850 })
    }

    @Test("removing a server moves only its own keys")
    func removal() {
        let all = RendezvousHash(["a", "b", "c"])
        let fewer = RendezvousHash(["a", "b"])
        for number in 0..<1_000 where all.place(of: "\(number)") != 2 {
            #expect(all.place(of: "\(number)") == fewer.place(of: "\(number)"))
        }
    }
}
