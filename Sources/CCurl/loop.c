#define _GNU_SOURCE
#include "parts.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

static int64_t now_us(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

static int on_socket(CURL *easy, curl_socket_t fd, int what, void *context, void *known) {
    (void)easy;
    ccurl_loop *loop = context;
    if (what == CURL_POLL_REMOVE) {
        epoll_ctl(loop->epoll, EPOLL_CTL_DEL, fd, NULL);
        return 0;
    }
    struct epoll_event event = {
        .events = ((what & CURL_POLL_IN) ? EPOLLIN : 0) | ((what & CURL_POLL_OUT) ? EPOLLOUT : 0),
        .data.fd = fd,
    };
    // A descriptor number may have been closed and reused without notice to epoll, so each call falls back to the
    // other.
    if (known) {
        if (epoll_ctl(loop->epoll, EPOLL_CTL_MOD, fd, &event) != 0 && errno == ENOENT)
            epoll_ctl(loop->epoll, EPOLL_CTL_ADD, fd, &event);
    } else {
        if (epoll_ctl(loop->epoll, EPOLL_CTL_ADD, fd, &event) != 0 && errno == EEXIST)
            epoll_ctl(loop->epoll, EPOLL_CTL_MOD, fd, &event);
        curl_multi_assign(loop->multi, fd, loop);
    }
    return 0;
}

static int on_timer(CURLM *multi, long timeout_ms, void *context) {
    (void)multi;
    ccurl_loop *loop = context;
    loop->timer_us = timeout_ms < 0 ? -1 : now_us() + (int64_t)timeout_ms * 1000;
    return 0;
}

ccurl_loop *ccurl_loop_create(ccurl_loop_limits limits) {
    ccurl_loop *loop = calloc(1, sizeof *loop);
    if (!loop) return NULL;
    loop->timer_us = -1;
    loop->multi = curl_multi_init();
    loop->epoll = epoll_create1(EPOLL_CLOEXEC);
    loop->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    struct epoll_event event = {.events = EPOLLIN, .data.fd = loop->wake};
    if (!loop->multi || loop->epoll < 0 || loop->wake < 0 ||
        epoll_ctl(loop->epoll, EPOLL_CTL_ADD, loop->wake, &event) != 0) {
        ccurl_loop_destroy(loop);
        return NULL;
    }
    curl_multi_setopt(loop->multi, CURLMOPT_SOCKETFUNCTION, on_socket);
    curl_multi_setopt(loop->multi, CURLMOPT_SOCKETDATA, loop);
    curl_multi_setopt(loop->multi, CURLMOPT_TIMERFUNCTION, on_timer);
    curl_multi_setopt(loop->multi, CURLMOPT_TIMERDATA, loop);
    curl_multi_setopt(loop->multi, CURLMOPT_PIPELINING, (long)CURLPIPE_MULTIPLEX);
    curl_multi_setopt(loop->multi, CURLMOPT_MAXCONNECTS, limits.idle_connections);
    curl_multi_setopt(loop->multi, CURLMOPT_MAX_HOST_CONNECTIONS, limits.connections_per_host);
    curl_multi_setopt(loop->multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, limits.connections);
    return loop;
}

void ccurl_loop_destroy(ccurl_loop *loop) {
    if (loop->multi) curl_multi_cleanup(loop->multi);
    if (loop->epoll >= 0) close(loop->epoll);
    if (loop->wake >= 0) close(loop->wake);
    free(loop);
}

void ccurl_loop_wake(ccurl_loop *loop) {
    uint64_t one = 1;
    ssize_t ignored = write(loop->wake, &one, sizeof one);
    (void)ignored;  // fails only if the counter is full, and then the loop wakes anyway
}

void ccurl_loop_turn(ccurl_loop *loop, int64_t wait_us) {
    if (loop->timer_us >= 0) {
        int64_t left = loop->timer_us - now_us();
        if (left < 0) left = 0;
        if (wait_us < 0 || left < wait_us) wait_us = left;
    }
    int64_t wait_ms = wait_us < 0 ? -1 : (wait_us + 999) / 1000;
    if (wait_ms > 3600000) wait_ms = 3600000;

    struct epoll_event events[64];
    int running;
    int count = epoll_wait(loop->epoll, events, 64, (int)wait_ms);
    for (int i = 0; i < count; i++) {
        if (events[i].data.fd == loop->wake) {
            uint64_t value;
            ssize_t ignored = read(loop->wake, &value, sizeof value);
            (void)ignored;
            continue;
        }
        uint32_t e = events[i].events;
        int bits = ((e & (EPOLLIN | EPOLLHUP)) ? CURL_CSELECT_IN : 0) | ((e & EPOLLOUT) ? CURL_CSELECT_OUT : 0) |
                   ((e & EPOLLERR) ? CURL_CSELECT_ERR : 0);
        curl_multi_socket_action(loop->multi, events[i].data.fd, bits, &running);
    }
    if (loop->timer_us >= 0 && loop->timer_us <= now_us()) {
        loop->timer_us = -1;
        curl_multi_socket_action(loop->multi, CURL_SOCKET_TIMEOUT, 0, &running);
    }
}

void *ccurl_loop_next_done(ccurl_loop *loop, int *result) {
    int left;
    CURLMsg *message;
    while ((message = curl_multi_info_read(loop->multi, &left))) {
        if (message->msg != CURLMSG_DONE) continue;
        ccurl_transfer *transfer = NULL;
        *result = message->data.result;
        curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, (char **)&transfer);
        if (transfer) return transfer->context;
    }
    return NULL;
}

long ccurl_loop_open_sockets(const ccurl_loop *loop) { return loop->open_sockets; }
