import Foundation
import Glibc
import Synchronization
import Terminal
import TestSupport
import Testing

/// Progress of long work: a bar on a terminal, lines elsewhere.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct ProgressTests {
    @Test("short work prints no progress", arguments: [true, false])
    func short(isTerminal: Bool) {
        var text = ProgressText("Reading list", unit: "items", isTerminal: isTerminal, at: 10)
        #expect(text.update(1, share: 0.5, at: 10.2) == nil)
        #expect(text.end(2, at: 10.25) == nil)
    }

    @Test("a terminal shows a bar, redrawn at most ten times a second and replaced by a line at the end")
    func terminal() {
        var text = ProgressText("Reading list", unit: "items", isTerminal: true, at: 0)
        #expect(
            text.update(1_000, share: 0.25, at: 0.3)
                == "\r\u{1B}[KReading list  [######------------------] 25%  1,000 items")
        #expect(text.update(1_100, share: 0.26, at: 0.35) == nil)
        #expect(
            text.update(1_234_567, share: 7, at: 0.4)?.contains("[########################] 100%  1,234,567") == true)
        #expect(text.update(5, share: nil, at: 0.51) == "\r\u{1B}[KReading list  5 items")
        #expect(text.update(5, share: -1, at: 0.62)?.contains("] 0%") == true)
        #expect(text.end(2_000_000, at: 12.34) == "\r\u{1B}[Klookahead: Reading list: 2,000,000 items in 12.3 s\n")
    }

    @Test("a log gets progress lines after two seconds and then every five")
    func log() {
        var text = ProgressText("Reading list", unit: "items", isTerminal: false, at: 0)
        #expect(text.update(1, share: nil, at: 1.9) == nil)
        #expect(text.update(1_000, share: 0.1, at: 2) == "lookahead: Reading list: 1,000 items, 10%\n")
        #expect(text.update(2_000, share: 0.2, at: 6) == nil)
        #expect(text.update(3_000, share: nil, at: 7) == "lookahead: Reading list: 3,000 items\n")
        #expect(text.end(9_999, at: 8) == "lookahead: Reading list: 9,999 items in 8.0 s\n")
    }

    @Test("numbers are grouped by thousands")
    func grouped() {
        #expect([0, 999, 1_000, -1_234_567].map(\.grouped) == ["0", "999", "1,000", "-1,234,567"])
    }

    /// script(1) makes standard error a terminal. The 70-megapixel picture is left out to keep the run short.
    @Test(
        "benchmarks and scores show a bar on a terminal",
        .enabled(if: Weekly.isOn, "runs weekly"),
        arguments: [
            ("thumbnails --quick --rounds 1 --only 12mp", "Measuring thumbnails", "2 steps in"),
            ("score --seeds 1 --policy glide", "Replaying", " runs in"),
        ])
    func bench(arguments: String, title: String, end: String) async throws {
        let child = try Child(
            "/usr/bin/script", ["-qefc", "\(LookaheadProcess.lab) \(arguments)", "/dev/null"],
            environment: ["TERM": "xterm"])
        let output = await child.output()
        #expect(child.wait() == 0)
        #expect(output.contains("\r\u{1B}[K\(title)  ["), "\(output.debugDescription)")
        #expect(
            output.contains("\r\u{1B}[Klookahead: \(title): ") && output.contains(end), "\(output.debugDescription)")
    }

    /// Writes a list until the server reports progress. With script(1) standard error is a terminal, without it a
    /// pipe.
    @Test(
        "reading a list from standard input shows progress",
        arguments: Weekly.isOn ? [true, false] : [true])
    func list(isTerminal: Bool) async throws {
        signal(SIGPIPE, SIG_IGN)
        let folder = try TemporaryFolder()
        let pipe = "\(folder.path)/list"
        #expect(mkfifo(pipe, 0o600) == 0)
        let command = "exec \(LookaheadProcess.executable) serve - --port 0 --cache-directory none < \(pipe) 2>&1"
        let process = Process()
        process.executableURL = URL(fileURLWithPath: isTerminal ? "/usr/bin/script" : "/bin/sh")
        process.arguments = isTerminal ? ["-qefc", command, "/dev/null"] : ["-c", command]
        var environment = ProcessInfo.processInfo.environment
        environment["TERM"] = "xterm"
        process.environment = environment
        let output = Pipe()
        process.standardOutput = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
        defer {
            process.terminate()
            process.waitUntilExit()
        }
        let list = open(pipe, O_WRONLY | O_CLOEXEC)
        #expect(list >= 0)

        let descriptor = output.fileHandleForReading.fileDescriptor
        var text = ""
        /// Reads the available output. Waits at most 10 ms, which sets the pace of the writes.
        func read() throws {
            var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&wait, 1, 10) > 0 else { return }
            let bytes = output.fileHandleForReading.availableData
            try #require(!bytes.isEmpty, "the output ended after \(text.debugDescription)")
            text += String(decoding: bytes, as: UTF8.self)
        }
        let line = Array(#"{"url":"http://example.com/a.jpg"}"#.utf8) + [10]
        try await eventually("the progress") {
            #expect(line.withUnsafeBytes { write(list, $0.baseAddress, $0.count) } == line.count)
            try read()
            return text.contains("Reading standard input")
        }
        close(list)
        try await eventually("the end of the list") {
            try read()
            return text.contains("Listening on") && text.contains(" items in ")
        }
        #expect(text.contains("\u{1B}[K") == isTerminal, "\(text.debugDescription)")
    }
}
