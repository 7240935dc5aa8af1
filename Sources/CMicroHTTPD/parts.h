#pragma once
#include "CMicroHTTPD.h"

#include <pthread.h>
#include <stdatomic.h>

// A task for the parser's thread: resume a connection, or add a socket if `resumed` is NULL.
struct task {
  struct task *next;
  struct MHD_Connection *resumed;
  int fd;
  struct sockaddr_storage address;
  socklen_t length;
};

struct micro_daemon {
  micro_callbacks callbacks;
  struct MHD_Daemon *daemon;
  pthread_t thread;
  // The library's own epoll descriptor, and an eventfd that wakes the thread for tasks and for its end.
  int events, bell;
  atomic_bool is_stopping;
  pthread_mutex_t lock;
  struct task *first, **last;
  // Contexts of the connections by descriptor. Only the parser's thread uses them.
  void **contexts;
  int capacity;
};

// Stores the context of a descriptor's connection. NULL removes it.
void micro_remember(micro_daemon *self, int fd, void *context);

// Starts the thread that runs `daemon`. Returns 0 or an error number.
int micro_loop_start(micro_daemon *self);
// Ends the thread. Nothing may be added during or after this call.
void micro_loop_stop(micro_daemon *self);
