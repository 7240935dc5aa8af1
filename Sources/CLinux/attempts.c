#define _GNU_SOURCE
#include "Sandbox.h"
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static const char program[] = "/proc/self/exe";

static int refused(long result) { return result < 0 ? errno : 0; }

static int tryOpen(void) {
    int file = open(program, O_RDONLY | O_CLOEXEC);
    int error = refused(file);
    if (file >= 0) close(file);
    return error;
}

static int trySocket(void) {
    int end = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    int error = refused(end);
    if (end >= 0) close(end);
    return error;
}

// Connects to a local port without a listener. ECONNREFUSED means that the sandbox did not stop the attempt.
static int tryConnect(void) {
    int end = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (end < 0) return errno;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(1), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int error = refused(connect(end, (struct sockaddr *)&address, sizeof address));
    close(end);
    return error == ECONNREFUSED ? 0 : error;
}

static int tryFork(void) {
    pid_t child = fork();
    if (child == 0) _exit(0);
    int error = refused(child);
    if (child > 0) waitpid(child, NULL, 0);
    return error;
}

int SandboxTry(SandboxAttempt attempt) {
    switch (attempt) {
    case SandboxAttemptOpen: return tryOpen();
    case SandboxAttemptSocket: return trySocket();
    case SandboxAttemptConnect: return tryConnect();
    // PTRACE_SEIZE does not stop the parent, and ends with this process.
    case SandboxAttemptPtrace: return refused(ptrace(PTRACE_SEIZE, getppid(), 0, 0));
    // Signal 0 only checks the permission.
    case SandboxAttemptKill: return refused(kill(getppid(), 0));
    case SandboxAttemptFork: return tryFork();
    case SandboxAttemptExecve: {
        char *arguments[] = {"lookahead", "--version", NULL}, *environment[] = {NULL};
        return refused(execve(program, arguments, environment));
    }
    }
    return ENOSYS;
}
