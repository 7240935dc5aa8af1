/// The active layers of a worker's sandbox, and the results of trying to break out.
public struct SandboxReport: Sendable, Equatable {
    /// An attempt that the sandbox must refuse.
    public enum Attempt: String, Sendable, CaseIterable {
        case open, socket, connect, ptrace, kill, fork
        /// The last attempt, because it replaces the process if it succeeds.
        case execve
    }

    /// Version of the active Landlock interface. 0 if the kernel does not support Landlock.
    public var landlock = 0
    /// Whether the system call filter is active.
    public var seccomp = false
    /// Whether programs that the process runs cannot gain privileges.
    public var noNewPrivileges = false
    /// System error number for each refused attempt. Successful attempts are missing.
    public var refused: [Attempt: Int32] = [:]

    public init() {}

    public var allowed: [Attempt] { Attempt.allCases.filter { refused[$0] == nil } }

    public var hasEveryLayer: Bool { landlock > 0 && seccomp && noNewPrivileges }

    /// Description of the problem, as part of a sentence. `nil` if every layer is active and every attempt was refused.
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
