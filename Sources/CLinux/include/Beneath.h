#pragma once
#include <fcntl.h>

/// Opens the relative `path` beneath the open folder `folder`. `..`, absolute links and magic links cannot lead out of the folder, even if
/// the folder changes during the call (openat2, Linux 5.6). Returns a descriptor, or -1 and errno. EXDEV: the path leads out. ENOSYS: the
/// kernel lacks the call.
int OpenBeneath(int folder, const char *path, int flags);

/// Names a file or folder without opening it. The value is O_PATH, which Swift does not import.
enum { OpenPathOnly = 010000000 };
