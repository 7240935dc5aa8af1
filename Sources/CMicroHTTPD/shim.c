#define _GNU_SOURCE
#include "CMicroHTTPD.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

struct micro_daemon {
  micro_callbacks callbacks;
  struct MHD_Daemon *daemon;
};

static void *context_of(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  return info ? info->socket_context : NULL;
}

static void on_connection(void *cls, struct MHD_Connection *connection, void **socket_context,
                          enum MHD_ConnectionNotificationCode code) {
  micro_daemon *self = cls;
  if (code == MHD_CONNECTION_NOTIFY_STARTED) {
    const union MHD_ConnectionInfo *fd = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    const union MHD_ConnectionInfo *address = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    *socket_context = self->callbacks.opened(self->callbacks.owner, connection, fd ? fd->connect_fd : -1,
                                             address ? address->client_addr : NULL);
  } else if (code == MHD_CONNECTION_NOTIFY_CLOSED && *socket_context) {
    self->callbacks.closed(self->callbacks.owner, *socket_context);
    *socket_context = NULL;
  }
}

static void *on_target(void *cls, const char *target, struct MHD_Connection *connection) {
  micro_daemon *self = cls;
  void *context = context_of(connection);
  if (context) self->callbacks.target(self->callbacks.owner, context, target);
  return context;
}

static enum MHD_Result on_access(void *cls, struct MHD_Connection *connection, const char *url, const char *method,
                                 const char *version, const char *data, size_t *size, void **request_context) {
  micro_daemon *self = cls;
  (void)url;
  void *context = context_of(connection);
  if (!context) return MHD_NO;
  *request_context = context;
  return self->callbacks.access(self->callbacks.owner, context, connection, method, version, data, size) ? MHD_YES
                                                                                                         : MHD_NO;
}

static void on_completed(void *cls, struct MHD_Connection *connection, void **request_context,
                         enum MHD_RequestTerminationCode reason) {
  micro_daemon *self = cls;
  (void)request_context;
  void *context = context_of(connection);
  if (context) self->callbacks.completed(self->callbacks.owner, context, (unsigned int)reason);
}

static void on_log(void *cls, const char *format, va_list arguments) {
  micro_daemon *self = cls;
  char text[512];
  vsnprintf(text, sizeof text, format, arguments);
  self->callbacks.log(self->callbacks.owner, text);
}

// The target is decoded once, in Swift, from the raw form: the library's own decoding would cut it at %00.
static size_t keep_escapes(void *cls, struct MHD_Connection *connection, char *text) {
  (void)cls;
  (void)connection;
  return strlen(text);
}

micro_daemon *micro_start(const micro_callbacks *callbacks, unsigned int connection_limit, unsigned int idle_seconds,
                          size_t memory_limit, int turbo) {
  micro_daemon *self = calloc(1, sizeof *self);
  if (!self) return NULL;
  self->callbacks = *callbacks;
  unsigned int flags = MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME |
                       MHD_USE_NO_LISTEN_SOCKET | MHD_USE_ERROR_LOG | (turbo ? MHD_USE_TURBO : 0);
  self->daemon = MHD_start_daemon(
      flags, 0, NULL, NULL, on_access, self,
      MHD_OPTION_EXTERNAL_LOGGER, on_log, self,
      MHD_OPTION_CONNECTION_LIMIT, connection_limit,
      MHD_OPTION_CONNECTION_TIMEOUT, idle_seconds,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, memory_limit,
      MHD_OPTION_STRICT_FOR_CLIENT, (int)1,
      MHD_OPTION_NOTIFY_COMPLETED, on_completed, self,
      MHD_OPTION_NOTIFY_CONNECTION, on_connection, self,
      MHD_OPTION_URI_LOG_CALLBACK, on_target, self,
      MHD_OPTION_UNESCAPE_CALLBACK, keep_escapes, NULL,
      MHD_OPTION_END);
  if (!self->daemon) {
    free(self);
    return NULL;
  }
  return self;
}

int micro_add(micro_daemon *self, int fd, const struct sockaddr *address, socklen_t length) {
  return MHD_add_connection(self->daemon, fd, address, length) == MHD_YES;
}

