import Foundation
import Glibc

/// A server that is measured: a process of its own, which says `Listening on http://…:PORT` when it is ready.
final class BenchServer {
    let port: UInt16
    let startSeconds: Double
    private let process = Process()
    private let input = Pipe()

    /// - Parameter command: the executable's path and its arguments.
    init(_ command: [String]) throws {
        guard let executable = command.first else { throw Running.Failure("there is no server to start") }
        process.executableURL = URL(fileURLWithPath: executable)
        process.arguments = Array(command.dropFirst())
        let output = Pipe()
        process.standardInput = input
        process.standardOutput = output
        let began = LoadLoop.now
        try process.run()
        var line = Data()
        while !line.contains(10) {
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { throw Running.Failure("\(executable) ended before it was ready") }
            line += more
        }
        let text = String(decoding: line, as: UTF8.self).prefix { !$0.isNewline }
        guard let port = UInt16(text.reversed().prefix { $0.isNumber }.reversed().map(String.init).joined()) else {
            throw Running.Failure("\(executable) said: \(text)")
        }
        self.port = port
        startSeconds = Double(LoadLoop.now - began) / 1e9
    }

    /// This executable with other arguments.
    static func own(_ arguments: [String]) throws -> BenchServer {
        try BenchServer([try Installation.executable()] + arguments)
    }

    /// Writes a line to its standard input.
    func tell(_ line: String) throws { try input.fileHandleForWriting.write(contentsOf: Data("\(line)\n".utf8)) }

    func signal(_ number: Int32) { kill(process.processIdentifier, number) }

    var isRunning: Bool { process.isRunning }

    /// Exit status once it has ended; -n after signal n.
    func wait() -> Int32 {
        process.waitUntilExit()
        return process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
    }

    /// Asks it to stop, and ends it for good where it does not within ten seconds.
    func stop() {
        guard process.isRunning else { return }
        signal(SIGTERM)
        for _ in 0..<1000 where process.isRunning { usleep(10_000) }
        if process.isRunning { signal(SIGKILL) }
        process.waitUntilExit()
    }

    /// CPU time so far of one of its threads.
    func cpu(ofThread name: String) -> Double { Figures.cpu(ofThread: name, in: process.processIdentifier) }

    var figures: Figures { Figures(process.processIdentifier) }

    /// What the system says of a process: proc(5). Zeros for one that is gone.
    struct Figures {
        /// CPU time so far, user and system, in seconds.
        var cpu = 0.0
        /// Resident memory of its own, without shared files, in bytes.
        var memory = 0
        var threads = 0
        var descriptors = 0

        /// CPU time so far of one thread, by its name.
        static func cpu(ofThread name: String, in id: Int32) -> Double {
            let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(id)/task")) ?? []
            for thread in threads {
                let text = text("/proc/\(id)/task/\(thread)/stat")
                if text.contains("(\(name))") { return seconds(text) }
            }
            return 0
        }

        private static func seconds(_ text: String) -> Double {
            // The name, in brackets, may hold anything; user and system time come 12 and 13 fields after it.
            let fields = (text.split(separator: ")").last ?? "").split(separator: " ")
            guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else { return 0 }
            return (user + system) / Double(max(1, sysconf(Int32(_SC_CLK_TCK))))
        }

        init(_ id: Int32) {
            let text = Self.text("/proc/\(id)/stat")
            cpu = Self.seconds(text)
            let fields = (text.split(separator: ")").last ?? "").split(separator: " ")
            if fields.count > 17 { threads = Int(fields[17]) ?? 0 }
            for line in Self.text("/proc/\(id)/status").split(separator: "\n") where line.hasPrefix("RssAnon:") {
                memory = (line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0) << 10
            }
            descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(id)/fd").count) ?? 0
        }

        private static func text(_ path: String) -> String {
            guard let file = fopen(path, "r") else { return "" }
            defer { fclose(file) }
            var buffer = [UInt8](repeating: 0, count: 8192)
            let count = fread(&buffer, 1, buffer.count, file)
            return String(decoding: buffer.prefix(count), as: UTF8.self)
        }
    }
}
