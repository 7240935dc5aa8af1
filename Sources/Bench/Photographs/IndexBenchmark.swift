import Catalog
import Foundation
import Glibc
import JSON
import Pictures
import Replay
import Terminal

/// How long it takes to know the facts of a folder's pictures: for the first time, and after a restart.
struct IndexBenchmark {
    private(set) var files = 0
    /// Files a second whose heads were read, their bytes in the system's memory, and not.
    private(set) var warm = Double.nan
    private(set) var cold = Double.nan
    /// Milliseconds from a restart until forty pictures are listed with their sizes, and until all are.
    private(set) var firstScreen = Double.nan
    private(set) var whole = Double.nan
    /// Bytes of the index on disk, and in memory, a picture.
    private(set) var diskBytes = Double.nan
    private(set) var memoryBytes = Double.nan

    /// - Parameter onStep: told of each of ``steps``.
    init(files: Int, onStep: () -> Void) throws {
        self.files = files
        let folder = try IndexFolder(files: files, onFolder: onStep)
        let cache = NSTemporaryDirectory() + "lookahead-index-cache-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: cache) }
        folder.forget()
        cold = Double(files) / (try Self.seconds(folder, cache + "/1") { $0.isComplete && $0.factsKnown == files })
        onStep()
        warm = Double(files) / (try Self.seconds(folder, cache + "/2") { $0.isComplete && $0.factsKnown == files })
        onStep()
        firstScreen = 1_000 * (try Self.seconds(folder, cache + "/2") { Self.showsScreen($0) })
        onStep()
        let before = ProcessFigures(getpid()).memory
        var after = before
        whole =
            1_000
            * (try Self.seconds(folder, cache + "/2", then: { after = ProcessFigures(getpid()).memory }) {
                $0.isComplete && $0.factsKnown == files
            })
        memoryBytes = Double(max(0, after - before)) / Double(files)
        let size = try FileManager.default.attributesOfItem(atPath: cache + "/2/index.sqlite")[.size] as? Int ?? 0
        diskBytes = Double(size) / Double(files)
        onStep()
    }

    static func steps(files: Int) -> Int { (files + 999) / 1_000 + 4 }

    private static func showsScreen(_ listing: Catalog) -> Bool {
        listing.itemCount >= 40 && (0..<40).allSatisfy { listing.item($0)?.width != nil }
    }

    /// How long it takes until the listing is as wanted, from the opening of the index on.
    private static func seconds(
        _ folder: IndexFolder, _ cache: String, then look: () -> Void = {}, until isThere: (Catalog) -> Bool
    ) throws -> Double {
        let start = ContinuousClock.now
        let index = PictureIndex(directory: cache, worker: try Installation.factsWorker())
        defer { index.close() }
        let source = try FolderCatalog(path: folder.path, index: index)
        defer { source.stop() }
        while true {
            let listing = source.catalog
            // As a server's galleries see it; facts come in between, too.
            if isThere(listing)
                || (listing.isComplete && source.factsKnown == folder.files && isThere(source.catalog))
            {
                break
            }
            guard ContinuousClock.now - start < .seconds(600) else {
                throw CommandFailure("reading the folder took more than 600 s")
            }
            usleep(1_000)
        }
        let time = (ContinuousClock.now - start) / .seconds(1)
        look()
        return time
    }

    var text: String {
        var table = TextTable(["the index of \(files) such files", ""])
        table.add(["files a second, first time, cold", cold.text(0)])
        table.add(["files a second, first time, warm", warm.text(0)])
        table.add(["restart until 40 pictures have their shapes, ms", firstScreen.text(0)])
        table.add(["restart until all have, ms", whole.text(0)])
        table.add(["bytes a picture, on disk", diskBytes.text(0)])
        table.add(["bytes a picture, in memory, names included", memoryBytes.text(0)])
        return table.text
    }

    func write(to writer: inout JSONWriter) {
        writer.object {
            $0.member("files", files)
            $0.member("cold", cold)
            $0.member("warm", warm)
            $0.member("firstScreen", firstScreen)
            $0.member("whole", whole)
            $0.member("diskBytes", diskBytes)
            $0.member("memoryBytes", memoryBytes)
        }
    }
}