void micro_stop(micro_daemon *self) {
  MHD_stop_daemon(self->daemon);
  free(self);
}

static int is_token(unsigned char c) {
  if ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) return 1;
  return c && strchr("!#$%&'*+-.^_`|~", c) != NULL;
}

struct head_copy {
  uint8_t *out;
  size_t used, capacity;
  const char *expected;  // where the next field name must begin: right after the CRLF of the line before
  long error;
};

static enum MHD_Result copy_header(void *cls, enum MHD_ValueKind kind, const char *name, size_t name_size,
                                   const char *value, size_t value_size) {
  struct head_copy *copy = cls;
  (void)kind;
  copy->error = MICRO_HEAD_MALFORMED;
  // The library parses in place: a line "name: value CR LF" has become "name\0 value\0\0". A folded value was moved
  // elsewhere; a line that ended in a bare CR or LF, or that held a NUL, leaves something else where a name should be.
  if (!name_size || name_size > 255 || !value || name != copy->expected) return MHD_NO;
  for (size_t i = 0; i < name_size; i++)
    if (!is_token((unsigned char)name[i])) return MHD_NO;
  if (value <= name + name_size || value > name + name_size + 4096) return MHD_NO;
  for (const char *gap = name + name_size + 1; gap < value; gap++)
    if (*gap != ' ' && *gap != '\t') return MHD_NO;
  for (size_t i = 0; i < value_size; i++)
    if (((unsigned char)value[i] < 0x20 && value[i] != '\t') || value[i] == 0x7f) return MHD_NO;
  if (value[value_size] || value[value_size + 1]) return MHD_NO;
  copy->expected = value + value_size + 2;
  while (value_size && (value[value_size - 1] == ' ' || value[value_size - 1] == '\t')) value_size--;
  if (value_size > 65535 || copy->used + 3 + name_size + value_size > copy->capacity) {
    copy->error = MICRO_HEAD_TOO_LARGE;
    return MHD_NO;
  }
  uint8_t *out = copy->out + copy->used;
  *out++ = (uint8_t)name_size;
  *out++ = (uint8_t)value_size;
  *out++ = (uint8_t)(value_size >> 8);
  for (size_t i = 0; i < name_size; i++) *out++ = name[i] >= 'A' && name[i] <= 'Z' ? name[i] | 0x20 : name[i];
  memcpy(out, value, value_size);
  copy->used += 3 + name_size + value_size;
  copy->error = 0;
  return MHD_YES;
}

long micro_headers(struct MHD_Connection *connection, const char *version, uint8_t *out, size_t capacity) {
  size_t length = strlen(version);
  if (version[length + 1]) return MICRO_HEAD_MALFORMED;
  struct head_copy copy = {out, 0, capacity, version + length + 2, 0};
  MHD_get_connection_values_n(connection, MHD_HEADER_KIND, copy_header, &copy);
  if (copy.error) return copy.error;
  // After the last field comes the empty line, its CR LF overwritten, too.
  if (copy.expected[0] || copy.expected[1]) return MICRO_HEAD_MALFORMED;
  return (long)copy.used;
}

int micro_is_suspended(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_SUSPENDED);
  return info && info->suspended == MHD_YES;
}

struct MHD_Response *micro_response(void *bytes, size_t size) {
  if (!bytes || !size) {
    free(bytes);
    return MHD_create_response_from_buffer(0, "", MHD_RESPMEM_PERSISTENT);
  }
  struct MHD_Response *response = MHD_create_response_from_buffer_with_free_callback(size, bytes, free);
  if (!response) free(bytes);
  return response;
}

struct MHD_Response *micro_file_response(int fd, uint64_t size) {
  struct MHD_Response *response = MHD_create_response_from_fd64(size, fd);
  if (!response) close(fd);
  return response;
}

int micro_queue(struct MHD_Connection *connection, unsigned int status, struct MHD_Response *response) {
  return MHD_queue_response(connection, status, response) == MHD_YES;
}

int micro_epoll(void) { return epoll_create1(EPOLL_CLOEXEC); }

int micro_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

