#define _GNU_SOURCE
#include "Sandbox.h"
#include <errno.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

// Reading, writing and receiving open descriptors, memory, time, locks, signals to itself, and exit.
static const int allowed[] = {
    SCMP_SYS(recvmsg), SCMP_SYS(read), SCMP_SYS(readv), SCMP_SYS(pread64), SCMP_SYS(write), SCMP_SYS(writev), SCMP_SYS(close),
    SCMP_SYS(lseek), SCMP_SYS(brk), SCMP_SYS(munmap), SCMP_SYS(mremap), SCMP_SYS(madvise), SCMP_SYS(futex),
    SCMP_SYS(futex_time64), SCMP_SYS(sched_yield), SCMP_SYS(getrandom), SCMP_SYS(clock_gettime),
    SCMP_SYS(clock_gettime64), SCMP_SYS(clock_getres), SCMP_SYS(clock_getres_time64), SCMP_SYS(gettimeofday),
    SCMP_SYS(time), SCMP_SYS(nanosleep), SCMP_SYS(clock_nanosleep), SCMP_SYS(clock_nanosleep_time64),
    SCMP_SYS(alarm), SCMP_SYS(setitimer), SCMP_SYS(getpid), SCMP_SYS(gettid), SCMP_SYS(getrusage),
    SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigreturn), SCMP_SYS(sigreturn),
    SCMP_SYS(sigaltstack), SCMP_SYS(restart_syscall), SCMP_SYS(exit), SCMP_SYS(exit_group),
};

// Memory calls, allowed unless they make memory executable.
static const int allowedUnlessRun[] = {SCMP_SYS(mmap), SCMP_SYS(mmap2), SCMP_SYS(mprotect)};

int SandboxRestrictCalls(void) {
    // Fail a call with an error instead of killing the process: libraries try calls that they can do without, such as reading the time
    // zone.
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
    if (!filter) return 0;
    int failed = 0;
    for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++)
        failed |= seccomp_rule_add(filter, SCMP_ACT_ALLOW, allowed[i], 0) < 0;
    for (size_t i = 0; i < sizeof allowedUnlessRun / sizeof *allowedUnlessRun; i++)
        failed |= seccomp_rule_add(filter, SCMP_ACT_ALLOW, allowedUnlessRun[i], 1,
                                   SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0)) < 0;
    // A worker changes the limit of its own address space with each picture.
    failed |= seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(prlimit64), 2, SCMP_A0(SCMP_CMP_EQ, 0),
                               SCMP_A1(SCMP_CMP_EQ, RLIMIT_AS)) < 0;
    // abort() ends a process with tgkill.
    failed |= seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(tgkill), 1, SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)getpid())) < 0;
    // Include existing threads, such as those of a sanitizer. Search the rules as a binary tree instead of one by one.
    failed |= seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1) < 0;
    seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, 2);
    if (!failed) failed = seccomp_load(filter) < 0;
    seccomp_release(filter);
    return !failed;
}
