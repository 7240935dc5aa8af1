#define _GNU_SOURCE
#include "parts.h"

#include <netinet/in.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

// Callbacks

static curl_socket_t on_open(void *context, curlsocktype purpose, struct curl_sockaddr *address) {
    ccurl_transfer *t = context;
    bool allowed = false;
    if (purpose == CURLSOCKTYPE_IPCXN) {
        // libcurl passes the same sockaddr to connect() next.
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

bool ccurl_transfer_sign(ccurl_transfer *t, const char *provider, const char *key, const char *secret) {
    return curl_easy_setopt(t->easy, CURLOPT_AWS_SIGV4, provider) == CURLE_OK &&
           curl_easy_setopt(t->easy, CURLOPT_USERNAME, key) == CURLE_OK &&
           curl_easy_setopt(t->easy, CURLOPT_PASSWORD, secret) == CURLE_OK;
}

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
    // Pictures are already compressed. With an encoding named, libcurl also decodes a response that is compressed regardless.
    SET(CURLOPT_ACCEPT_ENCODING, "identity");
    // Only HTTP, directly to the URL's host, one hop at a time.
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
        // libcurl caches parsed certificates only if the only source is a single file. With Debian's directory in addition, many
        // cancelled TLS connections cost 14 times the CPU.
        SET(CURLOPT_CAINFO, r->ca_file);
        SET(CURLOPT_CAPATH, NULL);
    }
    // Otherwise a transfer cancelled inside getaddrinfo stalls all others until the look-up ends.
    SET(CURLOPT_QUICK_EXIT, 1L);
    SET(CURLOPT_OPENSOCKETFUNCTION, on_open);
    SET(CURLOPT_OPENSOCKETDATA, t);
    SET(CURLOPT_CLOSESOCKETFUNCTION, on_close);
    SET(CURLOPT_CLOSESOCKETDATA, loop);  // outlives the transfer, because connections stay open
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
    // A header line longer than libcurl's limit (100 KB). libcurl reports "out of memory", from 8.6 on "too large" (100).
    case 100:
    case CURLE_OUT_OF_MEMORY: return CCURL_LINE;
    default: return CCURL_OTHER;
    }
}

const char *ccurl_describe(int result) {
    // Only http and https URLs get this far, so this code means that the response is in another protocol.
    return result == CURLE_UNSUPPORTED_PROTOCOL ? "the response is not HTTP" : curl_easy_strerror((CURLcode)result);
}
