import CMicroHTTPD
import Foundation
import Glibc
import Terminal

/// A real redis-server on a port of its own, with nothing on disk, that can be killed, frozen and started again.
final class SoakRedis {
    let port: UInt16
    private var process = Process()

    init() throws {
        var port: UInt16 = 0
        let descriptor = micro_listen("127.0.0.1", 0, 1, &port)
        guard descriptor >= 0 else { throw CommandFailure("no port for Redis") }
        close(descriptor)
        self.port = port
        try start()
    }

    deinit { kill() }

    var isRunning: Bool { process.isRunning }

    /// Starts it, empty.
    func start() throws {
        process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "redis-server", "--port", "\(port)", "--bind", "127.0.0.1", "--save", "", "--appendonly", "no",
            "--maxmemory", "64mb", "--maxmemory-policy", "volatile-lru",
        ]
        process.standardOutput = FileHandle.nullDevice
        try process.run()
    }

    func kill() {
        guard process.isRunning else { return }
        signal(SIGCONT)
        signal(SIGKILL)
        process.waitUntilExit()
    }

    func signal(_ number: Int32) { Glibc.kill(process.processIdentifier, number) }

    /// The keys of a pattern that it holds.
    func keys(_ pattern: String) throws -> [String] {
        let client = Process(), output = Pipe()
        client.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        client.arguments = ["redis-cli", "-p", "\(port)", "--scan", "--pattern", pattern]
        client.standardOutput = output
        try client.run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        client.waitUntilExit()
        guard client.terminationStatus == 0 else {
            throw CommandFailure("redis-cli: status \(client.terminationStatus)")
        }
        return text.split(separator: "\n").map(String.init)
    }
}
