#pragma once
#include <spawn.h>
#include <sys/types.h>

// Calls of glibc and Linux that Swift's own module lacks.

/// Makes a process that will be spawned close every descriptor from `first` on. Returns 0 on success.
int ImageProcessCloseFrom(posix_spawn_file_actions_t *actions, int first);
/// Releases the environment and all descriptors that the process inherited, except standard input. Standard output and standard error are
/// redirected to /dev/null. Under a sanitizer, which reports on standard error, that descriptor stays open.
void ImageProcessReleaseCode(void);
/// Returns a descriptor that becomes readable when the process has ended (pidfd_open), or -1. The descriptor is closed on exec.
int ImageProcessDescriptor(pid_t process);
/// Makes the kernel end this process with SIGPROF after this many further seconds of CPU time. 0 removes the limit.
void ImageProcessLimitWork(double seconds);
/// Limits the address space of this process to `bytes`. Later calls may raise the limit up to `most`, which must not grow. Has no effect
/// under a sanitizer, which needs terabytes of address space.
void ImageProcessLimitMemory(size_t bytes, size_t most);
/// Uses one heap for all threads, and returns every freed block above 4 MB to the kernel. By default, glibc raises that size with each
/// such block.
void ImageProcessReturnMemory(void);
/// Releases the resident pages of code. Pages that run again are loaded from the page cache. Most of the code used at start never runs
/// again.
void ImageProcessForgetCode(void);
/// Returns free memory to the kernel.
void ImageProcessTrimMemory(void);
