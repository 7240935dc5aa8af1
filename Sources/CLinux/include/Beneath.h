#pragma once
#include <fcntl.h>

/// Opens `path`, relative, beneath the open folder `folder` and nowhere else: neither `..`, an absolute link nor a magic one
/// leads out, whatever changes meanwhile (openat2, Linux 5.6). Returns a descriptor, or -1 and errno: EXDEV where it leads
/// out, ENOSYS where the kernel has no such call.
int OpenBeneath(int folder, const char *path, int flags);

/// A file or folder that is named and not opened; O_PATH, which Swift does not see.
enum { OpenPathOnly = 010000000 };
