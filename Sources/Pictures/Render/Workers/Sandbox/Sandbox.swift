import CLinux
import Glibc

/// Drops a worker's privileges before it reads a picture's first byte. Two layers, as in Chromium's renderers: Landlock says
/// what may be reached, seccomp how much of the kernel may be asked at all. Either holds where the other is missing.
package struct SandboxLayers: OptionSet, Sendable {
    package let rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }

    package static let landlock = SandboxLayers(rawValue: 1)
    package static let seccomp = SandboxLayers(rawValue: 2)
    package static let all: SandboxLayers = [.landlock, .seccomp]
}

/// How a worker is to begin, besides its limits.
package struct WorkerOrders: Sendable, Equatable {
    var layers = SandboxLayers.all
    /// Whether to end rather than render with a layer missing.
    var requiresSandbox = false
    /// Whether to try what the sandbox refuses, answer and end, instead of rendering.
    var triesSandbox = false
    /// Whether to load what HEIC needs, before no file can be opened any more.
    var readsHEIF = false

    func write(to frame: inout FrameWriter) {
        frame.number(layers.rawValue)
        frame.number(requiresSandbox ? 1 : 0)
        frame.number(triesSandbox ? 1 : 0)
        frame.number(readsHEIF ? 1 : 0)
    }

    package init(
        layers: SandboxLayers = .all, requiresSandbox: Bool = false, triesSandbox: Bool = false, readsHEIF: Bool = false
    ) {
        self.layers = layers
        self.requiresSandbox = requiresSandbox
        self.triesSandbox = triesSandbox
        self.readsHEIF = readsHEIF
    }

    init?(_ frame: inout FrameReader) {
        guard let layers = frame.number(), let requires = frame.number(), let tries = frame.number(),
            let readsHEIF = frame.number()
        else { return nil }
        self.init(
            layers: SandboxLayers(rawValue: layers), requiresSandbox: requires != 0, triesSandbox: tries != 0,
            readsHEIF: readsHEIF != 0)
    }
}

/// The sandbox around this process, as far as the kernel grants it.
enum Sandbox {
    /// Enters it for good. What must be opened has been opened; the process has one thread.
    ///
    /// - Parameter receivesDescriptors: whether it will be given open files.
    static func enter(_ layers: SandboxLayers, receivesDescriptors: Bool = false) -> SandboxReport {
        var report = SandboxReport()
        report.noNewPrivileges = SandboxForbidNewPrivileges() != 0
        if layers.contains(.landlock) { report.landlock = Int(SandboxRestrictAccess()) }
        // Last: it refuses the calls that make the others.
        if layers.contains(.seccomp) { report.seccomp = SandboxRestrictCalls(receivesDescriptors ? 1 : 0) != 0 }
        return report
    }

    /// Tries everything, the one that would replace this process last, and hands each outcome over before the next.
    static func tryAll(_ outcome: (SandboxReport.Attempt, _ error: Int32) -> Void) {
        for attempt in SandboxReport.Attempt.allCases { outcome(attempt, SandboxTry(attempt.number)) }
    }
}

extension SandboxReport.Attempt {
    fileprivate var number: SandboxAttempt {
        switch self {
        case .open: SandboxAttemptOpen
        case .socket: SandboxAttemptSocket
        case .connect: SandboxAttemptConnect
        case .ptrace: SandboxAttemptPtrace
        case .kill: SandboxAttemptKill
        case .fork: SandboxAttemptFork
        case .execve: SandboxAttemptExecve
        }
    }
}
