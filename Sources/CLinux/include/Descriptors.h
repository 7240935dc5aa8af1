#pragma once
#include <stddef.h>
#include <sys/types.h>

/// Descriptors that the kernel carries with one message, at most (SCM_MAX_FD).
enum { DescriptorsMost = 253 };

/// Sends bytes over a local stream socket, and copies of open descriptors with the first of them. Never waits. Returns how many
/// bytes were sent, or -1 and errno; where none were, no descriptor was.
ssize_t DescriptorsSend(int socket, const void *bytes, size_t count, const int *descriptors, int number);
/// Waits for bytes of such a socket and takes the descriptors that come with them, DescriptorsMost at most. Returns how many bytes
/// came; 0 at the end, or -1 and errno.
ssize_t DescriptorsReceive(int socket, void *bytes, size_t count, int *descriptors, int *number);
