#pragma once
#include <spawn.h>

// Three calls of glibc that Swift's own module lacks.

/// Asks the kernel to kill this process when the thread that started it ends. Returns 0 on success.
int ImageProcessDieWithParent(void);
/// Has a process to be spawned close every descriptor from `first` on. Returns 0 on success.
int ImageProcessCloseFrom(posix_spawn_file_actions_t *actions, int first);
/// Gives free memory back to the kernel.
void ImageProcessTrimMemory(void);
