import CLinux
import Glibc

/// The layers of a worker's sandbox. A worker enters the sandbox before it reads a picture's first byte. As in Chromium's renderers,
/// Landlock restricts the reachable resources, and seccomp restricts the system calls. Each layer works without the other.
package struct SandboxLayers: OptionSet, Sendable {
    package let rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }

    package static let landlock = SandboxLayers(rawValue: 1)
    package static let seccomp = SandboxLayers(rawValue: 2)
    package static let all: SandboxLayers = [.landlock, .seccomp]
}

/// Orders for a new worker, besides its limits.
package struct WorkerOrders: Sendable, Equatable {
    var layers = SandboxLayers.all
    /// Whether to exit, not render, if a layer is missing.
    var requiresSandbox = false
    /// Whether to try everything the sandbox refuses, reply and exit, instead of rendering.
    var triesSandbox = false

    func write(to frame: inout FrameWriter) {
        frame.number(layers.rawValue)
        frame.number(requiresSandbox ? 1 : 0)
        frame.number(triesSandbox ? 1 : 0)
    }

    package init(layers: SandboxLayers = .all, requiresSandbox: Bool = false, triesSandbox: Bool = false) {
        self.layers = layers
        self.requiresSandbox = requiresSandbox
        self.triesSandbox = triesSandbox
    }

    init?(_ frame: inout FrameReader) {
        guard let layers = frame.number(), let requires = frame.number(), let tries = frame.number() else { return nil }
        self.init(layers: SandboxLayers(rawValue: layers), requiresSandbox: requires != 0, triesSandbox: tries != 0)
    }
}

/// The sandbox of this process, as far as the kernel supports it.
enum Sandbox {
    /// Enters the sandbox permanently. All required files must be open, and the process must have only one thread.
    static func enter(_ layers: SandboxLayers) -> SandboxReport {
        var report = SandboxReport()
        report.noNewPrivileges = SandboxForbidNewPrivileges() != 0
        if layers.contains(.landlock) { report.landlock = Int(SandboxRestrictAccess()) }
        // Entered last, because seccomp refuses the system calls that set up the other layers.
        if layers.contains(.seccomp) { report.seccomp = SandboxRestrictCalls() != 0 }
        return report
    }

    /// Tries everything and reports each outcome before the next attempt. The attempt that would replace this process is last.
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
