#pragma once
// libmicrohttpd, and the functions that Swift cannot call or do itself: variadic functions, eventfd, accept4, reading headers in place.
// Codes are passed as plain integers, because the library's enums are closed for Swift and a newer library may send values that this header
// does not know.
#include <microhttpd.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

typedef struct micro_daemon micro_daemon;

typedef struct micro_callbacks {
  void *owner;
  // A connection began. Returns its context, retained by the caller until `closed`.
  void *(*opened)(void *owner, struct MHD_Connection *connection, int fd, const struct sockaddr *address);
  // The connection's socket is about to be closed.
  void (*closed)(void *owner, void *context);
  // With hooks: the library has read bytes from the connection's socket into its buffer, but not parsed them. Returns 0 to discard the
  // bytes and end the connection.
  int (*received)(void *owner, void *context, const void *bytes, size_t count);
  // With hooks: the library is about to send an error response of its own. This response is lost if the sending side of the socket is shut
  // during the call.
  void (*failed)(void *owner, void *context, unsigned int status);
  // The request line was read. `target` is as sent, and valid only during the call.
  void (*target)(void *owner, void *context, const char *target);
  // A request's head has arrived (first call), or a part of its body (`*size` > 0), or the end of its body. Returns 0 to close the
  // connection.
  int (*access)(void *owner, void *context, struct MHD_Connection *connection, const char *method,
                const char *version, const char *data, size_t *size);
  // The request ended with a response, or with a broken connection.
  void (*completed)(void *owner, void *context, unsigned int reason);
  void (*log)(void *owner, const char *message);
  // The library refused a socket that was added, and has closed the socket.
  void (*refused)(void *owner, const struct sockaddr *address);
} micro_callbacks;

// Name of the thread that makes all callbacks.
#define MICRO_THREAD "parser"

// Starts the thread, without a listening socket. Returns NULL if it cannot start.
micro_daemon *micro_start(const micro_callbacks *callbacks, unsigned int connection_limit, unsigned int idle_seconds,
                          size_t memory_limit, int turbo);
// Passes `fd` to the thread, or closes it on failure. Returns 1 if passed, but the library may still refuse the socket. May be called from
// any thread.
int micro_add(micro_daemon *daemon, int fd, const struct sockaddr *address, socklen_t length);
// Suspends a connection, from within its `access`. Returns the daemon for a single `micro_resume`. Elsewhere it does nothing and returns
// NULL.
micro_daemon *micro_suspend(struct MHD_Connection *connection);
// Resumes a suspended connection. May be called from any thread, before `micro_stop`.
void micro_resume(micro_daemon *daemon, struct MHD_Connection *connection);
// Joins the thread and closes all connections. No connection may be suspended, and no other thread may add a socket.
void micro_stop(micro_daemon *daemon);

// Two functions for hooks on the library's calls. On threads other than a parser's they do nothing.
// Reports bytes that the library has read. Returns 0 if the library must not parse them.
int micro_note_received(int fd, const void *bytes, size_t count);
// Reports a response that is about to be queued, if it is the library's own.
void micro_note_queued(struct MHD_Connection *connection, unsigned int status);

// Whether the library itself refuses malformed heads.
int micro_checks_heads(void);

// End of a request's head in the library's buffer. The received part of the body begins here.
const char *micro_head_end(struct MHD_Connection *connection, const char *method);

enum { MICRO_HEAD_MALFORMED = -1, MICRO_HEAD_TOO_LARGE = -2 };
// Copies the request's headers to `out` as records: name length (1 byte), value length (2 bytes, low byte first), lower-case name, value.
// `target` is the length of the target passed to `callbacks.target`. Returns the number of bytes written, or one of the codes above. If the
// library does not check heads, this function checks the library's buffer around each field. It refuses bare CR or LF line ends, NUL,
// folded lines, and names that are not tokens.
long micro_headers(struct MHD_Connection *connection, const char *method, size_t target, const char *version,
                   uint8_t *out, size_t capacity);

// Whether the connection is suspended. Even then, the library passes on the part of a chunked body that it has already read.
int micro_is_suspended(struct MHD_Connection *connection);

// Creates a response that owns `bytes` (from malloc, may be NULL if `size` is 0). Calls `release` with `owner`, unless that is NULL, once
// the response is released and no connection is still sending it.
struct MHD_Response *micro_response(void *bytes, size_t size, void *owner, void (*release)(void *owner));
// Creates a response to HEAD, which declares a body of `size` bytes and cannot send it.
struct MHD_Response *micro_sized_response(uint64_t size);
int micro_queue(struct MHD_Connection *connection, unsigned int status, struct MHD_Response *response);

// A descriptor that is kept for later use, or -1 if none is left.
int micro_eventfd(void);
int micro_accept(int fd, struct sockaddr_storage *address, socklen_t *length);
// Sets TCP_NODELAY, keep-alive, a limit of the unsent bytes in the kernel, and the user timeout. Ignores errors on other kinds of sockets.
void micro_tune(int fd, int unsent_bytes, int user_timeout_ms);
// Returns a copy of the descriptor, closed on exec, or -1 if no descriptor is left.
int micro_duplicate(int fd);
// Binds and listens. Returns the descriptor or -errno. If `port` is 0 the system chooses a port. `*bound` is the bound port.
int micro_listen(const char *address, uint16_t port, int backlog, uint16_t *bound);
// Writes the numeric host of an address, without its port. Returns 0 if the address has none.
int micro_address_text(const struct sockaddr *address, char *out, size_t capacity);
// Creates both ends of a TCP connection over loopback, or a pair of local sockets without a loopback network. The client's end blocks, the
// server's end does not.
int micro_loopback_pair(int pair[2]);

// Compresses bytes to the gzip format. Returns the number of bytes written, or 0 if they do not fit into `capacity`.
size_t micro_gzip(const void *bytes, size_t size, void *out, size_t capacity);
