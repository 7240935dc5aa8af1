#define _GNU_SOURCE
#include "parts.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *context_of(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  return info ? info->socket_context : NULL;
}

// Read each result immediately: libmicrohttpd 1.0 stores a connection's results in one place, so each call overwrites the last result.

static int descriptor_of(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? info->connect_fd : -1;
}

static struct sockaddr *address_of(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
  return info ? info->client_addr : NULL;
}

static void on_connection(void *cls, struct MHD_Connection *connection, void **socket_context,
                          enum MHD_ConnectionNotificationCode code) {
  micro_daemon *self = cls;
  if (code == MHD_CONNECTION_NOTIFY_STARTED) {
    const int fd = descriptor_of(connection);
    *socket_context = self->callbacks.opened(self->callbacks.owner, connection, fd, address_of(connection));
    micro_remember(self, fd, *socket_context);
  } else if (code == MHD_CONNECTION_NOTIFY_CLOSED && *socket_context) {
    micro_remember(self, descriptor_of(connection), NULL);
    self->callbacks.closed(self->callbacks.owner, *socket_context);
    *socket_context = NULL;
  }
}

static void *on_target(void *cls, const char *target, struct MHD_Connection *connection) {
  micro_daemon *self = cls;
  void *context = context_of(connection);
  if (context) self->callbacks.target(self->callbacks.owner, context, target);
  // Cut the query off, because the library would parse it and nobody uses the result. If memory for that runs out, 0.9.75 waits forever.
  // The text lies in a buffer of the library that the library is about to modify itself.
  char *query = strchr(target, '?');
  if (query && query[1]) query[1] = '\0';
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

// Keeps the target encoded. Swift decodes the raw form once. The library's own decoding would cut the target at %00.
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
  unsigned int flags = MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_NO_LISTEN_SOCKET | MHD_USE_ERROR_LOG |
                       (turbo ? MHD_USE_TURBO : 0);
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
  int error = self->daemon ? micro_loop_start(self) : errno ? errno : EINVAL;
  if (!error) return self;
  if (self->daemon) MHD_stop_daemon(self->daemon);
  free(self);
  errno = error;
  return NULL;
}

void micro_stop(micro_daemon *self) {
  micro_loop_stop(self);
  MHD_stop_daemon(self->daemon);
  free(self->contexts);
  free(self);
}

static int is_token(unsigned char c) {
  if ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) return 1;
  return c && strchr("!#$%&'*+-.^_`|~", c) != NULL;
}

// From 1.0 on the library refuses malformed heads: NUL, a bare CR or LF, folded lines, names that are not tokens, more than one space.
// Older versions accept all of them, so the parsed head is compared with the library's buffer.
int micro_checks_heads(void) { return MHD_get_version()[0] != '0'; }

struct head_copy {
  uint8_t *out;
  size_t used, capacity;
  const char *expected;  // required start of the next field name, right after the CRLF of the line before. NULL: no requirement
  long error;
};

static enum MHD_Result copy_header(void *cls, enum MHD_ValueKind kind, const char *name, size_t name_size,
                                   const char *value, size_t value_size) {
  struct head_copy *copy = cls;
  (void)kind;
  copy->error = MICRO_HEAD_MALFORMED;
  // The library parses in place: a line "name: value CR LF" has become "name\0 value\0\0". Folded values have moved elsewhere. If a line
  // ended in a bare CR or LF or held a NUL, the next name is not at the expected place.
  if (!name_size || name_size > 255 || !value || (copy->expected && name != copy->expected)) return MHD_NO;
  for (size_t i = 0; i < name_size; i++)
    if (!is_token((unsigned char)name[i])) return MHD_NO;
  for (size_t i = 0; i < value_size; i++)
    if (((unsigned char)value[i] < 0x20 && value[i] != '\t') || value[i] == 0x7f) return MHD_NO;
  if (copy->expected) {
    if (value <= name + name_size || value > name + name_size + 4096) return MHD_NO;
    for (const char *gap = name + name_size + 1; gap < value; gap++)
      if (*gap != ' ' && *gap != '\t') return MHD_NO;
    if (value[value_size] || value[value_size + 1]) return MHD_NO;
    copy->expected = value + value_size + 2;
  }
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

const char *micro_head_end(struct MHD_Connection *connection, const char *method) {
  const union MHD_ConnectionInfo *head = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
  return head ? method + head->header_size : NULL;
}

long micro_headers(struct MHD_Connection *connection, const char *method, size_t target, const char *version,
                   uint8_t *out, size_t capacity) {
  struct head_copy copy = {out, 0, capacity, NULL, 0};
  if (micro_checks_heads()) {
    MHD_get_connection_values_n(connection, MHD_HEADER_KIND, copy_header, &copy);
    return copy.error ? copy.error : (long)copy.used;
  }
  // The buffer also holds the request line as "method\0target\0version\0\0". A longer line held a NUL or a second space.
  size_t length = strlen(version);
  if (version != method + strlen(method) + 1 + target + 1 || version[length + 1]) return MICRO_HEAD_MALFORMED;
  copy.expected = version + length + 2;
  MHD_get_connection_values_n(connection, MHD_HEADER_KIND, copy_header, &copy);
  if (copy.error) return copy.error;
  // The empty line follows the last field, with its CR LF overwritten, and must end the head. The library also accepts a line that begins
  // with NUL as the empty line, and a bare LF as its end.
  if (copy.expected[0] || copy.expected[1] || copy.expected + 2 != micro_head_end(connection, method))
    return MICRO_HEAD_MALFORMED;
  return (long)copy.used;
}

int micro_is_suspended(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_SUSPENDED);
  return info && info->suspended == MHD_YES;
}

struct owned_body {
  void *bytes, *owner;
  void (*release)(void *owner);
};

static void release_body(void *cls) {
  struct owned_body *body = cls;
  free(body->bytes);
  if (body->owner) body->release(body->owner);
  free(body);
}

struct MHD_Response *micro_response(void *bytes, size_t size, void *owner, void (*release)(void *owner)) {
  struct owned_body *body = calloc(1, sizeof *body);
  if (!body) {
    free(bytes);
    if (owner) release(owner);
    return NULL;
  }
  *body = (struct owned_body){bytes, owner, release};
  struct MHD_Response *response =
      MHD_create_response_from_buffer_with_free_callback_cls(bytes ? size : 0, bytes ? bytes : "", release_body, body);
  if (!response) release_body(body);
  return response;
}

static ssize_t no_body(void *cls, uint64_t position, char *buffer, size_t size) {
  (void)cls, (void)position, (void)buffer, (void)size;
  return MHD_CONTENT_READER_END_WITH_ERROR;
}

struct MHD_Response *micro_sized_response(uint64_t size) {
  return MHD_create_response_from_callback(size, 1024, no_body, NULL, NULL);
}
