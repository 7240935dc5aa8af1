import Catalog
import Demo
import Foundation
import Glibc
import Media
import Synchronization
import TestSupport
import Testing

@Suite("Metadata reader in a sandboxed process", .timeLimit(.minutes(2))) struct FactsReaderTests {
    private final class Said: Sendable { let lines = Mutex<[String]>([]) }

    let folder: TemporaryFolder
    private let said = Said()

    init() throws { folder = try TemporaryFolder() }

    private func configuration(_ change: (inout WorkerConfiguration) -> Void = { _ in }) -> WorkerConfiguration {
        var configuration = WorkerConfiguration(executable: LookaheadProcess.executable)
        change(&configuration)
        return configuration
    }

    private func index(_ workers: WorkerPool?) -> PictureIndex {
        PictureIndex(directory: nil, workers: workers) { [said] line in said.lines.withLock { $0.append(line) } }
    }

    private var lines: [String] { said.lines.withLock { $0 } }

    /// Opens the folder, waits until all facts are known, and stops.
    private func listing(_ index: PictureIndex) async throws -> Catalog {
        let catalog = try FolderCatalog(path: "\(folder.path)/root", index: index)
        defer { catalog.stop() }
        return await catalog.waitUntil { $0.isComplete && $0.factsKnown == $0.itemCount }
    }

    private func photograph(_ taken: String) -> [UInt8] {
        var camera = CameraFile()
        camera.taken = taken
        camera.preview = Picture.jpeg(16, 12)
        return camera.bytes(around: Picture.jpeg(30, 20))
    }

    private func writePhotographs(_ count: Int) throws {
        for number in 100..<100 + count {
            try folder.write("root/\(number).jpg", photograph("2019:07:31 14:03:\(10 + number % 50)"))
        }
    }

    /// Writes a valid archive file that is expensive to parse: 500,000 numbers.
    private func writeLaborious(_ name: String) throws {
        let numbers = String(repeating: "1,", count: 500_000)
        try folder.write("root/\(name).json", Array("[\(numbers)1]".utf8))
    }

    private func descriptors(of process: Int32) -> Int {
        (0..<1_024).count { access("/proc/\(process)/fd/\($0)", F_OK) == 0 }
    }

    /// Open files of this process that lie in the folder.
    private var openFiles: [String] {
        (0..<4_096).compactMap { descriptor in
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
            return target.flatMap { $0.hasPrefix("\(folder.path)/root") && $0.hasSuffix("g") ? $0 : nil }
        }
    }

    @Test("the sandboxed reader finds the same facts as this process, in order")
    func same() async throws {
        try writePhotographs(150)
        var camera = CameraFile(), movie = Movie()
        (camera.contentIdentifier, camera.orientation, camera.offset) = ("AAAA-1", 6, "-03:30")
        (movie.contentIdentifier, movie.creationDate) = ("AAAA-1", "2019-07-12T14:03:25+0200")
        try folder.write("root/live.jpg", camera.bytes(around: Picture.jpeg(40, 30)))
        try folder.write("root/live.MOV", movie.bytes)
        try folder.write("root/film.mp4", movie.bytes)
        try folder.write("root/motion.jpg", Picture.motionPhoto(photograph("2018:01:13 10:11:12"), film: movie.bytes))
        try folder.write("root/IMG_20180113_101112.jpg", Picture.jpeg(10, 10))
        try folder.write("root/painted.jpg", DemoPicture(width: 64, height: 48, text: "é")?.jpeg() ?? [])
        try folder.write("root/broken.jpg", [1, 2, 3])
        try folder.write("root/empty.jpg", [])
        try folder.write("root/rated.jpg", Picture.jpeg(20, 10))
        try folder.write(
            "root/rated.xmp",
            Array(
                #"<rdf:Description xmp:Rating="4" tiff:Make="Ünï" exif:DateTimeOriginal="2001-02-03T04:05:06.7"/>"#.utf8
            ))
        try folder.write("root/archived.jpg", Picture.jpeg(20, 10))
        try folder.write(
            "root/archived.jpg.json",
            Array(
                #"{"photoTakenTime":{"timestamp":"1562940202"},"geoData":{"latitude":-33.5,"longitude":151},"description":"a\nb"}"#
                    .utf8))
        let workers = WorkerPool(configuration())
        defer { workers.close() }
        let there = index(workers), here = index(nil)
        let (found, expected) = (try await listing(there), try await listing(here))
        #expect(found.itemCount == expected.itemCount && found.itemCount > 155)
        for place in 0..<expected.itemCount {
            #expect(found.item(place) == expected.item(place))
            #expect(found.facts(place) == expected.facts(place))
        }
        #expect(found.factColumns == expected.factColumns)
        #expect((0..<found.itemCount).contains { found.facts($0)?.motion == .embedded })
        #expect((0..<found.itemCount).contains { found.facts($0)?.motion == .mov })
        #expect((0..<found.itemCount).contains { found.facts($0)?.rating == 4 })
        #expect(lines.isEmpty && !workers.processes.isEmpty)
    }

    @Test("a file that crashes its reader loses only its own facts")
    func crash() async throws {
        try writePhotographs(80)
        let first = WorkerPool(configuration { $0.workers = 1 })
        _ = try await listing(index(first))
        let process = try #require(first.processes.first)
        let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        let size = try #require(status.firstMatch(of: #/VmPeak:\s+(\d+) kB/#).flatMap { Int($0.output.1) })
        first.close()
        try writeLaborious("117.jpg")
        // Not enough memory for half a million numbers.
        let workers = WorkerPool(configuration { $0.limits.workerMemory = size << 10 + 6 << 20 })
        defer { workers.close() }
        let found = try await listing(index(workers))
        #expect(found.itemCount == 80 && found.factsKnown == 80)
        let columns = try #require(found.factColumns)
        #expect((0..<80).filter { columns.taken[$0] == FactColumns.undated } == [17])
        #expect(columns.bytes[17] > 0)
        #expect(lines.count == 1 && lines.first?.contains("117.jpg") == true, "\(lines)")
        #expect(openFiles.isEmpty)
    }

    @Test("a file that takes too long to read loses only its own facts")
    func slow() async throws {
        try writePhotographs(80)
        try writeLaborious("117.jpg")
        let workers = WorkerPool(configuration { $0.limits.cpuTime = 0.01 })
        defer { workers.close() }
        let found = try await listing(index(workers))
        let columns = try #require(found.factColumns)
        #expect((0..<80).filter { columns.taken[$0] == FactColumns.undated } == [17])
        #expect(lines.count == 1 && lines.first?.contains("takes too long") == true, "\(lines)")
    }

    @Test("a viewer's request for facts does not wait for a stalled index reader")
    func person() async throws {
        try writePhotographs(20)
        let workers = WorkerPool(configuration { ($0.workers, $0.limits.stallTime) = (1, 600) })
        defer { workers.close() }
        let index = index(workers)
        _ = try await listing(index)
        let idle = try #require(workers.processes.first)
        kill(idle, SIGSTOP)
        defer { kill(idle, SIGKILL) }
        try folder.write("root/200.jpg", photograph("2019:07:31 14:03:59"))
        let catalog = try FolderCatalog(path: "\(folder.path)/root", index: index)
        defer { catalog.stop() }
        let found = await catalog.waitUntil { $0.itemCount == 21 }
        #expect(found.facts(20)?.taken?.text == "2019-07-31T14:03:59")
        #expect(workers.processes.count == 2 && catalog.factsKnown == 0)
    }

    @Test("if no process can start, nothing is read in this process and the log says so")
    func missing() async throws {
        try writePhotographs(3)
        let found = try await listing(index(WorkerPool(configuration { $0.executable = "/nonexistent" })))
        #expect(found.itemCount == 3 && (0..<3).allSatisfy { found.item($0)?.width == nil })
        #expect(lines.first?.hasPrefix("Metadata is not read: cannot start") == true, "\(lines)")
        #expect(openFiles.isEmpty)
    }

    @Test(
        "a reader closes its files, is replaced if killed and ends when idle"
    )
    func lives() async throws {
        try writePhotographs(150)
        let workers = WorkerPool(configuration { $0.idleTime = 0.3 })
        let catalog = try FolderCatalog(path: "\(folder.path)/root", index: index(workers))
        defer { catalog.stop() }
        let found = await catalog.waitUntil { $0.isComplete && $0.factsKnown == 150 }
        let before = workers.processes
        try await eventually("closed files", of: { before.map { descriptors(of: $0) }.max() ?? 0 }) { $0 <= 4 }
        for process in before { kill(process, SIGKILL) }
        #expect(found.facts(7)?.taken != nil)
        #expect(openFiles.isEmpty)
        try await eventually("no process is left") { workers.processes.isEmpty }
        #expect(found.facts(8)?.takenSource == .exif)
        workers.close()
        #expect(workers.processes.isEmpty && lines.isEmpty)
    }
}
