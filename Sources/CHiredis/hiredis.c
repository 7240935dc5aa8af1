#define _GNU_SOURCE
#include "CHiredis.h"

#include <hiredis/async.h>
#include <hiredis/hiredis.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

struct chiredis_loop {
    int epoll;
    int wake;
};

struct chiredis_connection {
    chiredis_loop *loop;
    redisAsyncContext *hiredis;  // NULL once hiredis has freed it
    int fd;
    uint32_t events;
    bool has_output;  // waits for chiredis_flush
    void *context;
    chiredis_callbacks callbacks;
};

// The loop

chiredis_loop *chiredis_loop_create(void) {
    chiredis_loop *loop = calloc(1, sizeof *loop);
    if (!loop) return NULL;
    loop->epoll = epoll_create1(EPOLL_CLOEXEC);
    loop->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = NULL};
    if (loop->epoll < 0 || loop->wake < 0 || epoll_ctl(loop->epoll, EPOLL_CTL_ADD, loop->wake, &event) != 0) {
        chiredis_loop_destroy(loop);
        return NULL;
    }
    return loop;
}

void chiredis_loop_destroy(chiredis_loop *loop) {
    if (loop->epoll >= 0) close(loop->epoll);
    if (loop->wake >= 0) close(loop->wake);
    free(loop);
}

void chiredis_loop_wake(chiredis_loop *loop) {
    uint64_t one = 1;
    ssize_t ignored = write(loop->wake, &one, sizeof one);
    (void)ignored;  // fails only when the counter is full, and then the loop wakes anyway
}

void chiredis_loop_turn(chiredis_loop *loop, int64_t wait_us) {
    int64_t wait_ms = wait_us < 0 ? -1 : (wait_us + 999) / 1000;
    if (wait_ms > 3600000) wait_ms = 3600000;
    struct epoll_event events[16];
    int count = epoll_wait(loop->epoll, events, 16, (int)wait_ms);
    for (int i = 0; i < count; i++) {
        chiredis_connection *connection = events[i].data.ptr;
        if (!connection) {
            uint64_t value;
            ssize_t ignored = read(loop->wake, &value, sizeof value);
            (void)ignored;
            continue;
        }
        uint32_t broken = events[i].events & (EPOLLERR | EPOLLHUP);
        // Each may end with hiredis freeing its part of the connection.
        if (connection->hiredis && (broken || (events[i].events & EPOLLIN))) redisAsyncHandleRead(connection->hiredis);
        if (connection->hiredis && (broken || (events[i].events & EPOLLOUT))) redisAsyncHandleWrite(connection->hiredis);
    }
}

void chiredis_block_broken_pipes(void) {
    sigset_t pipes;
    sigemptyset(&pipes);
    sigaddset(&pipes, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipes, NULL);
}

// What hiredis wants watched

static void watch(chiredis_connection *connection, uint32_t events) {
    if (events == connection->events) return;
    struct epoll_event event = {.events = events, .data.ptr = connection};
    int operation = !connection->events ? EPOLL_CTL_ADD : events ? EPOLL_CTL_MOD : EPOLL_CTL_DEL;
    epoll_ctl(connection->loop->epoll, operation, connection->fd, &event);
    connection->events = events;
}

static void add_read(void *data) { watch(data, ((chiredis_connection *)data)->events | EPOLLIN); }
static void delete_read(void *data) { watch(data, ((chiredis_connection *)data)->events & ~(uint32_t)EPOLLIN); }

// Output is written when the caller has no more of it, all at once; a socket that is not connected, or full, tells when.
static void add_write(void *data) {
    chiredis_connection *connection = data;
    connection->has_output = true;
    if (!(connection->hiredis->c.flags & REDIS_CONNECTED)) watch(connection, connection->events | EPOLLOUT);
}

static void delete_write(void *data) {
    chiredis_connection *connection = data;
    connection->has_output = false;
    watch(connection, connection->events & ~(uint32_t)EPOLLOUT);
}

// Reports the connection as lost. hiredis calls it last, before it frees its context, for every end of a connection.
static void cleanup(void *data) {
    chiredis_connection *connection = data;
    watch(connection, 0);
    connection->hiredis = NULL;
    connection->callbacks.lost(connection->context);
}

static void on_connect(const redisAsyncContext *hiredis, int status) {
    chiredis_connection *connection = hiredis->data;
    connection->callbacks.connected(connection->context, status == REDIS_OK);
}

static void on_reply(redisAsyncContext *hiredis, void *reply, void *tag) {
    chiredis_connection *connection = hiredis->data;
    connection->callbacks.reply(connection->context, (uint64_t)(uintptr_t)tag, reply);
}

// Connections

