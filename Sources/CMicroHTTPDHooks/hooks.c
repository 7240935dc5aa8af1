#define _GNU_SOURCE
#include "CMicroHTTPDHooks.h"

#include <CMicroHTTPD.h>
#include <dlfcn.h>
#include <errno.h>

// Sees the bytes that the library reads, as they come. The library shows a body only once it has taken the chunks apart,
// and 0.9.75 takes a bare LF for the end of their lines, MHD_OPTION_STRICT_FOR_CLIENT or not; MHD_OPTION_CLIENT_DISCIPLINE_LVL, which refuses it,
// came with 1.0. It reads by recv(), and the executable's own goes before that of the C library: this one, the same for
// everybody, and on the parser's thread telling of what was read.
ssize_t recv(int fd, void *buffer, size_t size, int flags) {
  ssize_t count = recvfrom(fd, buffer, size, flags, NULL, NULL);
  if (count <= 0 || micro_note_received(fd, buffer, (size_t)count)) return count;
  errno = ECONNRESET;
  return -1;
}

static __typeof__(&MHD_queue_response) queue_response;

__attribute__((constructor)) static void find_queue_response(void) {
  queue_response = (__typeof__(queue_response))dlsym(RTLD_NEXT, "MHD_queue_response");
}

// The library answers by the same function that its users do. When a head is whole and wrong (no Host, a Content-Length that is
// no number, no memory for cookies), 0.9.75 makes the head of its answer, goes on with the request regardless, and makes it again:
// the client gets two, the second as the body of the first. So it is told of before, and answered in its place.
enum MHD_Result MHD_queue_response(struct MHD_Connection *connection, unsigned int status, struct MHD_Response *response) {
  micro_note_queued(connection, status);
  return queue_response ? queue_response(connection, status, response) : MHD_NO;
}
