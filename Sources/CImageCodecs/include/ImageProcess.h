#pragma once
#include <spawn.h>
#include <sys/types.h>

// Calls of glibc and Linux that Swift's own module lacks.

/// Asks the kernel to kill this process when the thread that started it ends. Returns 0 on success.
int ImageProcessDieWithParent(void);
/// Has a process to be spawned close every descriptor from `first` on. Returns 0 on success.
int ImageProcessCloseFrom(posix_spawn_file_actions_t *actions, int first);
/// Lets go of what a process is born with: its environment, and every descriptor but standard input. Standard output and
/// error are nobody's from then on, the latter not under a sanitizer, which reports there.
void ImageProcessLetGo(void);
/// A descriptor that becomes readable when the process has ended (pidfd_open), or -1. It is closed on exec.
int ImageProcessDescriptor(pid_t process);
/// Has the kernel end this process by SIGPROF once it has worked for so many seconds of CPU time more; 0 takes that back.
void ImageProcessLimitWork(double seconds);
/// Bounds the address space of this process. Not where it runs under a sanitizer, whose shadow takes terabytes of it.
void ImageProcessLimitMemory(size_t bytes);
/// Keeps one heap for all threads, and has every block above 128 kB given back to the kernel when it is freed. glibc would raise that size with each such block.
void ImageProcessReturnMemory(void);
/// Lets go of the resident pages of code, which come back from the page cache one by one as they are run: most of what
/// starting a program touches is never run again.
void ImageProcessForgetCode(void);
/// Gives free memory back to the kernel.
void ImageProcessTrimMemory(void);
