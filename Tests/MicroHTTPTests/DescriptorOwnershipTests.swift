import Foundation
import Glibc
import MicroHTTP
import Testing

/// The kernel reuses a descriptor's number as soon as the descriptor is closed.
@Suite(.timeLimit(.minutes(1)))
struct DescriptorOwnershipTests {
    private func reactor() throws -> Reactor {
        let configuration = ServerConfiguration()
        return try Reactor(configuration, admission: Admission(configuration, maxConnections: 8, maxStreams: 8))
    }

    private func pair() throws -> (Int32, Int32) {
        var pair: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
        return (pair[0], pair[1])
    }

    private let peer = Peer(nil)

    /// Whether some epoll descriptor of this process watches the descriptor.
    private func isWatched(_ descriptor: Int32) throws -> Bool {
        let lists = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fdinfo")
        return lists.contains { name in
            let text = FileManager.default.contents(atPath: "/proc/self/fdinfo/\(name)").map {
                String(decoding: $0, as: UTF8.self)
            }
            return text?.split(separator: "\n").contains { line in
                let words = line.split(separator: " ", omittingEmptySubsequences: true)
                return words.first == "tfd:" && words.dropFirst().first.map(String.init) == String(descriptor)
            } ?? false
        }
    }

    @Test("a stream closed before it is watched leaves the next socket with its number alone")
    func closedBeforeWatched() throws {
        let reactor = try reactor()
        let (own, far) = try pair()
        let outlet = reactor.outlet(.events, fd: own, peer: peer)
        reactor.abortAll()
        // The number is free again, and goes to the next socket.
        let (other, otherFar) = try pair()
        let next = dup2(other, own)
        #expect(next == own)
        outlet.watch()
        #expect(try !isWatched(own))
        // One of the new sockets may have reused the number.
        for descriptor in Set([own, far, other, otherFar]) { close(descriptor) }
    }

    @Test("a stream is watched until it ends")
    func watched() throws {
        let reactor = try reactor()
        let (own, far) = try pair()
        let outlet = reactor.outlet(.events, fd: own, peer: peer)
        #expect(try !isWatched(own))
        outlet.watch()
        #expect(try isWatched(own))
        outlet.abort(.stopped)
        #expect(try !isWatched(own))
        close(far)
    }

    @Test("a connection handed back to a stopped server is closed")
    func handedBackLate() throws {
        let reactor = try reactor()
        let (own, far) = try pair()
        let outlet = reactor.outlet(.bytes, fd: own, peer: peer)
        outlet.watch()
        reactor.stop()
        #expect(!outlet.isOpen)
        #expect(!reactor.handBack(outlet))
        var byte: UInt8 = 0
        #expect(recv(far, &byte, 1, 0) == 0)
        close(far)
    }
}
