/// Which layers of the sandbox hold around a worker, and what was tried in it.
public struct SandboxReport: Sendable, Equatable {
    /// An attempt that the sandbox must stop.
    public enum Attempt: String, Sendable, CaseIterable {
        case open, socket, connect, ptrace, kill, fork
        /// Last: one that gets through replaces the process.
        case execve
    }

    /// The version of Landlock's interface in force; 0 where the kernel has none.
    public var landlock = 0
    /// Whether the filter of system calls is in force.
    public var seccomp = false
    /// Whether no program it runs could gain rights.
    public var noNewPrivileges = false
    /// The system's error number by which each attempt was refused. One that got through has none.
    public var refused: [Attempt: Int32] = [:]

    public init() {}

    /// The attempts that succeeded.
    public var allowed: [Attempt] { Attempt.allCases.filter { refused[$0] == nil } }

    /// Whether every layer holds.
    public var hasEveryLayer: Bool { landlock > 0 && seccomp && noNewPrivileges }

    /// The problem, as a part of a sentence; nil where every layer holds and nothing got through.
    public var fault: String? {
        var faults: [String] = []
        if landlock == 0 { faults.append("Landlock is missing (needs Linux 5.13 or later, enabled by lsm=)") }
        if !seccomp { faults.append("the kernel refused the system call filter (seccomp)") }
        if !noNewPrivileges { faults.append("the kernel refused no_new_privs") }
        if !allowed.isEmpty { faults.append("not blocked: \(allowed.map(\.rawValue).joined(separator: ", "))") }
        return faults.isEmpty ? nil : faults.joined(separator: "; ")
    }

    func write(to frame: inout FrameWriter) {
        frame.number(landlock)
        frame.number(seccomp ? 1 : 0)
        frame.number(noNewPrivileges ? 1 : 0)
    }

    init?(_ frame: inout FrameReader) {
        guard let landlock = frame.number(), let seccomp = frame.number(), let privileges = frame.number() else {
            return nil
        }
        self.landlock = landlock
        self.seccomp = seccomp != 0
        noNewPrivileges = privileges != 0
    }
}
