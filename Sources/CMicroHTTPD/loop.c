#define _GNU_SOURCE
#include "parts.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

// The parser's thread. The thread polls here instead of in the library. The library's own wait (0.9.75) fetches 128 events at a time. After
// exactly 128 events, it waits for more before it handles any. So 128 simultaneous requests would wait for the next one or for a timeout.
// Sockets are added and connections resumed only on this thread. On another thread, adding would let two threads use the library's data,
// and poll() would miss a connection resumed during the wait.

static _Thread_local micro_daemon *current;

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

static void *micro_remembered(micro_daemon *self, int fd) {
  return fd >= 0 && fd < self->capacity ? self->contexts[fd] : NULL;
}

int micro_note_received(int fd, const void *bytes, size_t count) {
  void *context = current ? micro_remembered(current, fd) : NULL;
  return !context || current->callbacks.received(current->callbacks.owner, context, bytes, count);
}

static _Thread_local int is_queueing;

void micro_note_queued(struct MHD_Connection *connection, unsigned int status) {
  if (!current || is_queueing) return;
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  if (info && info->socket_context)
    current->callbacks.failed(current->callbacks.owner, info->socket_context, status);
}

int micro_queue(struct MHD_Connection *connection, unsigned int status, struct MHD_Response *response) {
  is_queueing = 1;
  const int is_queued = MHD_queue_response(connection, status, response) == MHD_YES;
  is_queueing = 0;
  return is_queued;
}

static void ring(micro_daemon *self) { eventfd_write(self->bell, 1); }

static void push(micro_daemon *self, struct task *one) {
  pthread_mutex_lock(&self->lock);
  int was_empty = self->first == NULL;
  *self->last = one;
  self->last = &one->next;
  pthread_mutex_unlock(&self->lock);
  if (was_empty) ring(self);
}

int micro_add(micro_daemon *self, int fd, const struct sockaddr *address, socklen_t length) {
  struct task *one = calloc(1, sizeof *one);
  if (!one || length > sizeof one->address) {
    free(one);
    close(fd);
    return 0;
  }
  one->fd = fd;
  one->length = length;
  memcpy(&one->address, address, length);
  push(self, one);
  return 1;
}

micro_daemon *micro_suspend(struct MHD_Connection *connection) {
  if (current) MHD_suspend_connection(connection);
  return current;
}

void micro_resume(micro_daemon *self, struct MHD_Connection *connection) {
  struct task *one = calloc(1, sizeof *one);
  if (one) {
    one->resumed = connection;
    push(self, one);
  } else {
    MHD_resume_connection(connection);
    ring(self);
  }
}

static void work(micro_daemon *self) {
  pthread_mutex_lock(&self->lock);
  struct task *next = self->first;
  self->first = NULL;
  self->last = &self->first;
  pthread_mutex_unlock(&self->lock);
  for (struct task *one = next; one; one = next) {
    next = one->next;
    const struct sockaddr *address = (const struct sockaddr *)&one->address;
    if (one->resumed)
      MHD_resume_connection(one->resumed);
    else if (MHD_add_connection(self->daemon, one->fd, address, one->length) != MHD_YES)
      // The library has closed the socket that it refused.
      self->callbacks.refused(self->callbacks.owner, address);
    free(one);
  }
}

// Milliseconds until the next timeout, -1 if there is none, 0 if the library still has work.
static int time_left(micro_daemon *self) {
  MHD_UNSIGNED_LONG_LONG left = 0;
  if (MHD_get_timeout(self->daemon, &left) != MHD_YES) return -1;
  return left < INT_MAX ? (int)left : INT_MAX;
}

static void *run(void *argument) {
  micro_daemon *self = argument;
  current = self;
  while (!self->is_stopping) {
    struct pollfd wakers[] = {{.fd = self->events, .events = POLLIN}, {.fd = self->bell, .events = POLLIN}};
    int left = time_left(self);
    // If poll() fails, the loop only does an unnecessary round.
    if (left) poll(wakers, 2, left);
    if (wakers[1].revents) {
      eventfd_t count;
      eventfd_read(self->bell, &count);
    }
    work(self);
    MHD_run(self->daemon);
  }
  return NULL;
}

int micro_loop_start(micro_daemon *self) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(self->daemon, MHD_DAEMON_INFO_EPOLL_FD);
  self->events = info ? info->epoll_fd : -1;
  self->bell = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  self->last = &self->first;
  if (self->events < 0 || self->bell < 0) {
    if (self->bell >= 0) close(self->bell);
    return ENOSYS;
  }
  pthread_mutex_init(&self->lock, NULL);
  int error = pthread_create(&self->thread, NULL, run, self);
  if (error) {
    close(self->bell);
    return error;
  }
  pthread_setname_np(self->thread, MICRO_THREAD);
  return 0;
}

void micro_loop_stop(micro_daemon *self) {
  self->is_stopping = 1;
  ring(self);
  pthread_join(self->thread, NULL);
  work(self);
  MHD_run(self->daemon);
  close(self->bell);
  pthread_mutex_destroy(&self->lock);
}
