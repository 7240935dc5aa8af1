import Foundation

/// A temporary folder of a test, removed with this object.
package final class TemporaryFolder: Sendable {
    package let path: String

    /// - Parameter inMemory: whether the folder is in memory, if the system has a place for that. For very many files.
    package init(inMemory: Bool = false) throws {
        let shared = "/dev/shm"
        let isThere = inMemory && FileManager.default.isWritableFile(atPath: shared)
        path = (isThere ? shared : FileManager.default.temporaryDirectory.path) + "/lookahead-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Writes a file, and creates its parent folders.
    @discardableResult
    package func write(_ name: String, _ bytes: [UInt8] = [1]) throws -> String {
        let file = "\(path)/\(name)"
        let folder = String(file[..<(file.lastIndex(of: "/") ?? file.startIndex)])
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(bytes).write(to: URL(fileURLWithPath: file))
        return file
    }

    /// Replaces a file's bytes with others of the same length and restores its modification time. Only the time of the inode's
    /// last change then shows that the file changed.
    package func overwriteKeepingTime(_ name: String, _ bytes: [UInt8]) throws {
        let file = open("\(path)/\(name)", O_WRONLY | O_CLOEXEC)
        defer { close(file) }
        var before = stat(), after = stat()
        guard fstat(file, &before) == 0, Int(before.st_size) == bytes.count else { throw POSIXError(.EINVAL) }
        var times = [before.st_atim, before.st_mtim]
        // The file system's clock advances every few milliseconds.
        repeat {
            guard pwrite(file, bytes, bytes.count, 0) == bytes.count, futimens(file, &times) == 0,
                fstat(file, &after) == 0
            else { throw POSIXError(.EIO) }
        } while after.st_ctim.tv_sec == before.st_ctim.tv_sec && after.st_ctim.tv_nsec == before.st_ctim.tv_nsec
    }

    package func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: "\(path)/\(name)", withDestinationPath: target)
    }

    package func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: "\(path)/\(name)") }

    package func move(_ name: String, to other: String) throws {
        try FileManager.default.moveItem(atPath: "\(path)/\(name)", toPath: "\(path)/\(other)")
    }
}
