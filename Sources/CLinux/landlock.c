#define _GNU_SOURCE
#include "Sandbox.h"
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// Constants of linux/landlock.h as of Linux 6.12. The numbers of these system calls are the same on every architecture.
enum { callCreateRuleset = 444, callRestrictSelf = 446, flagVersion = 1 };

struct ruleset {
    uint64_t files;   // rights on files
    uint64_t net;     // rights on TCP ports, since version 4
    uint64_t scoped;  // actions limited to the sandbox, since version 6
};

int SandboxForbidNewPrivileges(void) {
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1;
}

int SandboxRestrictAccess(void) {
    long version = syscall(callCreateRuleset, NULL, 0, flagVersion);
    if (version < 1) return 0;
    // Rights that are listed and not granted by a rule are denied. Version 1 has 13 rights on files. Later versions add renaming between
    // folders, truncating, and device commands.
    int count = version >= 5 ? 16 : version >= 3 ? 15 : version >= 2 ? 14 : 13;
    struct ruleset rules = {.files = (1ull << count) - 1};
    if (version >= 4) rules.net = 1 | 2;     // binding and connecting TCP
    if (version >= 6) rules.scoped = 1 | 2;  // abstract UNIX sockets and signals
    // A kernel with fewer fields accepts the longer structure if the additional fields are zero.
    int ruleset = (int)syscall(callCreateRuleset, &rules, sizeof rules, 0);
    if (ruleset < 0) return 0;
    long result = syscall(callRestrictSelf, ruleset, 0);
    close(ruleset);
    return result == 0 ? (int)version : 0;
}
