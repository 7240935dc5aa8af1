#define _GNU_SOURCE
#include "ImageProcess.h"
#include <malloc.h>
#include <signal.h>
#include <sys/prctl.h>

int ImageProcessDieWithParent(void) { return prctl(PR_SET_PDEATHSIG, SIGKILL); }

int ImageProcessCloseFrom(posix_spawn_file_actions_t *actions, int first) {
    return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

void ImageProcessTrimMemory(void) { malloc_trim(0); }
