#include "origin.h"

#include <errno.h>
#include <openssl/err.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

// Bytes moved, 0 where it would block, -1 where the connection is over.
static ssize_t outcome(struct connection *connection, ssize_t moved) {
    if (moved > 0) return moved;
    if (!connection->tls) return moved < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : -1;
    int error = SSL_get_error(connection->tls, (int)moved);
    return error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE ? 0 : -1;
}

static ssize_t receive(struct connection *connection, void *bytes, size_t count) {
    if (!connection->tls) return outcome(connection, recv(connection->descriptor, bytes, count, 0));
    ERR_clear_error();  // another connection's would be taken for this one's
    return outcome(connection, SSL_read(connection->tls, bytes, (int)count));
}

static ssize_t transmit(struct connection *connection, const void *bytes, size_t count) {
    if (!connection->tls) return outcome(connection, send(connection->descriptor, bytes, count, MSG_NOSIGNAL));
    ERR_clear_error();
    return outcome(connection, SSL_write(connection->tls, bytes, (int)count));
}

// `GET /123.jpg`, whole, begins a transfer.
static bool take_request(struct origin *origin, struct connection *connection) {
    char *end = strstr(connection->request, "\r\n\r\n");
    if (!end || connection->phase != IDLE) return true;
    unsigned item;
    if (sscanf(connection->request, "GET /%u.jpg", &item) != 1 || item > 65535) return false;
    size_t used = end + 4 - connection->request;
    connection->received -= used;
    memmove(connection->request, end + 4, connection->received + 1);
    enqueue(origin, connection, item);
    start_queued(origin);
    return true;
}

bool hear(struct origin *origin, struct connection *connection) {
    for (;;) {
        size_t room = sizeof connection->request - 1 - connection->received;
        if (!room) return false;
        ssize_t count = receive(connection, connection->request + connection->received, room);
        if (count < 0) return false;
        if (count == 0) return true;
        connection->received += count;
        connection->request[connection->received] = 0;
        if (!take_request(origin, connection)) return false;
    }
}

bool send_granted(struct origin *origin, struct connection *connection) {
    while (connection->phase == FLOWING) {
        size_t allowed = connection->header_length + (size_t)(connection->granted + 0.01);
        if (connection->sent >= allowed) return true;
        bool in_header = connection->sent < connection->header_length;
        size_t offset = connection->sent - connection->header_length;
        const void *from = in_header ? (void *)(connection->header + connection->sent) : connection->body + offset;
        ssize_t count = transmit(connection, from, (in_header ? connection->header_length : allowed) - connection->sent);
        if (count < 0) return false;
        if (count == 0) return true;
        connection->sent += count;
        if (connection->sent < connection->length) continue;
        release(origin, connection, true);
        return take_request(origin, connection);
    }
    return true;
}