int micro_watch(int epoll, int fd, uint64_t id, int level) {
  struct epoll_event event = {.events = level ? EPOLLIN : EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET, .data.u64 = id};
  return epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) == 0;
}

int micro_unwatch(int epoll, int fd) {
  struct epoll_event unused = {0};
  return epoll_ctl(epoll, EPOLL_CTL_DEL, fd, &unused) == 0;
}

int micro_wait(int epoll, micro_ready *ready, int capacity, int timeout_ms) {
  struct epoll_event events[256];
  int count = epoll_wait(epoll, events, capacity < 256 ? capacity : 256, timeout_ms);
  for (int i = 0; i < count; i++) {
    uint32_t set = events[i].events;
    ready[i].id = events[i].data.u64;
    ready[i].events = (set & EPOLLIN ? MICRO_READABLE : 0) | (set & EPOLLOUT ? MICRO_WRITABLE : 0) |
                      (set & (EPOLLRDHUP | EPOLLHUP | EPOLLERR) ? MICRO_HANGUP : 0);
  }
  return count;
}

int micro_accept(int fd, struct sockaddr_storage *address, socklen_t *length) {
  *length = sizeof *address;
  return accept4(fd, (struct sockaddr *)address, length, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

void micro_tune(int fd, int unsent_bytes, int user_timeout_ms) {
  int on = 1;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  setsockopt(fd, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &unsent_bytes, sizeof unsent_bytes);
  setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &user_timeout_ms, sizeof user_timeout_ms);
  setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
}

int micro_duplicate(int fd) { return fcntl(fd, F_DUPFD_CLOEXEC, 3); }

int micro_listen(const char *address, uint16_t port, int backlog, uint16_t *bound) {
  char service[8];
  snprintf(service, sizeof service, "%u", port);
  struct addrinfo hints = {.ai_flags = AI_PASSIVE | AI_NUMERICSERV, .ai_socktype = SOCK_STREAM}, *found = NULL;
  if (getaddrinfo(address, service, &hints, &found)) return -EADDRNOTAVAIL;
  int result = -EADDRNOTAVAIL;
  for (struct addrinfo *one = found; one; one = one->ai_next) {
    int fd = socket(one->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) {
      result = -errno;
      continue;
    }
    int on = 1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (one->ai_family == AF_INET6) {
      int off = 0;
      setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
    }
    struct sockaddr_storage name;
    socklen_t length = sizeof name;
    if (bind(fd, one->ai_addr, one->ai_addrlen) || listen(fd, backlog) ||
        getsockname(fd, (struct sockaddr *)&name, &length)) {
      result = -errno;
      close(fd);
      continue;
    }
    *bound = ntohs(name.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)&name)->sin6_port
                                              : ((struct sockaddr_in *)&name)->sin_port);
    result = fd;
    break;
  }
  freeaddrinfo(found);
  return result;
}

int micro_address_text(const struct sockaddr *address, char *out, size_t capacity) {
  socklen_t size = (socklen_t)capacity;
  if (address->sa_family == AF_INET)
    return inet_ntop(AF_INET, &((const struct sockaddr_in *)address)->sin_addr, out, size) != NULL;
  if (address->sa_family != AF_INET6) return 0;
  const struct in6_addr *six = &((const struct sockaddr_in6 *)address)->sin6_addr;
  if (IN6_IS_ADDR_V4MAPPED(six)) return inet_ntop(AF_INET, six->s6_addr + 12, out, size) != NULL;
  return inet_ntop(AF_INET6, six, out, size) != NULL;
}

int micro_loopback_pair(int pair[2]) {
  struct sockaddr_in name = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof name;
  int door = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  pair[0] = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  pair[1] = -1;
  if (door >= 0 && pair[0] >= 0 && !bind(door, (struct sockaddr *)&name, length) && !listen(door, 1) &&
      !getsockname(door, (struct sockaddr *)&name, &length) && !connect(pair[0], (struct sockaddr *)&name, length))
    pair[1] = accept4(door, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (door >= 0) close(door);
  if (pair[1] >= 0) return 1;
  if (pair[0] >= 0) close(pair[0]);
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair)) return 0;
  fcntl(pair[1], F_SETFL, O_NONBLOCK);
  return 1;
}
