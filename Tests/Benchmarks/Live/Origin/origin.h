#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <openssl/ssl.h>

enum phase { IDLE, QUEUED, WAITING, FLOWING };

// One connection and the request on it, if there is one: HTTP/1.1, one at a time.
struct connection {
    int descriptor;
    unsigned number;
    SSL *tls;
    char request[8192];
    size_t received;
    unsigned requests;

    enum phase phase;
    unsigned item;
    double weight;
    double asked, started, due, first;  // ms of the monotonic clock; `due`: when its first byte may go
    unsigned char *body;
    char header[256];
    size_t header_length, length;
    double granted;  // bytes of the body that the bandwidth has let through
    size_t sent;     // of header and body
    struct connection *next_queued;
};

struct origin {
    double latency, jitter, bytes_per_ms, way;
    int slots, busy;
    SSL_CTX *context;
    FILE *log;
    struct connection *connections[4096];
    int count;
    struct connection *first_queued, *last_queued;
};

double now_ms(void);

// transfers.c: who may send, and how much.
void enqueue(struct origin *origin, struct connection *connection, unsigned item);
void release(struct origin *origin, struct connection *connection, bool is_whole);
void start_queued(struct origin *origin);
void flow(struct origin *origin, double passed);

// connection.c: bytes in and out. Both return false where the connection is to be closed.
bool hear(struct origin *origin, struct connection *connection);
bool send_granted(struct origin *origin, struct connection *connection);
