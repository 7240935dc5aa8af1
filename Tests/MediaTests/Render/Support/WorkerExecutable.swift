import Glibc
import Media
import Testing

/// The path of the `lookahead` executable that was built with these tests.
///
/// SwiftPM puts every product into one folder, `.build/release` or `.build/debug`. On Linux the test bundle is itself
/// the running program: `/proc/self/exe` is `<folder>/lookaheadPackageTests.xctest`, and `lookahead` is beside it. If
/// another program loads the bundle, the mapped files name it.
func workerExecutable() -> String {
    var candidates: [String] = []
    var buffer = [CChar](repeating: 0, count: 4096)
    if readlink("/proc/self/exe", &buffer, buffer.count - 1) > 0 { candidates.append(text(buffer)) }
    if let maps = fopen("/proc/self/maps", "r") {
        defer { fclose(maps) }
        while fgets(&buffer, Int32(buffer.count), maps) != nil {
            let line = text(buffer)
            guard let start = line.firstIndex(of: "/"), line.contains(".xctest") else { continue }
            candidates.append(String(line[start...].prefix { $0 != "\n" }))
        }
    }
    for path in candidates {
        var folder = path[...]
        // A bundle may be a folder of its own, with the program inside it.
        for _ in 0..<4 {
            guard let slash = folder.lastIndex(of: "/") else { break }
            folder = folder[..<slash]
            let executable = folder + "/lookahead"
            if access(String(executable), X_OK) == 0 { return String(executable) }
        }
    }
    return "lookahead-was-not-built-beside-its-tests"
}

extension Renderer {
    /// Returns a renderer with one worker, which requires the sandbox if this kernel has all its layers.
    static func sandboxed() async throws -> Renderer {
        var configuration = WorkerConfiguration(executable: workerExecutable(), workers: 1)
        let probe = Renderer(configuration)
        configuration.requiresSandbox = try await probe.pool.trySandbox().hasEveryLayer
        await probe.shutdown()
        return Renderer(configuration)
    }

    /// Expects the only worker to have one thread, and ends the worker.
    func expectOneThread() async throws {
        let process = try #require(pool.processes.first)
        #expect(pool.processes.count == 1 && ProcessFigures(process).threads == 1)
        await shutdown()
    }
}

private func text(_ buffer: [CChar]) -> String {
    String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
