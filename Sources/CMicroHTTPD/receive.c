#define _GNU_SOURCE
#include "parts.h"

#include <stdlib.h>

// What the library reads, as it comes. The library shows a body only once it has taken the chunks apart, and 0.9.75 takes a
// bare LF for the end of their lines, MHD_OPTION_STRICT_FOR_CLIENT or not; MHD_OPTION_CLIENT_DISCIPLINE_LVL, which refuses it,
// came with 1.0. It reads by recv(), and the executable's own goes before that of the C library: this one, the same for
// everybody, and on the parser's thread told of what was read.
ssize_t recv(int fd, void *buffer, size_t size, int flags) {
  ssize_t count = recvfrom(fd, buffer, size, flags, NULL, NULL);
  if (count > 0) micro_note_received(fd, buffer, (size_t)count);
  return count;
}

void micro_remember(micro_daemon *self, int fd, void *context) {
  if (fd < 0) return;
  if (fd >= self->capacity) {
    int capacity = fd + 64;
    void **larger = realloc(self->contexts, (size_t)capacity * sizeof *larger);
    if (!larger) return;
    for (int i = self->capacity; i < capacity; i++) larger[i] = NULL;
    self->contexts = larger;
    self->capacity = capacity;
  }
  self->contexts[fd] = context;
}

void *micro_remembered(micro_daemon *self, int fd) {
  return fd >= 0 && fd < self->capacity ? self->contexts[fd] : NULL;
}
