// A way of some length and width between two programs on this machine: what comes on its port goes to another port of the
// loopback after a delay, in the order of one queue each way. A connection's first bytes wait for the round trip that
// opening it takes.

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
    PIECE = 4096,       // read at once, so that connections take turns
    MOST = 8 << 20,     // bytes of one direction of a connection under way
    CONNECTIONS = 1024,
};
static const double BACKLOG = 30;  // ms of the link's queue, beyond which nothing more is read

// Bytes on their way; none at all where the sender has ended.
struct piece {
    struct piece *next;
    double due;
    size_t count, gone;
    char bytes[];
};

struct direction {
    int from, to;
    int link;  // 0 there, 1 back
    struct piece *first, *last;
    size_t waiting;
    int is_ended;
    double earliest;  // nothing arrives before
};

struct pair {
    struct direction ways[2];
};

static struct pair *pairs[CONNECTIONS];
static int pair_count;
static double link_free[2], delay, bytes_per_ms;

static double now_ms(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1e3 + time.tv_nsec / 1e6;
}

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static void push(struct direction *way, struct piece *piece, double now) {
    double leaves = now;
    if (bytes_per_ms > 0) {
        double *free_at = &link_free[way->link];
        leaves = *free_at = (*free_at > now ? *free_at : now) + piece->count / bytes_per_ms;
    }
    piece->due = leaves + delay > way->earliest ? leaves + delay : way->earliest;
    if (way->last) way->last->next = piece;
    else way->first = piece;
    way->last = piece;
    way->waiting += piece->count;
}

static int may_read(const struct direction *way, double now) {
    return !way->is_ended && way->waiting < MOST && (bytes_per_ms <= 0 || link_free[way->link] - now < BACKLOG);
}

static void take(struct direction *way, double now) {
    struct piece *piece = malloc(sizeof *piece + PIECE);
    if (!piece) fail("malloc");
    ssize_t count = recv(way->from, piece->bytes, PIECE, 0);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) {
        free(piece);
        return;
    }
    if (count <= 0) way->is_ended = 1;
    piece->next = NULL;
    piece->gone = 0;
    piece->count = count > 0 ? count : 0;
    push(way, piece, now);
}

// Hands over what has arrived; returns 0 where the receiver is gone.
static int deliver(struct direction *way, double now) {
    while (way->first && way->first->due <= now) {
        struct piece *piece = way->first;
        if (piece->gone < piece->count) {
            ssize_t count = send(way->to, piece->bytes + piece->gone, piece->count - piece->gone, MSG_NOSIGNAL);
            if (count < 0) return errno == EAGAIN || errno == EINTR;
            piece->gone += count;
            if (piece->gone < piece->count) return 1;
        }
        if (piece->count == 0) shutdown(way->to, SHUT_WR);
        way->waiting -= piece->count;
        way->first = piece->next;
        if (!way->first) way->last = NULL;
        free(piece);
    }
    return 1;
}

static void drop(int index) {
    struct pair *pair = pairs[index];
    for (int side = 0; side < 2; side++) {
        struct direction *way = &pair->ways[side];
        for (struct piece *piece; (piece = way->first);) {
            way->first = piece->next;
            free(piece);
        }
        close(way->from);
    }
    free(pair);
    pairs[index] = pairs[--pair_count];
}

static void welcome(int listener, const struct sockaddr_in *target) {
    while (pair_count < CONNECTIONS) {
        int near = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (near < 0) return;
        int far = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), yes = 1;
        if (connect(far, (const struct sockaddr *)target, sizeof *target)) {
            close(near);
            close(far);
            continue;
        }
        fcntl(far, F_SETFL, O_NONBLOCK);
        setsockopt(near, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
        setsockopt(far, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
        struct pair *pair = calloc(1, sizeof *pair);
        if (!pair) fail("calloc");
        pair->ways[0] = (struct direction){.from = near, .to = far, .link = 0, .earliest = now_ms() + 3 * delay};
        pair->ways[1] = (struct direction){.from = far, .to = near, .link = 1};
        pairs[pair_count++] = pair;
    }
}

// Milliseconds until something arrives or may be read again; a second where nothing is under way.
static int patience(double now) {
    double least = 1000;
    for (int i = 0; i < pair_count; i++) {
        for (int side = 0; side < 2; side++) {
            const struct direction *way = &pairs[i]->ways[side];
            double wait = !way->first ? 1000 : way->first->due - now;
            if (!way->is_ended && way->waiting < MOST && !may_read(way, now)) wait = 2;
            if (wait < least) least = wait;
        }
    }
    return least < 0 ? 1 : (int)least + 1;
}

static void carry(int listener, const struct sockaddr_in *target) {
    static struct pollfd polled[1 + 2 * CONNECTIONS];
    for (unsigned turn = 0;; turn++) {
        double now = now_ms();
        polled[0] = (struct pollfd){listener, POLLIN, 0};
        int count = pair_count;
        for (int i = 0; i < 2 * count; i++) {
            const struct direction *way = &pairs[i / 2]->ways[i % 2];
            polled[1 + i] = (struct pollfd){may_read(way, now) ? way->from : -1, POLLIN, 0};
        }
        if (poll(polled, 1 + 2 * count, patience(now)) < 0 && errno != EINTR) fail("poll");
        now = now_ms();
        for (int k = 0; k < 2 * count; k++) {
            int i = (k + turn) % (2 * count);  // nobody is always first
            struct direction *way = &pairs[i / 2]->ways[i % 2];
            if (polled[1 + i].revents && may_read(way, now)) take(way, now);
        }
        for (int i = count - 1; i >= 0; i--) {
            struct direction *ways = pairs[i]->ways;
            int is_open = deliver(&ways[0], now) && deliver(&ways[1], now);
            if (!is_open || (ways[0].is_ended && ways[1].is_ended && !ways[0].first && !ways[1].first)) drop(i);
        }
        if (polled[0].revents & POLLIN) welcome(listener, target);
    }
}

int main(int count, char **arguments) {
    if (count != 4) {
        fprintf(stderr, "usage: relay PORT MS-EACH-WAY MBIT (0: any)\n");
        return 64;
    }
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    struct sockaddr_in target = {
        .sin_family = AF_INET, .sin_port = htons(atoi(arguments[1])), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    delay = atof(arguments[2]);
    bytes_per_ms = atof(arguments[3]) * 125;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (bind(listener, (struct sockaddr *)&address, length) || listen(listener, 1024)) fail("listen");
    getsockname(listener, (struct sockaddr *)&address, &length);
    printf("Listening on 127.0.0.1:%d\n", ntohs(address.sin_port));
    fflush(stdout);
    carry(listener, &target);
}
