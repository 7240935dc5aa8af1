#define _GNU_SOURCE
#include "ImageProcess.h"
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

int ImageProcessCloseFrom(posix_spawn_file_actions_t *actions, int first) {
    return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

// A sanitizer reports on standard error, so that descriptor is not redirected.
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
enum { lastSilenced = 1 };
// The leak detector needs a thread, which a sandboxed worker cannot start.
const char *__asan_default_options(void) { return "detect_leaks=0"; }
#else
enum { lastSilenced = 2 };
#endif

void ImageProcessReleaseCode(void) {
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int descriptor = 1; descriptor <= lastSilenced; descriptor++)
        if (nothing < 0 || dup2(nothing, descriptor) < 0) close(descriptor);
    close_range(3, ~0u, 0);
    clearenv();
}

int ImageProcessDescriptor(pid_t process) { return (int)syscall(SYS_pidfd_open, process, 0); }

void ImageProcessLimitWork(double seconds) {
    struct itimerval timer = {.it_value = {.tv_sec = (time_t)seconds, .tv_usec = (suseconds_t)((seconds - (time_t)seconds) * 1e6)}};
    setitimer(ITIMER_PROF, &timer, NULL);
}

#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
void ImageProcessLimitMemory(size_t bytes, size_t most) { (void)bytes, (void)most; }
#else
void ImageProcessLimitMemory(size_t bytes, size_t most) {
    struct rlimit limit = {.rlim_cur = bytes, .rlim_max = most};
    setrlimit(RLIMIT_AS, &limit);
}
#endif

void ImageProcessTrimMemory(void) { malloc_trim(0); }

void ImageProcessReturnMemory(void) {
    mallopt(M_ARENA_MAX, 1);
    // Decoders allocate the same megabytes for each strip. A mapping for each allocation costs more than the decoding of some strips.
    mallopt(M_MMAP_THRESHOLD, 4 << 20);
    mallopt(M_TRIM_THRESHOLD, 16 << 20);
}

void ImageProcessForgetCode(void) {
    FILE *maps = fopen("/proc/self/maps", "re");
    if (!maps) return;
    char line[PATH_MAX + 128];
    while (fgets(line, sizeof line, maps)) {
        uintptr_t from, to;
        char rights[5];
        unsigned long offset, device, minor, inode;
        if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %4s %lx %lx:%lx %lu", &from, &to, rights, &offset, &device, &minor,
                   &inode) != 7)
            continue;
        // These pages are never written, so the kernel can read them from the file again.
        if (inode && !strcmp(rights, "r-xp")) madvise((void *)from, to - from, MADV_DONTNEED);
    }
    fclose(maps);
}
