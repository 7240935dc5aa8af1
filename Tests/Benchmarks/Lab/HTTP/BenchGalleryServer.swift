import ArgumentParser
import CMicroHTTPD
import Catalog
import Demo
import Foundation
import Gallery
import Glibc
import Synchronization
import Terminal
import Web

/// The server that `lookahead-lab http` measures: the whole of Lookahead, with ten million items, whose pictures never come.
/// Deciding, not downloading, is measured: one download at once, from an origin that says nothing.
///
/// Each line of its standard input changes the other gallery, so that all streams of its sessions hear of it at once.
struct BenchGalleryServer: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gallery-server", abstract: "Serve two galleries until told to stop.", shouldDisplay: false)

    @Option var items = DemoCatalog.maxItems
    /// Pictures of a folder to be served, too; with it, thumbnails are kept in a store.
    @Option var pictures = 0
    @Option var redis: String?
    @Option var node: String?

    func run() async throws {
        let signals = StopSignals()
        let origin = try SilentOrigin()
        let folder = ProcessInfo.processInfo.environment[Setting.variable("public-directory")]
        var settings = Settings(
            publicDirectory: try Installation.publicDirectory(given: folder),
            renderCommand: try Installation.renderCommand())
        settings.port = 0
        settings.allowedOrigins = ["127.0.0.1:\(origin.port)"]
        settings.maxDownloads = 1
        settings.maxDownloadsPerHost = 1
        settings.maxUpdates = 100_000
        settings.redis = redis.map { [$0] } ?? []
        settings.node = node
        let temporary = FileManager.default.temporaryDirectory.appendingPathComponent("lookahead-gallery-\(getpid())")
        defer { try? FileManager.default.removeItem(at: temporary) }
        if pictures > 0 {
            settings.cacheDirectory = try Self.prepare("cache", in: temporary)
            // The one download that never ends leaves room for reading files.
            settings.maxDownloads = 2
        }
        let server = try GalleryServer(settings: settings)
        if pictures > 0 {
            let folder = try paint(in: try Self.prepare("pictures", in: temporary))
            // Sessions keep the items they began with.
            await folder.waitUntil { $0.isComplete }
            try server.galleries.add(folder, id: "shown")
        }
        let lively = LivelySource(origin: origin.address)
        try server.galleries.add(DemoCatalog(itemCount: items, origin: origin.address), id: "wide")
        try server.galleries.add(lively, id: "lively")
        let port = try await server.start()
        print("Listening on http://127.0.0.1:\(port)")
        fflush(nil)
        Thread.detachNewThread { while readLine() != nil { lively.change() } }
        await signals.first()
        await server.shutdown()
        withExtendedLifetime((signals, origin)) {}
    }

    private static func prepare(_ name: String, in folder: URL) throws -> String {
        let path = folder.appendingPathComponent(name).path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }

    private func paint(in folder: String) throws -> FolderCatalog {
        for number in 0..<pictures {
            let bytes = DemoPicture(width: 96, height: 64, text: "food \(number)")?.jpeg() ?? []
            try Data(bytes).write(to: URL(fileURLWithPath: "\(folder)/\(number).jpg"))
        }
        return try FolderCatalog(path: folder)
    }
}

/// Takes connections and never answers.
private final class SilentOrigin: Sendable {
    let port: UInt16
    var address: String { "http://127.0.0.1:\(port)" }
    private let descriptor: Int32

    init() throws {
        var bound: UInt16 = 0
        descriptor = micro_listen("127.0.0.1", 0, 4096, &bound)
        guard descriptor >= 0 else {
            throw CommandFailure("no port for the origin: \(String(cString: strerror(-descriptor)))")
        }
        port = bound
    }

    deinit { close(descriptor) }
}

/// A gallery that is new each time it is told so. Its document is about 10 kB.
private final class LivelySource: CatalogSource {
    /// Addresses and no more: neither shapes, nor facts, nor hashes that would be painted.
    private struct Addresses: CatalogItems {
        let demo: DemoCatalog
        var itemCount: Int { demo.itemCount }
        func item(_ index: Int) -> Item? { demo.item(index) }
    }

    private let demo: DemoCatalog
    private let changed = AsyncStream.makeStream(of: Int.self, bufferingPolicy: .bufferingNewest(1))
    private let number = Atomic(0)

    init(origin: String) { demo = DemoCatalog(itemCount: 190_000, origin: origin) }

    func change() { changed.continuation.yield(number.add(1, ordering: .relaxed).newValue) }

    var catalog: Catalog {
        Catalog(
            kind: .list, title: "Lively", revision: number.load(ordering: .relaxed), sections: demo.sections,
            items: Addresses(demo: demo))
    }
    var changes: AsyncStream<Int> { changed.stream }
}
