#include "FileSystem.h"

#include <sys/vfs.h>

unsigned FileSystemType(const char *path) {
    struct statfs status;
    return statfs(path, &status) == 0 ? (unsigned)status.f_type : 0;
}
