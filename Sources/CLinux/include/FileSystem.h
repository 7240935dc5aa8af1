#pragma once

/// Returns the magic number of the file system that contains a path (statfs), or 0 if unknown.
unsigned FileSystemType(const char *path);
