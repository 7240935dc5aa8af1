#define _GNU_SOURCE
#include "CCurl.h"

#include <arpa/inet.h>
#include <curl/curl.h>
#include <errno.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

struct ccurl_loop {
    CURLM *multi;
    int epoll;
    int wake;
    int64_t timer_us;  // when libcurl wants to be called; -1: never
    long open_sockets;
};

struct ccurl_transfer {
    CURL *easy;
    struct curl_slist *headers;
    struct curl_slist *resolutions;
    ccurl_loop *loop;
    void *context;
    ccurl_callbacks callbacks;
};

static bool initialized;

__attribute__((constructor)) static void initialize(void) {
    // Before main: curl_global_init is the one call that may not race with another.
    initialized = curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
}

bool ccurl_initialize(void) { return initialized; }

const char *ccurl_version(void) { return curl_version(); }

int64_t ccurl_date(const char *text) { return curl_getdate(text, NULL); }

void ccurl_name_thread(const char *name) { pthread_setname_np(pthread_self(), name); }

static int64_t now_us(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

// The loop

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
    // A descriptor number may have been closed and handed out again behind epoll's back: each call falls back on the
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
    (void)ignored;  // fails only when the counter is full, and then the loop wakes anyway
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

// Callbacks

static curl_socket_t on_open(void *context, curlsocktype purpose, struct curl_sockaddr *address) {
    ccurl_transfer *t = context;
    bool allowed = false;
    if (purpose == CURLSOCKTYPE_IPCXN) {
        // libcurl hands over the very sockaddr that it gives to connect() next.
        if (address->family == AF_INET) {
            const struct sockaddr_in *in = (const struct sockaddr_in *)&address->addr;
            allowed = t->callbacks.may_connect(t->context, (const uint8_t *)&in->sin_addr, 4, ntohs(in->sin_port));
        } else if (address->family == AF_INET6) {
            const struct sockaddr_in6 *in = (const struct sockaddr_in6 *)&address->addr;
            allowed = t->callbacks.may_connect(t->context, in->sin6_addr.s6_addr, 16, ntohs(in->sin6_port));
        }
    }
    if (!allowed) return CURL_SOCKET_BAD;
    curl_socket_t fd = socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
    if (fd >= 0) t->loop->open_sockets++;
    return fd < 0 ? CURL_SOCKET_BAD : fd;
}

static int on_close(void *context, curl_socket_t fd) {
    ccurl_loop *loop = context;
    loop->open_sockets--;
    return close(fd);
}

static int on_connected(void *context, char *remote, char *local, int remote_port, int local_port) {
    (void)local, (void)local_port;
    ccurl_transfer *t = context;
    return t->callbacks.connected(t->context, remote ? remote : "", remote_port) ? CURL_PREREQFUNC_OK
                                                                               : CURL_PREREQFUNC_ABORT;
}

static size_t on_header(char *bytes, size_t size, size_t count, void *context) {
    ccurl_transfer *t = context;
    return t->callbacks.header(t->context, (const uint8_t *)bytes, size * count);
}

static size_t on_body(char *bytes, size_t size, size_t count, void *context) {
    ccurl_transfer *t = context;
    return t->callbacks.body(t->context, (const uint8_t *)bytes, size * count);
}

// Transfers

ccurl_transfer *ccurl_transfer_create(void) {
    ccurl_transfer *t = calloc(1, sizeof *t);
    if (t && !(t->easy = curl_easy_init())) {
        free(t);
        t = NULL;
    }
    return t;
}

void ccurl_transfer_reset(ccurl_transfer *t) {
    curl_easy_reset(t->easy);
    curl_slist_free_all(t->headers);
    curl_slist_free_all(t->resolutions);
    t->headers = t->resolutions = NULL;
    t->context = NULL;
}

void ccurl_transfer_destroy(ccurl_transfer *t) {
    ccurl_transfer_reset(t);
    curl_easy_cleanup(t->easy);
    free(t);
}

static bool append(struct curl_slist **list, const char *line) {
    struct curl_slist *longer = curl_slist_append(*list, line);
    if (longer) *list = longer;
    return longer != NULL;
}

bool ccurl_transfer_add_header(ccurl_transfer *t, const char *line) { return append(&t->headers, line); }

bool ccurl_transfer_add_resolution(ccurl_transfer *t, const char *entry) { return append(&t->resolutions, entry); }

bool ccurl_transfer_start(ccurl_transfer *t, ccurl_loop *loop, const ccurl_request *r) {
    CURL *e = t->easy;
    t->loop = loop;
    t->context = r->context;
    t->callbacks = r->callbacks;
    bool ok = true;
#define SET(option, value) ok = curl_easy_setopt(e, option, value) == CURLE_OK && ok
    SET(CURLOPT_PRIVATE, t);
    SET(CURLOPT_URL, r->url);
    SET(CURLOPT_HTTPGET, 1L);
    SET(CURLOPT_USERAGENT, r->user_agent);
    if (t->headers) SET(CURLOPT_HTTPHEADER, t->headers);
    if (t->resolutions) SET(CURLOPT_RESOLVE, t->resolutions);
    // Pictures are compressed already. Naming an encoding also makes libcurl decode one that was sent regardless.
    SET(CURLOPT_ACCEPT_ENCODING, "identity");
    // Nothing but HTTP, straight to the host the URL names, one hop at a time.
    SET(CURLOPT_PROTOCOLS_STR, "http,https");
    SET(CURLOPT_FOLLOWLOCATION, 0L);
    SET(CURLOPT_PROXY, "");
    SET(CURLOPT_DISALLOW_USERNAME_IN_URL, 1L);
    SET(CURLOPT_NOSIGNAL, 1L);
    SET(CURLOPT_NOPROGRESS, 1L);
    SET(CURLOPT_CONNECTTIMEOUT_MS, r->connect_timeout_ms);
    SET(CURLOPT_DNS_CACHE_TIMEOUT, 60L);
    SET(CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
    SET(CURLOPT_HTTP_VERSION, (long)(r->http2 ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1));
    SET(CURLOPT_PIPEWAIT, r->share_connection ? 1L : 0L);
    if (r->ca_file) {
        // The cache of parsed certificates works only with a file alone: with Debian's directory beside it, a storm of
        // cancelled TLS connections costs 14 times the CPU.
        SET(CURLOPT_CAINFO, r->ca_file);
        SET(CURLOPT_CAPATH, NULL);
    }
    // Without this a transfer cancelled inside getaddrinfo stalls every other until the lookup ends.
    SET(CURLOPT_QUICK_EXIT, 1L);
    SET(CURLOPT_OPENSOCKETFUNCTION, on_open);
    SET(CURLOPT_OPENSOCKETDATA, t);
    SET(CURLOPT_CLOSESOCKETFUNCTION, on_close);
    SET(CURLOPT_CLOSESOCKETDATA, loop);  // outlives the transfer: connections are kept
    SET(CURLOPT_PREREQFUNCTION, on_connected);
    SET(CURLOPT_PREREQDATA, t);
    SET(CURLOPT_HEADERFUNCTION, on_header);
    SET(CURLOPT_HEADERDATA, t);
    SET(CURLOPT_WRITEFUNCTION, on_body);
    SET(CURLOPT_WRITEDATA, t);
#undef SET
    return ok && curl_multi_add_handle(loop->multi, e) == CURLM_OK;
}

void ccurl_transfer_stop(ccurl_transfer *t, ccurl_loop *loop) { curl_multi_remove_handle(loop->multi, t->easy); }

ccurl_info ccurl_transfer_info(const ccurl_transfer *t) {
    ccurl_info info = {0};
    curl_off_t off = 0;
    long number = 0;
    if (curl_easy_getinfo(t->easy, CURLINFO_SIZE_DOWNLOAD_T, &off) == CURLE_OK) info.body_bytes = off;
    if (curl_easy_getinfo(t->easy, CURLINFO_HEADER_SIZE, &number) == CURLE_OK) info.header_bytes = number;
    curl_easy_getinfo(t->easy, CURLINFO_NUM_CONNECTS, &info.new_connections);
    curl_easy_getinfo(t->easy, CURLINFO_OS_ERRNO, &info.os_error);
    if (curl_easy_getinfo(t->easy, CURLINFO_HTTP_VERSION, &number) == CURLE_OK)
        info.http_version = number == CURL_HTTP_VERSION_1_0   ? 10
                            : number == CURL_HTTP_VERSION_1_1 ? 11
                            : number == CURL_HTTP_VERSION_2_0 ? 20
                                                              : 0;
    if (curl_easy_getinfo(t->easy, CURLINFO_PRETRANSFER_TIME_T, &off) == CURLE_OK) info.connect_us = off;
    if (curl_easy_getinfo(t->easy, CURLINFO_STARTTRANSFER_TIME_T, &off) == CURLE_OK) info.first_byte_us = off;
    if (curl_easy_getinfo(t->easy, CURLINFO_TOTAL_TIME_T, &off) == CURLE_OK) info.total_us = off;
    return info;
}

ccurl_outcome ccurl_outcome_of(int result) {
    switch (result) {
    case CURLE_OK: return CCURL_OK;
    case CURLE_OPERATION_TIMEDOUT: return CCURL_TIMEOUT;
    case CURLE_COULDNT_RESOLVE_HOST: return CCURL_RESOLVE;
    case CURLE_COULDNT_CONNECT: return CCURL_CONNECT;
    case CURLE_PEER_FAILED_VERIFICATION: return CCURL_CERTIFICATE;
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_CIPHER:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_SSL_INVALIDCERTSTATUS: return CCURL_TLS;
    case CURLE_PARTIAL_FILE: return CCURL_PARTIAL;
    case CURLE_BAD_CONTENT_ENCODING: return CCURL_ENCODING;
    case CURLE_WRITE_ERROR:
    case CURLE_ABORTED_BY_CALLBACK: return CCURL_ABORTED;
    case CURLE_URL_MALFORMAT: return CCURL_URL;
    default: return CCURL_OTHER;
    }
}

const char *ccurl_describe(int result) {
    // Only http and https get this far: the code stands for an answer in another protocol.
    return result == CURLE_UNSUPPORTED_PROTOCOL ? "the answer is not HTTP" : curl_easy_strerror((CURLcode)result);
}

// URLs

ccurl_url *ccurl_url_parse(const char *text, const char *base) {
    CURLU *url = curl_url();
    if (!url) return NULL;
    unsigned flags = CURLU_NON_SUPPORT_SCHEME | CURLU_URLENCODE;
    if ((base && curl_url_set(url, CURLUPART_URL, base, flags) != CURLUE_OK) ||
        curl_url_set(url, CURLUPART_URL, text, flags) != CURLUE_OK) {
        curl_url_cleanup(url);
        return NULL;
    }
    curl_url_set(url, CURLUPART_FRAGMENT, NULL, 0);
    return (ccurl_url *)url;
}

char *ccurl_url_get(ccurl_url *url, ccurl_url_part part) {
    static const CURLUPart parts[] = {CURLUPART_URL,  CURLUPART_SCHEME,   CURLUPART_HOST,    CURLUPART_PORT,
                                      CURLUPART_USER, CURLUPART_PASSWORD, CURLUPART_OPTIONS, CURLUPART_ZONEID};
    char *value = NULL;
    unsigned flags = part == CCURL_URL_PORT ? CURLU_DEFAULT_PORT : 0;
    return curl_url_get((CURLU *)url, parts[part], &value, flags) == CURLUE_OK ? value : NULL;
}

void ccurl_url_destroy(ccurl_url *url) { curl_url_cleanup((CURLU *)url); }

void ccurl_free(char *string) { curl_free(string); }
