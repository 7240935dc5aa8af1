#pragma once
#include "CMicroHTTPD.h"

#include <pthread.h>
#include <stdatomic.h>

// A task for the parser's thread: resume a connection, or, where there is none, add a socket.
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
  // The library's own epoll descriptor, and what wakes the thread for tasks and for its end.
  int events, bell;
  atomic_bool is_stopping;
  pthread_mutex_t lock;
  struct task *first, **last;
  // The connections' contexts by descriptor, for the parser's thread alone.
  void **contexts;
  int capacity;
};

// The context of the connection of a descriptor; NULL forgets it.
void micro_remember(micro_daemon *self, int fd, void *context);

// Starts the thread that runs `daemon`; 0, or an error's number.
int micro_loop_start(micro_daemon *self);
// Ends it; nothing is added any more.
void micro_loop_stop(micro_daemon *self);
