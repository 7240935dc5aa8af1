// An origin of pictures behind a network: item i weighs and waits what the simulator draws for it, transfers that have begun
// share the bandwidth, and requests beyond the slots wait their turn. Writes a line of JSON a request to the log.

#include "origin.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

static volatile sig_atomic_t is_over;
static void stop(int signal) { (void)signal, is_over = 1; }

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static int listen_on_loopback(void) {
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    if (bind(listener, (struct sockaddr *)&address, length) || listen(listener, 1024)) fail("listen");
    getsockname(listener, (struct sockaddr *)&address, &length);
    printf("Listening on 127.0.0.1:%d\n", ntohs(address.sin_port));
    fflush(stdout);
    return listener;
}

static SSL_CTX *tls(const char *certificate, const char *key) {
    SSL_CTX *context = SSL_CTX_new(TLS_server_method());
    SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    if (SSL_CTX_use_certificate_chain_file(context, certificate) != 1 ||
        SSL_CTX_use_PrivateKey_file(context, key, SSL_FILETYPE_PEM) != 1) {
        fprintf(stderr, "%s or %s cannot be used\n", certificate, key);
        exit(1);
    }
    return context;
}

static void welcome(struct origin *origin, int listener) {
    static unsigned number;
    while (origin->count < (int)(sizeof origin->connections / sizeof *origin->connections)) {
        int descriptor = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (descriptor < 0) return;
        int yes = 1;
        setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
        struct connection *connection = calloc(1, sizeof *connection);
        if (!connection) fail("calloc");
        connection->descriptor = descriptor;
        connection->number = ++number;
        if (origin->context) {
            connection->tls = SSL_new(origin->context);
            SSL_set_fd(connection->tls, descriptor);
            SSL_set_accept_state(connection->tls);
        }
        origin->connections[origin->count++] = connection;
    }
}

static void drop(struct origin *origin, int index) {
    struct connection *connection = origin->connections[index];
    if (connection->phase != IDLE) release(origin, connection, false);
    if (connection->tls) SSL_free(connection->tls);
    close(connection->descriptor);
    free(connection);
    origin->connections[index] = origin->connections[--origin->count];
}

// Milliseconds until there is something to do, -1 where only a request can be it.
static int patience(const struct origin *origin) {
    double now = now_ms(), least = -1;
    for (int i = 0; i < origin->count; i++) {
        const struct connection *connection = origin->connections[i];
        if (connection->phase == FLOWING) return 1;
        if (connection->phase != WAITING) continue;
        double wait = connection->due > now ? connection->due - now : 0;
        if (least < 0 || wait < least) least = wait;
    }
    return least < 0 ? -1 : (int)least + 1;
}

static void serve(struct origin *origin, int listener) {
    static struct pollfd polled[4097];
    double last = now_ms();
    while (!is_over) {
        polled[0] = (struct pollfd){listener, POLLIN, 0};
        int count = origin->count;
        for (int i = 0; i < count; i++)
            polled[i + 1] = (struct pollfd){origin->connections[i]->descriptor, POLLIN | POLLRDHUP, 0};
        if (poll(polled, count + 1, patience(origin)) < 0 && errno != EINTR) fail("poll");
        double now = now_ms();
        flow(origin, now - last);
        last = now;
        // From the last to the first, since one that is dropped gives its place to the last.
        for (int i = count - 1; i >= 0; i--) {
            struct connection *connection = origin->connections[i];
            bool is_open = !(polled[i + 1].revents & (POLLRDHUP | POLLHUP | POLLERR));
            if (is_open && polled[i + 1].revents & POLLIN) is_open = hear(origin, connection);
            if (is_open) is_open = send_granted(origin, connection);
            if (!is_open) drop(origin, i);
        }
        if (polled[0].revents & POLLIN) welcome(origin, listener);
    }
}

int main(int count, char **arguments) {
    static struct origin origin = {.latency = 80, .jitter = 0.35, .bytes_per_ms = 25 * 125, .slots = 8};
    static const struct option options[] = {
        {"latency", required_argument, 0, 'l'}, {"jitter", required_argument, 0, 'j'}, {"bandwidth", required_argument, 0, 'b'},
        {"slots", required_argument, 0, 's'},   {"way", required_argument, 0, 'w'},    {"log", required_argument, 0, 'o'},
        {"certificate", required_argument, 0, 'c'}, {"key", required_argument, 0, 'k'}, {0}};
    const char *certificate = NULL, *key = NULL;
    origin.log = stdout;
    for (int option; (option = getopt_long(count, arguments, "", options, NULL)) != -1;) {
        switch (option) {
        case 'l': origin.latency = atof(optarg); break;
        case 'j': origin.jitter = atof(optarg); break;
        case 'b': origin.bytes_per_ms = atof(optarg) * 125; break;  // Mbit/s
        case 's': origin.slots = atoi(optarg); break;
        case 'w': origin.way = atof(optarg); break;  // ms of the latency that a relay before it takes
        case 'o':
            if (!(origin.log = fopen(optarg, "w"))) fail(optarg);
            break;
        case 'c': certificate = optarg; break;
        case 'k': key = optarg; break;
        default:
            fprintf(stderr, "usage: origin [--latency MS] [--jitter SIGMA] [--bandwidth MBIT] [--slots N] [--way MS] "
                            "[--log FILE] [--certificate PEM --key PEM]\n");
            return 64;
        }
    }
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    signal(SIGTERM, stop);
    signal(SIGINT, stop);
    signal(SIGPIPE, SIG_IGN);
    if (certificate && key) origin.context = tls(certificate, key);
    serve(&origin, listen_on_loopback());
    // Transfers under way at the end count as cut off.
    while (origin.count > 0) drop(&origin, origin.count - 1);
    fclose(origin.log);
    return 0;
}
