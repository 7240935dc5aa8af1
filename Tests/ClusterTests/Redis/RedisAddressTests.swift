import Cluster
import Testing

@Suite("Addresses of Redis servers")
struct RedisAddressTests {
    @Test("host alone: the usual port and database")
    func plain() throws {
        let address = try #require(RedisAddress("redis://cache.example"))
        #expect(address.host == "cache.example" && address.port == 6379 && address.database == 0)
        #expect(address.user == nil && address.password == nil)
    }

    @Test("user, password, port and database; the password may hold anything, encoded")
    func whole() throws {
        let address = try #require(RedisAddress("redis://look:p%40ss%3A%2F@[::1]:7000/3"))
        #expect(address.user == "look" && address.password == "p@ss:/")
        #expect(address.host == "::1" && address.port == 7000 && address.database == 3)
        #expect(address.description == "[::1]:7000/3", "no secret")
        #expect(try #require(RedisAddress("redis://:secret@h")).user == nil)
    }

    @Test(
        "what is no such address",
        arguments: [
            "", "h", "http://h", "redis://", "redis://h:0", "redis://h:65536", "redis://h:x", "redis://h/x",
            "redis://::1", "redis://user@h", "redis://h h", "redis://:p%4@h", "redis://[::1", "redis://:6379",
            "redis-sentinel://h#m",
        ])
    func refused(text: String) { #expect(RedisAddress(text) == nil) }

    @Test("keys spread evenly over servers, whatever the order they are named in")
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

    @Test("a server that is taken away moves no key but its own")
    func removal() {
        let all = RendezvousHash(["a", "b", "c"])
        let fewer = RendezvousHash(["a", "b"])
        for number in 0..<1_000 where all.place(of: "\(number)") != 2 {
            #expect(all.place(of: "\(number)") == fewer.place(of: "\(number)"))
        }
    }
}
