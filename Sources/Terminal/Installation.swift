import Catalog
import Foundation
import Glibc
import Pictures
import Store

/// Where the parts of an installation are.
package enum Installation {
    /// The path of this executable.
    package static func executable() throws -> String {
        guard let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") else {
            throw CommandFailure("cannot find the path of this executable: is /proc mounted?")
        }
        return path
    }

    /// The folder of the page: the one given; else `Public` beside the executable, in the share directory of its
    /// prefix, or in a folder above it, where a build in its checkout finds it.
    package static func publicDirectory(given: String?) throws -> String {
        if let given {
            guard holds("index.html", given) else {
                throw CommandFailure(
                    "no page in \(given): set --public-directory to the folder with index.html")
            }
            return given
        }
        if let found = try nearest("Public", inShare: "lookahead", having: "index.html") { return found }
        throw CommandFailure("cannot find the page: set --public-directory to the folder with index.html")
    }

    /// The folder of the articles, beside the executable, in the share directory of its prefix, or in a folder above it.
    package static func articles() throws -> String? {
        try nearest("Sources/lookahead/lookahead.docc", inShare: "doc/lookahead", having: "lookahead.md")
    }

    /// The nearest folder of that path that holds this file.
    private static func nearest(_ path: String, inShare share: String, having file: String) throws -> String? {
        let folder = URL(fileURLWithPath: try executable()).deletingLastPathComponent()
        var candidates = [path, "../share/\(share)/\(path)"].map(folder.appendingPathComponent)
        var above = folder
        for _ in 0..<4 {
            above.deleteLastPathComponent()
            candidates.append(above.appendingPathComponent(path))
        }
        return candidates.first { holds(file, $0.path) }?.standardized.path
    }

    /// How the server starts a process that renders.
    package static func renderCommand() throws -> [String] { [try executable(), RenderWorker.command] }

    /// How the server starts a process that reads metadata.
    package static func factsWorker(requiresSandbox: Bool = false) throws -> RendererConfiguration {
        var configuration = RendererConfiguration(executable: try executable(), arguments: [FactsWorker.command])
        // As the index's own threads.
        configuration.niceness = 10
        configuration.requiresSandbox = requiresSandbox
        // A folder that is reached over a network may answer late.
        configuration.limits.stallTime = 30
        return configuration
    }

    private static func holds(_ file: String, _ folder: String) -> Bool {
        FileManager.default.isReadableFile(atPath: "\(folder)/\(file)")
    }

    /// File descriptors that a server needs before it serves anybody: for its sources, its stores, its sandboxed processes, its
    /// sockets, and some to spare.
    private static let leastDescriptors = 64

    /// Raises the soft limit of file descriptors to the hard one. To be called first: what finds none left blames what it opens.
    ///
    /// - Throws: where there are too few for a server, what to do.
    package static func prepareDescriptors() throws(CommandFailure) {
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return }
        if limit.rlim_cur < limit.rlim_max {
            limit.rlim_cur = limit.rlim_max
            _ = setrlimit(resource, &limit)
            _ = getrlimit(resource, &limit)
        }
        guard limit.rlim_cur >= leastDescriptors else {
            throw CommandFailure(
                "too few file descriptors: the limit is \(limit.rlim_cur), a server needs at least "
                    + "\(leastDescriptors) and one for each connection. Raise the limit: ulimit -n 4096 in the shell, "
                    + "LimitNOFILE=4096 in a systemd service, or --ulimit nofile=4096 for a container")
        }
    }

    /// Makes the folder of the stored thumbnails where it is missing.
    ///
    /// - Throws: where nothing can be written in it, what to do.
    package static func prepareCache(_ folder: String) throws {
        let remedy = "set --cache-directory to another folder, or to none to keep thumbnails in memory"
        do {
            try StorePrivacy.prepare(folder)
        } catch {
            throw CommandFailure("cannot create the cache folder \(folder): \(remedy)")
        }
        guard FileManager.default.isWritableFile(atPath: folder) else {
            throw CommandFailure("cannot write to the cache folder \(folder): \(remedy)")
        }
    }

    /// The user's cache folder for thumbnails (XDG Base Directory Specification). Variables without an absolute path are ignored.
    package static func cacheDirectory(
        _ environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> String {
        func folder(_ name: String) -> String? { environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
        if let cache = folder("XDG_CACHE_HOME") { return cache + "/lookahead" }
        return (folder("HOME") ?? NSTemporaryDirectory()) + "/.cache/lookahead"
    }
}
