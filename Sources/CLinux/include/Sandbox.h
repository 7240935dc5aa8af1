#pragma once

// Gives up rights of this process for good, and tries to use those given up. Debian 12's headers lack the newer constants.

/// Keeps this process from gaining rights by running another program. Returns 1 when it holds.
int SandboxForbidNewPrivileges(void);
/// Landlock: no file can be opened any more, no TCP connection made or accepted, and, as far as the kernel knows how, no
/// process outside be signalled. What is open stays usable. Only for the calling thread: call it before there are others.
/// Returns the version of the kernel's interface, 1 or more; 0 where it has none.
int SandboxRestrictAccess(void);
/// seccomp: every system call fails with EPERM but those that compute and answer on what is open: reading, writing, memory
/// that is not run, time, and the end; where it receives descriptors, taking them from a socket, too. Returns 1 when it holds.
int SandboxRestrictCalls(int receivesDescriptors);

/// An attempt that must fail in a sandboxed process.
typedef enum {
    SandboxAttemptOpen,
    SandboxAttemptSocket,
    SandboxAttemptConnect,
    SandboxAttemptPtrace,
    SandboxAttemptKill,
    SandboxAttemptFork,
    /// Runs this program anew; where it gets through, it does not return.
    SandboxAttemptExecve,
} SandboxAttempt;

/// Tries it on the parent process or on nothing that is harmed. Returns the error by which it was refused; 0 where it got
/// through.
int SandboxTry(SandboxAttempt attempt);
