#define _GNU_SOURCE
#include "CMicroHTTPDHooks.h"

#include <CMicroHTTPD.h>
#include <dlfcn.h>
#include <errno.h>

// Reports the bytes that the library reads as soon as they arrive. The library itself shows a body only after removing the chunk framing.
// 0.9.75 accepts a bare LF as the end of a chunk's line, with or without MHD_OPTION_STRICT_FOR_CLIENT. MHD_OPTION_CLIENT_DISCIPLINE_LVL,
// which refuses that, exists since 1.0. The library reads with recv(), and the executable's recv() takes precedence over that of the C
// library. This recv() behaves the same for all callers. On the parser's thread it also reports the bytes.
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

// The library queues its own responses with the same function as its users. If a complete head is wrong (no Host, a Content-Length that is
// not a number, no memory for cookies), 0.9.75 builds the head of its response, still continues the request, and builds the head again. The
// client gets two heads, the second as the body of the first. So this function reports the response before it is queued, and the callback
// sends another one in its place.
enum MHD_Result MHD_queue_response(struct MHD_Connection *connection, unsigned int status, struct MHD_Response *response) {
  micro_note_queued(connection, status);
  return queue_response ? queue_response(connection, status, response) : MHD_NO;
}
