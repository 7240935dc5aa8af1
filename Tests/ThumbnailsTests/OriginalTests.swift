import Catalog
import Foundation
import Gallery
import Media
import TestSupport
import Testing
import Thumbnails

@Suite(.timeLimit(.minutes(1)))
struct OriginalTests {
    @Test("shares of a budget are limited by its free bytes, and are released with their last reference")
    func budget() {
        let budget = ByteBudget(limit: 100)
        let first = budget.share()
        var second: ByteBudget.Share? = budget.share()
        #expect(first.hold(60) && second?.hold(40) == true)
        #expect(second?.hold(41) == false && budget.held == 100)
        // Shrinking always succeeds.
        #expect(second?.hold(10) == true && first.hold(90))
        second = nil
        #expect(budget.held == 90 && first.hold(100))
    }

    @Test("one network gets half of a budget, or one larger share")
    func networks() {
        let budget = ByteBudget(limit: 100)
        let first = budget.share(for: "192.0.2.1")
        var second: ByteBudget.Share? = budget.share(for: "192.0.2.1")
        #expect(first.hold(30) && second?.hold(20) == true)
        #expect(second?.hold(21) == false && !first.hold(31) && budget.held == 50)
        #expect(budget.share(for: "192.0.2.2").hold(50))
        #expect(budget.share().hold(50))
        second = nil
        #expect(first.hold(80))
        #expect(!budget.share(for: "192.0.2.1").hold(1))
        #expect(budget.share(for: "192.0.2.2").hold(20))
    }

    @Test("originals for one address take at most half of the limit, so that another address gets one")
    func addresses() async throws {
        let fixture = try DownloadFixture { $0.carriedBytes = 2 << 20 }
        var held: [OriginalPicture] = []
        await #expect(throws: ItemFailure.noRoom) {
            for item in 0..<DownloadFixture.items {
                held.append(try await fixture.service.original(of: try fixture.locator(item), for: "192.0.2.1"))
            }
        }
        #expect(!held.isEmpty && fixture.service.originals.held <= 1 << 20)
        held.append(try await fixture.service.original(of: try fixture.locator(0), for: "192.0.2.2"))
        await fixture.stop()
        withExtendedLifetime(held) {}
    }

    @Test("an original in a folder is opened and read in pieces")
    func file() async throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/a.jpg"
        let bytes = [0xFF, 0xD8, 0xFF] + (0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let fixture = try DownloadFixture()
        let original = try await fixture.service.original(
            of: .file(path: path, root: FolderRoot(path: folder.path)), for: nil)
        #expect(original.root?.path == folder.path)
        #expect(original.size == bytes.count && original.beginning == Array(bytes.prefix(512)))
        #expect(try original.piece(from: 600_000, count: 200_000) == Array(bytes[600_000...]))
        #expect(fixture.service.originals.held == 0)
        await fixture.stop()
    }

    @Test("originals from the network are refused over the limit until earlier ones are released")
    func network() async throws {
        // The demo's pictures have 8 to 400 kB.
        let fixture = try DownloadFixture { $0.carriedBytes = 1 << 20 }
        var held: [OriginalPicture] = []
        var refusal: ItemFailure?
        for item in 0..<DownloadFixture.items where refusal == nil {
            do {
                held.append(try await fixture.service.original(of: try fixture.locator(item), for: nil))
            } catch {
                refusal = error as? ItemFailure
            }
        }
        #expect(refusal == .noRoom && Problem(ItemFailure.noRoom).status == 503)
        #expect(!held.isEmpty && (1...1 << 20).contains(fixture.service.originals.held))
        held = []
        #expect(fixture.service.originals.held == 0)
        _ = try await fixture.service.original(of: try fixture.locator(0), for: nil)
        await fixture.stop()
    }
}
