#define _GNU_SOURCE
#include "Beneath.h"
#include <errno.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <unistd.h>

int OpenBeneath(int folder, const char *path, int flags) {
    struct open_how how = {.flags = (unsigned)flags, .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS};
    // If a folder in the path is renamed during the call, the kernel returns EAGAIN. Limit the retries, so that nobody can keep this
    // loop busy.
    for (int tries = 0; tries < 16; tries++) {
        int descriptor = (int)syscall(SYS_openat2, folder, path, &how, sizeof how);
        if (descriptor >= 0 || errno != EAGAIN) return descriptor;
    }
    return -1;
}
