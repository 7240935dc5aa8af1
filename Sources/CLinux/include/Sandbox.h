#pragma once

// Permanently drops rights of this process, and tests that they are dropped. Debian 12's headers lack the newer constants.

/// Keeps this process from gaining rights by running another program. Returns 1 on success.
int SandboxForbidNewPrivileges(void);
/// Landlock: forbids opening files and, as far as the kernel supports it, connecting or accepting TCP connections and signalling processes
/// outside the sandbox. Open descriptors stay usable. Applies only to the calling thread, so call it before starting others. Returns the
/// version of the kernel's interface, 1 or more, or 0 without Landlock.
int SandboxRestrictAccess(void);
/// seccomp: makes system calls fail with EPERM, except those on open descriptors, memory that is not executable, the limit of the address
/// space, time and exit. Receiving descriptors from a socket stays allowed. Returns 1 on success.
int SandboxRestrictCalls(void);

/// An attempt that must fail in a sandboxed process.
typedef enum {
    SandboxAttemptOpen,
    SandboxAttemptSocket,
    SandboxAttemptConnect,
    SandboxAttemptPtrace,
    SandboxAttemptKill,
    SandboxAttemptFork,
    /// Runs this program again. Does not return on success.
    SandboxAttemptExecve,
} SandboxAttempt;

/// Makes the attempt on the parent process or on a harmless target. Returns the error that refused the attempt, or 0 if it succeeded.
int SandboxTry(SandboxAttempt attempt);
