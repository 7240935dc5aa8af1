#define _GNU_SOURCE
#include "CMicroHTTPD.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <unistd.h>

int micro_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

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
