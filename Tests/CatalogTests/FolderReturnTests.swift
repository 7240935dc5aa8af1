import Catalog
import Foundation
import Media
import Synchronization
import TestSupport
import Testing

/// Root folders that disappear and return.
@Suite(.timeLimit(.minutes(1))) struct FolderReturnTests {
    let folder: TemporaryFolder
    private let options: FolderOptions
    private let log = Log()

    private final class Log: Sendable {
        private let lines = Mutex<[String]>([])
        func add(_ line: String) { lines.withLock { $0.append(line) } }
        var all: [String] { lines.withLock { $0 } }
    }

    init() throws {
        folder = try TemporaryFolder()
        var options = FolderOptions()
        options.settleTime = 20
        options.checkInterval = 20
        self.options = options
    }

    private func open(_ path: String) throws -> FolderCatalog {
        try FolderCatalog(path: "\(folder.path)/\(path)", options: options) { [log] in log.add($0) }
    }

    /// Waits until the catalogue shows exactly these titles. If it never does, the suite's time limit fails the test.
    private func expect(_ catalog: FolderCatalog, _ expected: [String]) async {
        await catalog.waitUntil { listing in
            listing.isComplete && (0..<listing.itemCount).map { listing.item($0)?.title ?? "" } == expected
        }
    }

    @Test("a removed folder returns once it exists again, and the log reports both")
    func recreated() async throws {
        try folder.write("root/1.jpg")
        let catalog = try open("root")
        defer { catalog.stop() }
        for round in 2...5 {
            await expect(catalog, ["\(round - 1)"])
            try folder.remove("root")
            await expect(catalog, [])
            try await eventually("a log line for the missing folder", of: { log.all }) { $0.count >= 2 * round - 3 }
            try folder.write("root/\(round).jpg")
        }
        await expect(catalog, ["5"])
        // The new folder is watched, too.
        try folder.write("root/a/6.jpg")
        await expect(catalog, ["5", "6"])
        #expect(log.all.count == 8)
        for (index, line) in log.all.enumerated() {
            #expect(line.contains("\(folder.path)/root") && line.contains(index % 2 == 0 ? "is missing" : "is back"))
        }
    }

    @Test("a replaced root folder and a moved parent folder are noticed")
    func replaced() async throws {
        try folder.write("in/root/1.jpg")
        try folder.write("other/2.jpg")
        let catalog = try open("in/root")
        defer { catalog.stop() }
        await expect(catalog, ["1"])
        try folder.move("in/root", to: "old")
        try folder.move("other", to: "in/root")
        await expect(catalog, ["2"])
        try folder.move("in", to: "away")
        await expect(catalog, [])
        try folder.move("away", to: "in")
        await expect(catalog, ["2"])
        // The log line follows the listing.
        try await eventually("a log line for the returned folder", of: { log.all }) {
            $0.last?.contains("is back") == true
        }
    }

    /// Whether this process may mount file systems.
    private static let mayMount: Bool = {
        guard let folder = try? TemporaryFolder() else { return false }
        guard mount("none", folder.path, "tmpfs", 0, nil) == 0 else { return false }
        return umount(folder.path) == 0
    }()

    @Test("mounts and unmounts of the root or a subfolder are noticed", .enabled(if: mayMount))
    func mounted() async throws {
        try folder.write("root/sub/under.jpg")
        let catalog = try open("root")
        defer { catalog.stop() }
        await expect(catalog, ["under"])
        for path in ["root", "root/sub"] {
            let place = "\(folder.path)/\(path)"
            for number in 1...2 {
                #expect(mount("none", place, "tmpfs", 0, nil) == 0)
                try folder.write("\(path)/\(number).jpg")
                await expect(catalog, ["\(number)"])
                #expect(umount2(place, Int32(MNT_DETACH)) == 0)
                await expect(catalog, ["under"])
            }
        }
        // Two quick changes of the root folder may be logged as one.
        #expect((2...4).contains(log.all.count) && log.all.allSatisfy { $0.contains("has been replaced") })
    }
}
