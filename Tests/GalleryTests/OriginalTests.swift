import Catalog
import Foundation
import Pipeline
import TestSupport
import Testing

@testable import Gallery

@Suite(.timeLimit(.minutes(1)))
struct OriginalTests {
    @Test("shares of a budget hold what there is room for, and give it back with their last reference")
    func budget() {
        let budget = ByteBudget(limit: 100)
        let first = budget.share()
        var second: ByteBudget.Share? = budget.share()
        #expect(first.hold(60) && second?.hold(40) == true)
        #expect(second?.hold(41) == false && budget.held == 100)
        // Less is always there to be had.
        #expect(second?.hold(10) == true && first.hold(90))
        second = nil
        #expect(budget.held == 90 && first.hold(100))
    }

    @Test("an original of a folder is read through on a thread for files, and sent from its file")
    func file() async throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/a.jpg"
        let bytes = [0xFF, 0xD8, 0xFF] + (0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let fixture = try DownloadFixture()
        let original = try await fixture.service.original(of: .file(path: path, root: FolderRoot(path: folder.path)))
        guard case .file(let file) = original else {
            Issue.record("it was read into memory")
            return
        }
        #expect(file.size == bytes.count && file.beginning == Array(bytes.prefix(512)))
        let descriptor = file.take()
        #expect(FileHandle(fileDescriptor: descriptor, closeOnDealloc: true).readDataToEndOfFile() == Data(bytes))
        #expect(file.take() == -1)
        #expect(fixture.service.originals.held == 0)
        await fixture.stop()
    }

    @Test("originals that come over the network are held within the limit; one more is refused, until others were sent")
    func network() async throws {
        // The demo's pictures have 8 to 400 kB.
        let fixture = try DownloadFixture { $0.carriedBytes = 1 << 20 }
        var held: [OriginalPicture] = []
        var refusal: ItemFailure?
        for item in 0..<DownloadFixture.items where refusal == nil {
            do {
                held.append(try await fixture.service.original(of: try fixture.locator(item)))
            } catch {
                refusal = error as? ItemFailure
            }
        }
        #expect(refusal == .noRoom && Problem(ItemFailure.noRoom).status == 503)
        #expect(!held.isEmpty && (1...1 << 20).contains(fixture.service.originals.held))
        held = []
        #expect(fixture.service.originals.held == 0)
        _ = try await fixture.service.original(of: try fixture.locator(0))
        await fixture.stop()
    }
}
