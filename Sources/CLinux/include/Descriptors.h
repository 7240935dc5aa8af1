#pragma once
#include <stddef.h>
#include <sys/types.h>

/// Maximum number of descriptors in one message (the kernel's SCM_MAX_FD).
enum { DescriptorsMaximum = 253 };

/// Sends bytes over a local stream socket, with copies of open descriptors attached to the first byte. Never waits. Returns the number of
/// bytes sent, or -1 and errno. If no bytes were sent, no descriptor was sent.
ssize_t DescriptorsSend(int socket, const void *bytes, size_t count, const int *descriptors, int number);
/// Waits for bytes from a local stream socket, and accepts up to DescriptorsMaximum attached descriptors. Returns the number of bytes
/// received, 0 at the end, or -1 and errno.
ssize_t DescriptorsReceive(int socket, void *bytes, size_t count, int *descriptors, int *number);
