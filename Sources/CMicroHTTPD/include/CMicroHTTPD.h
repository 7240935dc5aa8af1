#pragma once
// libmicrohttpd, and the few calls Swift cannot make itself: variadic functions, epoll, accept4, and the reading of
// headers in place. Codes cross this border as plain integers: the library's enums are closed for Swift, and a newer
// library may send values that this header does not know.
#include <microhttpd.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

typedef struct micro_daemon micro_daemon;

typedef struct micro_callbacks {
  void *owner;
  // A connection began; returns its context (retained by the caller until `closed`).
  void *(*opened)(void *owner, struct MHD_Connection *connection, int fd, const struct sockaddr *address);
  // The connection's socket is about to be closed.
  void (*closed)(void *owner, void *context);
  // With hooks: bytes were read from the connection's socket into the library's buffer, and not looked at yet. 0: they are not to be, and the
  // connection ends.
  int (*received)(void *owner, void *context, const void *bytes, size_t count);
  // With hooks: the library is about to answer by itself, with an error. What it sends after this is lost if the socket's sending side is shut.
  void (*failed)(void *owner, void *context, unsigned int status);
  // The request line was read; `target` is as sent, and valid only during the call.
  void (*target)(void *owner, void *context, const char *target);
  // A request's head has come (first call), some of its body (`*size` > 0), or its end. 0 closes the connection.
  int (*access)(void *owner, void *context, struct MHD_Connection *connection, const char *method,
                const char *version, const char *data, size_t *size);
  // The request ended: answered, or its connection broke.
  void (*completed)(void *owner, void *context, unsigned int reason);
  void (*log)(void *owner, const char *message);
  // The library did not take a socket that was added; it is closed.
  void (*refused)(void *owner, const struct sockaddr *address);
} micro_callbacks;

// The name of the one thread that all callbacks come from.
#define MICRO_THREAD "parser"

// Starts that thread, without a listening socket. NULL when it cannot start.
micro_daemon *micro_start(const micro_callbacks *callbacks, unsigned int connection_limit, unsigned int idle_seconds,
                          size_t memory_limit, int turbo);
// Takes over `fd` (closes it when that fails). 1 when taken; the library may still refuse it. From any thread.
int micro_add(micro_daemon *daemon, int fd, const struct sockaddr *address, socklen_t length);
// Suspends a connection, from within its `access`. Returns what to resume it with, once; NULL, and does nothing, elsewhere.
micro_daemon *micro_suspend(struct MHD_Connection *connection);
// From any thread, before `micro_stop`.
void micro_resume(micro_daemon *daemon, struct MHD_Connection *connection);
// Joins the thread and closes every connection. No connection may be suspended, and nobody adding.
void micro_stop(micro_daemon *daemon);

// For hooks on what the library calls, where the executable has them; both do nothing on other threads than a parser's.
// Tells of what was read; 0 where it is not to be taken apart.
int micro_note_received(int fd, const void *bytes, size_t count);
// Tells of an answer that is about to be queued, where it is the library's own.
void micro_note_queued(struct MHD_Connection *connection, unsigned int status);

// Whether the library refuses by itself what is no HTTP in heads.
int micro_checks_heads(void);

// Where a request's head ends in the library's buffer, and what has come of its body begins.
const char *micro_head_end(struct MHD_Connection *connection, const char *method);

enum { MICRO_HEAD_MALFORMED = -1, MICRO_HEAD_TOO_LARGE = -2 };
// Copies the request's headers, of which `target` is as many bytes long as `callbacks.target` was told, to `out` as records: name length (1 byte), value length (2 bytes, low first),
// lower-case name, value. Returns the bytes written or one of the codes above. Where the library does not check heads, looks at the library's buffer around each
// field to refuse what the library lets pass: bare CR or LF line ends, NUL, folded lines, names that are no tokens.
long micro_headers(struct MHD_Connection *connection, const char *method, size_t target, const char *version,
                   uint8_t *out, size_t capacity);

// Whether the connection rests. The library goes on handing over what it has already read of a chunked body, even then.
int micro_is_suspended(struct MHD_Connection *connection);

// A response that owns `bytes` (from malloc, may be NULL when `size` is 0). `owner`, where there is one, is given to `release`
// when the response is gone and nobody is being sent it any more.
struct MHD_Response *micro_response(void *bytes, size_t size, void *owner, void (*release)(void *owner));
// A response to HEAD: a body of `size` bytes is announced and cannot be sent.
struct MHD_Response *micro_sized_response(uint64_t size);
int micro_queue(struct MHD_Connection *connection, unsigned int status, struct MHD_Response *response);

typedef struct micro_ready {
  uint64_t id;
  uint32_t events;
} micro_ready;
enum { MICRO_READABLE = 1, MICRO_WRITABLE = 2, MICRO_HANGUP = 4 };

int micro_epoll(void);
int micro_eventfd(void);
// Watches for input (`level` triggered), or for every change of input, output and hang-up (edge triggered).
int micro_watch(int epoll, int fd, uint64_t id, int level);
// Watches for the other side's end alone, and tells of it once.
int micro_watch_end(int epoll, int fd, uint64_t id);
int micro_unwatch(int epoll, int fd);
int micro_wait(int epoll, micro_ready *ready, int capacity, int timeout_ms);
int micro_accept(int fd, struct sockaddr_storage *address, socklen_t *length);
// TCP_NODELAY, keep-alive, and a bound on what the kernel holds unsent; not an error on other sockets.
void micro_tune(int fd, int unsent_bytes, int user_timeout_ms);
// A copy of the descriptor, closed on exec; -1 when there is none left.
int micro_duplicate(int fd);
// Binds and listens; returns the descriptor or -errno. `port` 0 lets the system pick, `*bound` tells what it picked.
int micro_listen(const char *address, uint16_t port, int backlog, uint16_t *bound);
// Numeric host of an address, without its port. Returns 0 when it has none.
int micro_address_text(const struct sockaddr *address, char *out, size_t capacity);
// Two ends of a TCP connection over loopback: the client's blocks, the server's does not. Where there is no loopback
// network, a pair of local sockets.
int micro_loopback_pair(int pair[2]);

// Compresses bytes to the gzip format. Returns how many bytes were written; 0 where they are more than `capacity`.
size_t micro_gzip(const void *bytes, size_t size, void *out, size_t capacity);