chiredis_connection *chiredis_connect(
    chiredis_loop *loop, const char *address, int port, void *context, chiredis_callbacks callbacks) {
    redisAsyncContext *hiredis = redisAsyncConnect(address, port);
    if (!hiredis) return NULL;
    chiredis_connection *connection = hiredis->err ? NULL : calloc(1, sizeof *connection);
    if (!connection) {
        redisAsyncFree(hiredis);
        return NULL;
    }
    connection->loop = loop;
    connection->hiredis = hiredis;
    connection->fd = hiredis->c.fd;
    connection->context = context;
    connection->callbacks = callbacks;
    hiredis->data = connection;
    hiredis->ev.data = connection;
    hiredis->ev.addRead = add_read;
    hiredis->ev.delRead = delete_read;
    hiredis->ev.addWrite = add_write;
    hiredis->ev.delWrite = delete_write;
    hiredis->ev.cleanup = cleanup;
    redisEnableKeepAlive(&hiredis->c);
    redisAsyncSetConnectCallback(hiredis, on_connect);
    return connection;
}

bool chiredis_sentinel(
    const char *address, int port, const char *user, const char *password, const char *name, int wait_ms, char *found,
    size_t room, int *found_port) {
    struct timeval wait = {.tv_sec = wait_ms / 1000, .tv_usec = wait_ms % 1000 * 1000};
    redisContext *hiredis = redisConnectWithTimeout(address, port, wait);
    bool is_found = false;
    if (hiredis && !hiredis->err && redisSetTimeout(hiredis, wait) == REDIS_OK) {
        // One that needs no password refuses it, and answers all the same.
        const char *greeting[] = {"AUTH", user ? user : password, password};
        if (password) {
            redisReply *ignored = redisCommandArgv(hiredis, user ? 3 : 2, greeting, NULL);
            if (ignored) freeReplyObject(ignored);
        }
        const char *words[] = {"SENTINEL", "get-master-addr-by-name", name};
        redisReply *reply = redisCommandArgv(hiredis, 3, words, NULL);
        if (reply && reply->type == REDIS_REPLY_ARRAY && reply->elements == 2 &&
            reply->element[0]->type == REDIS_REPLY_STRING && reply->element[1]->type == REDIS_REPLY_STRING &&
            (size_t)reply->element[0]->len < room) {
            memcpy(found, reply->element[0]->str, (size_t)reply->element[0]->len + 1);
            *found_port = atoi(reply->element[1]->str);
            is_found = *found_port > 0 && *found_port < 65536;
        }
        if (reply) freeReplyObject(reply);
    }
    if (hiredis) redisFree(hiredis);
    return is_found;
}

void chiredis_close(chiredis_connection *connection) {
    if (connection->hiredis) redisAsyncFree(connection->hiredis);
    free(connection);
}

bool chiredis_send(
    chiredis_connection *connection, int count, const char *bytes, const size_t *lengths, uint64_t tag) {
    if (!connection->hiredis || count <= 0) return false;
    const char **words = malloc(sizeof *words * (size_t)count);
    if (!words) return false;
    for (int i = 0; i < count; i++) {
        words[i] = bytes;
        bytes += lengths[i];
    }
    int code =
        redisAsyncCommandArgv(connection->hiredis, on_reply, (void *)(uintptr_t)tag, count, words, lengths);
    free(words);
    return code == REDIS_OK;
}

void chiredis_flush(chiredis_connection *connection) {
    if (!connection->hiredis || !connection->has_output || connection->events & EPOLLOUT) return;
    redisAsyncHandleWrite(connection->hiredis);
    if (connection->hiredis && connection->has_output) watch(connection, connection->events | EPOLLOUT);
}

// Replies

chiredis_kind chiredis_reply_kind(const void *reply) {
    switch (((const redisReply *)reply)->type) {
    case REDIS_REPLY_INTEGER: return CHIREDIS_INTEGER;
    case REDIS_REPLY_STATUS:
    case REDIS_REPLY_STRING: return CHIREDIS_BYTES;
    case REDIS_REPLY_ERROR: return CHIREDIS_ERROR;
    case REDIS_REPLY_ARRAY: return CHIREDIS_ARRAY;
    default: return CHIREDIS_NIL;
    }
}

int64_t chiredis_reply_integer(const void *reply) { return ((const redisReply *)reply)->integer; }

const char *chiredis_reply_bytes(const void *reply, size_t *count) {
    *count = (size_t)((const redisReply *)reply)->len;
    return ((const redisReply *)reply)->str;
}

size_t chiredis_reply_count(const void *reply) { return ((const redisReply *)reply)->elements; }

const void *chiredis_reply_element(const void *reply, size_t index) {
    return ((const redisReply *)reply)->element[index];
}
