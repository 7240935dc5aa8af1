import Glibc
import Media
import TestSupport
import Testing

/// Sandbox features of this machine's kernel, as a worker reports them.
private enum Kernel {
    static let report: SandboxReport? = {
        let configuration = WorkerConfiguration(executable: workerExecutable())
        let worker = try? WorkerProcess(configuration, orders: WorkerOrders(triesSandbox: true))
        defer { _ = worker?.end() }
        return worker?.sandboxReport(RenderLimits())
    }()
    static let landlock = report?.landlock ?? 0
    static let hasSeccomp = report?.seccomp ?? false
}

/// Tests each layer of the sandbox on a worker that tries forbidden calls. Tests of a layer are skipped if the kernel
/// lacks it.
@Suite(.timeLimit(.minutes(2))) struct SandboxTests {
    private func report(_ layers: SandboxLayers) async throws -> SandboxReport {
        let renderer = Renderer(WorkerConfiguration(executable: workerExecutable()))
        let report = try await renderer.pool.trySandbox(layers)
        await renderer.shutdown()
        return report
    }

    @Test("a worker without a sandbox succeeds in opening, connecting, forking, signalling and running")
    func unprotected() async throws {
        let report = try await report([])
        #expect(report.landlock == 0 && !report.seccomp)
        for attempt in [SandboxReport.Attempt.open, .socket, .connect, .kill, .fork, .execve] {
            #expect(report.allowed.contains(attempt), "\(attempt)")
        }
        #expect(report.fault != nil)
    }

    @Test("every attempt of a sandboxed worker is refused", .enabled(if: Kernel.landlock > 0 && Kernel.hasSeccomp))
    func whole() async throws {
        let report = try await report(.all)
        #expect(report.hasEveryLayer && report.allowed == [])
        #expect(report.fault == nil)
    }

    @Test("the system call filter alone refuses every attempt with an error", .enabled(if: Kernel.hasSeccomp))
    func seccomp() async throws {
        let report = try await report(.seccomp)
        #expect(report.landlock == 0)
        for attempt in SandboxReport.Attempt.allCases { #expect(report.refused[attempt] == EPERM, "\(attempt)") }
        #expect(report.fault?.hasPrefix("Landlock is missing") == true)
    }

    @Test("Landlock alone refuses files, programs and other processes", .enabled(if: Kernel.landlock > 0))
    func landlock() async throws {
        let report = try await report(.landlock)
        #expect(!report.seccomp)
        #expect(report.refused[.open] == EACCES)
        #expect(report.refused[.execve] == EACCES)
        #expect(report.refused[.ptrace] == EPERM)
        if report.landlock >= 4 { #expect(report.refused[.connect] == EACCES) }
        if report.landlock >= 6 { #expect(report.refused[.kill] == EPERM) }
        #expect(report.fault?.contains("seccomp") == true)
    }

    @Test("a worker that requires an unavailable sandbox renders nothing")
    func required() async throws {
        let configuration = WorkerConfiguration(executable: workerExecutable())
        let worker = try WorkerProcess(configuration, orders: WorkerOrders(layers: .seccomp, requiresSandbox: true))
        #expect(throws: RenderError.noWorker("it cannot be sandboxed")) {
            try worker.ask(
                .facts(descriptors: []), limits: RenderLimits(), forget: {}, read: { _ in [] }, take: { _, _ in true })
        }
    }

    @Test("a worker has one thread, no inherited environment, and one socket")
    func bare() async throws {
        setenv("LOOKAHEAD_TOKEN", "a secret of the server", 1)
        defer { unsetenv("LOOKAHEAD_TOKEN") }
        let renderer = Renderer(WorkerConfiguration(executable: workerExecutable(), workers: 1))
        _ = try await renderer.render(Encode.jpeg(.quadrants()), size: ThumbnailSize(width: 60, height: 40))
        let process = try #require(renderer.pool.processes.first)
        let environment = text("/proc/\(process)/environ").split(separator: "\0").map { $0.prefix { $0 != "=" } }
        #expect(Set(environment).subtracting(["SWIFT_BACKTRACE", "LD_LIBRARY_PATH"]) == [])
        var open: [String] = []
        for descriptor in 0..<64 {
            var target = [UInt8](repeating: 0, count: 256)
            let count = readlink("/proc/\(process)/fd/\(descriptor)", &target, target.count)
            if count > 0 { open.append(String(decoding: target.prefix(count), as: UTF8.self)) }
        }
        #expect(open.count == 4 && open.first?.hasPrefix("socket:") == true, "\(open)")
        #expect(open.dropFirst() == ["/dev/null", "/dev/null", "/proc/\(process)/statm"], "\(open)")
        #expect(ProcessFigures(process).threads == 1)
        #expect(text("/proc/\(process)/status").contains("NoNewPrivs:\t1"))
        await renderer.shutdown()
    }

    private func text(_ path: String) -> String {
        guard let file = fopen(path, "r") else { return "" }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 16_384)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}
