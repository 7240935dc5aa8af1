import Catalog
import Foundation
import Glibc
import Media
import Store

/// Finds the parts of an installation.
package enum Installation {
    package static func executable() throws -> String {
        guard let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") else {
            throw CommandFailure("cannot find the path of this executable: is /proc mounted?")
        }
        return path
    }

    /// Returns the folder of the page: `given` if set. Otherwise `Public` beside the executable, in the share directory of its
    /// prefix, or in a folder above the executable, where a build inside a checkout finds it.
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

    /// Returns the folder of the articles: beside the executable, in the share directory of its prefix, or in a folder above
    /// it. `nil` if there is none.
    package static func articles() throws -> String? {
        try nearest("Sources/lookahead/lookahead.docc", inShare: "doc/lookahead", having: "lookahead.md")
    }

    /// Returns the nearest folder called `path` that holds `file`, or `nil` if there is none.
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

    package static func renderCommand() throws -> [String] { [try executable(), MediaWorker.command] }

    private static func holds(_ file: String, _ folder: String) -> Bool {
        FileManager.default.isReadableFile(atPath: "\(folder)/\(file)")
    }

    /// Minimum number of file descriptors for a server before its first client: for its sources, its stores, its sandboxed
    /// processes, its sockets, and some to spare.
    private static let minimumDescriptors = 64

    /// Raises the soft limit of file descriptors to the hard limit. Call this first: code that finds no descriptor left blames
    /// the file that it opens.
    ///
    /// - Throws: an error that says what to do, if there are too few descriptors for a server.
    package static func prepareDescriptors() throws(CommandFailure) {
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return }
        if limit.rlim_cur < limit.rlim_max {
            limit.rlim_cur = limit.rlim_max
            _ = setrlimit(resource, &limit)
            _ = getrlimit(resource, &limit)
        }
        guard limit.rlim_cur >= minimumDescriptors else {
            throw CommandFailure(
                "too few file descriptors: the limit is \(limit.rlim_cur), a server needs at least "
                    + "\(minimumDescriptors) and one for each connection. Raise the limit: ulimit -n 4096 in the shell, "
                    + "LimitNOFILE=4096 in a systemd service, or --ulimit nofile=4096 for a container")
        }
    }

    /// Creates the folder of the stored thumbnails if it is missing.
    ///
    /// - Throws: an error that says what to do, if the folder cannot be created or written to.
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

    /// Returns the user's cache folder for thumbnails (XDG Base Directory Specification). Variables without an absolute path
    /// are ignored.
    package static func cacheDirectory(
        _ environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> String {
        func folder(_ name: String) -> String? { environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
        if let cache = folder("XDG_CACHE_HOME") { return cache + "/lookahead" }
        return (folder("HOME") ?? NSTemporaryDirectory()) + "/.cache/lookahead"
    }
}
