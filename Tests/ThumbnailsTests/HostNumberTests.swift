import Media
import TestSupport
import Testing
import Thumbnails

@Suite("Hosts by their addresses", .timeLimit(.minutes(1)))
struct HostNumberTests {
    @Test(
        "a URL's host name includes its port, in any spelling of the URL",
        arguments: [
            ("http://h/a.jpg", "h:80"), ("http://h:80/a.jpg", "h:80"), ("http://h:080", "h:80"),
            ("HTTP://H:/a", "h:80"), ("http://h.:0080?a=:81", "h:80"),
            ("https://h#a", "h:443"), ("https://h:0443/:80", "h:443"),
            ("https://h:80/", "h:80"), ("http://h:8080/a", "h:8080"), ("http://[::1]/a", "::1:80"),
            ("http://[::1]:0081", "::1:81"),
        ])
    func names(url: String, name: String) { #expect(Locator.url(url).host == name) }

    @Test("each host, folder and lane has its own number")
    func numbers() async throws {
        let fixture = try DownloadFixture { $0.hostsRemembered = 3 }
        let service = fixture.service
        var numbers = Set((0..<5_000).map { service.host(of: .url("http://host\($0).example/a.jpg")) })
        #expect(numbers.count == 5_000)
        let spellings = ["http://host7.example", "http://HOST7.example.:080/b.jpg"]
        #expect(Set(spellings.map { service.host(of: .url($0)) }).isSubset(of: numbers))
        for folder in ["/pictures", "/pictures/a"] {
            func number(_ name: String) -> Int {
                service.host(of: .file(path: "\(folder)/\(name)", root: FolderRoot(path: folder)))
            }
            #expect(number("a/1.jpg") == number("a/2.jpg") && numbers.insert(number("a/1.jpg")).inserted)
        }
        #expect(numbers.insert(service.openLane()).inserted && numbers.insert(service.openLane()).inserted)
        await fixture.stop()
    }

    @Test("a dead host over the capacity does not stop downloads from another host")
    func deadHost() async throws {
        let fixture = try DownloadFixture {
            $0.hostsRemembered = 1
            $0.hosts.retry.base = 1
            $0.hosts.breaker.pause = 120_000
        }
        let closed = try HeldPort()
        let dead = try fixture.picture(from: closed.number)
        let living = fixture.service.host(of: try fixture.locator(0))
        for _ in 0..<5 {
            await #expect(throws: ItemFailure.self) { try await fixture.service.thumbnail(dead.key, host: dead.host) }
        }
        #expect(fixture.service.pool.pause(host: dead.host) != nil)
        for item in 0..<3 { _ = try await fixture.service.thumbnail(fixture.key(item), host: living) }
        #expect(fixture.service.pool.pause(host: dead.host) != nil)
        await fixture.stop()
        withExtendedLifetime(closed) {}
    }

    @Test("a closed lane forgets its failures")
    func lanes() async throws {
        let fixture = try DownloadFixture {
            $0.hosts.retry.base = 1
            $0.hosts.breaker.failures = 1
            $0.hosts.breaker.pause = 120_000
        }
        let closed = try HeldPort()
        let dead = try fixture.picture(from: closed.number)
        let lane = fixture.service.openLane()
        await #expect(throws: ItemFailure.self) { try await fixture.service.thumbnail(dead.key, host: lane) }
        #expect(fixture.service.pool.pause(host: lane) != nil)
        fixture.service.closeLane(lane)
        #expect(fixture.service.pool.pause(host: lane) == nil)
        await fixture.stop()
        withExtendedLifetime(closed) {}
    }
}
