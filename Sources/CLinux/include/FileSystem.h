#pragma once

/// The kind of file system a path is on, by its magic number (statfs); 0 where that cannot be told.
unsigned FileSystemType(const char *path);
