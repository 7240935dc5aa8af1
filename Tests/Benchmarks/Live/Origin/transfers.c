#include "origin.h"

#include "draws.h"
#include "painting.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

double now_ms(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1e3 + time.tv_nsec / 1e6;
}

void enqueue(struct origin *origin, struct connection *connection, unsigned item) {
    connection->item = item;
    connection->asked = now_ms();
    connection->started = connection->first = 0;
    connection->phase = QUEUED;
    connection->requests += 1;
    connection->next_queued = NULL;
    if (origin->last_queued) origin->last_queued->next_queued = connection;
    else origin->first_queued = connection;
    origin->last_queued = connection;
}

static void leave_queue(struct origin *origin, struct connection *connection) {
    struct connection *previous = NULL;
    for (struct connection *other = origin->first_queued; other != connection; other = other->next_queued) previous = other;
    if (previous) previous->next_queued = connection->next_queued;
    else origin->first_queued = connection->next_queued;
    if (origin->last_queued == connection) origin->last_queued = previous;
}

// As many at once as there are slots, in the order in which they were asked for.
void start_queued(struct origin *origin) {
    while (origin->busy < origin->slots && origin->first_queued) {
        struct connection *connection = origin->first_queued;
        leave_queue(origin, connection);
        origin->busy += 1;
        struct draw draw = draw_item(connection->item, origin->latency, origin->jitter);
        connection->weight = round(draw.bytes);
        connection->body = paint(connection->item, connection->weight);
        connection->started = now_ms();
        // The round trip is part of the latency.
        connection->due = connection->started + fmax(0, draw.delay - origin->way);
        connection->granted = connection->sent = 0;
        connection->header_length = snprintf(
            connection->header, sizeof connection->header,
            "HTTP/1.1 200 OK\r\nContent-Type: image/jpeg\r\nContent-Length: %.0f\r\nCache-Control: max-age=86400\r\n\r\n",
            connection->weight);
        connection->length = connection->header_length + connection->weight;
        connection->phase = WAITING;
    }
}

// The request is over: what became of it goes to the log, its slot to the next.
void release(struct origin *origin, struct connection *connection, bool is_whole) {
    if (connection->phase == QUEUED) leave_queue(origin, connection);
    else origin->busy -= 1;
    double body = connection->phase == FLOWING ? connection->granted : 0;
    fprintf(
        origin->log,
        "{\"item\":%u,\"connection\":%u,\"new\":%s,\"asked\":%.2f,\"started\":%.2f,\"first\":%.2f,\"over\":%.2f,"
        "\"whole\":%s,\"bytes\":%.0f}\n",
        connection->item, connection->number, connection->requests == 1 ? "true" : "false", connection->asked,
        connection->started, connection->first, now_ms(), is_whole ? "true" : "false", body);
    free(connection->body);
    connection->body = NULL;
    connection->phase = IDLE;
    start_queued(origin);
}

// Shares the bandwidth of `passed` milliseconds among the transfers that have begun, equally; what one does not need is
// for the others.
void flow(struct origin *origin, double passed) {
    double now = now_ms(), budget = origin->bytes_per_ms * passed;
    while (budget > 0.5) {
        int open = 0;
        for (int i = 0; i < origin->count; i++) {
            struct connection *connection = origin->connections[i];
            open += connection->phase == FLOWING && connection->granted < connection->weight;
        }
        if (!open) break;
        double share = budget / open;
        for (int i = 0; i < origin->count; i++) {
            struct connection *connection = origin->connections[i];
            if (connection->phase != FLOWING) continue;
            double part = fmin(share, connection->weight - connection->granted);
            connection->granted += part;
            budget -= part;
        }
    }
    for (int i = 0; i < origin->count; i++) {
        struct connection *connection = origin->connections[i];
        if (connection->phase != WAITING || connection->due > now) continue;
        connection->phase = FLOWING;
        connection->first = now;
    }
}
