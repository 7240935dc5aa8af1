// The part of libcurl that the fetcher needs.
//
// Swift can call neither C variadics (curl_easy_setopt) nor macros, and curl.h drags <sys/socket.h> into whoever
// imports it; so libcurl stays behind these few plain functions. Nothing here is thread safe except ccurl_loop_wake.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ccurl_loop ccurl_loop;          // a multi handle and the epoll set that drives it
typedef struct ccurl_transfer ccurl_transfer;  // an easy handle and the lists it points to; reusable
typedef struct ccurl_url ccurl_url;

/// Initialises libcurl once for the process. Returns false when libcurl or its TLS library refuse.
bool ccurl_initialize(void);
const char *ccurl_version(void);
/// Seconds since 1970 of a date as HTTP writes it, or nearly so; -1 for what is none, or an earlier one.
int64_t ccurl_date(const char *text);

// The loop

typedef struct {
    long idle_connections;      // connections kept open for reuse
    long connections_per_host;  // 0: unlimited
    long connections;           // 0: unlimited
} ccurl_loop_limits;

/// NULL when the process is out of file descriptors or memory.
ccurl_loop *ccurl_loop_create(ccurl_loop_limits limits);
/// Closes every connection. No transfer may be added any more.
void ccurl_loop_destroy(ccurl_loop *loop);
/// Makes the running or the next turn return at once. Any thread.
void ccurl_loop_wake(ccurl_loop *loop);
/// Waits for sockets, libcurl's timers, a wake, or `wait_us` (negative: for ever), then lets libcurl work.
void ccurl_loop_turn(ccurl_loop *loop, int64_t wait_us);
/// The context of a transfer that is done, its CURLcode in `result`; NULL when none is left.
void *ccurl_loop_next_done(ccurl_loop *loop, int *result);
/// Sockets to origins now open, those kept for reuse among them.
long ccurl_loop_open_sockets(const ccurl_loop *loop);

// Transfers

/// All are called on the thread that turns the loop. `body` and `header` return how many bytes they took: any number
/// but `count` aborts the transfer.
typedef struct {
    /// Asked before each connect(); `address` is 4 or 16 bytes in network order. False refuses.
    bool (*may_connect)(void *context, const uint8_t *address, size_t length, uint16_t port);
    /// The connection (new or reused) is ready and the request about to be sent. False aborts.
    bool (*connected)(void *context, const char *address, int port);
    size_t (*header)(void *context, const uint8_t *bytes, size_t count);
    size_t (*body)(void *context, const uint8_t *bytes, size_t count);
} ccurl_callbacks;

typedef struct {
    const char *url;
    const char *user_agent;
    const char *ca_file;  // NULL: libcurl's default
    long connect_timeout_ms;
    bool http2;           // over TLS, where the origin has it
    bool share_connection;  // wait for a connection that may be shared (HTTP/2) rather than opening another
    void *context;
    ccurl_callbacks callbacks;
} ccurl_request;

ccurl_transfer *ccurl_transfer_create(void);
void ccurl_transfer_destroy(ccurl_transfer *transfer);
/// Forgets all options and lists of the last request.
void ccurl_transfer_reset(ccurl_transfer *transfer);
/// A header line, "Name: value". Copied. False when out of memory.
bool ccurl_transfer_add_header(ccurl_transfer *transfer, const char *line);
/// "HOST:PORT:ADDRESS[,ADDRESS]": answers for the resolver. Copied.
bool ccurl_transfer_add_resolution(ccurl_transfer *transfer, const char *entry);
/// Has the request signed: `provider` is "aws:amz:REGION:SERVICE". Copied. False when libcurl cannot.
bool ccurl_transfer_sign(ccurl_transfer *transfer, const char *provider, const char *key, const char *secret);
/// Sets every option and gives the transfer to the loop. Strings are copied. False when libcurl refuses an option.
bool ccurl_transfer_start(ccurl_transfer *transfer, ccurl_loop *loop, const ccurl_request *request);
/// Takes the transfer from the loop; one that is under way is aborted.
void ccurl_transfer_stop(ccurl_transfer *transfer, ccurl_loop *loop);

typedef struct {
    int64_t body_bytes;    // as they came, before any decoding
    int64_t header_bytes;
    long new_connections;
    long os_error;         // errno of a connect() that failed
    int http_version;      // 10, 11, 20; 0 unknown
    int64_t connect_us, first_byte_us, total_us;
} ccurl_info;

ccurl_info ccurl_transfer_info(const ccurl_transfer *transfer);

/// A CURLcode, as far as the fetcher tells them apart.
typedef enum {
    CCURL_OK, CCURL_TIMEOUT, CCURL_RESOLVE, CCURL_CONNECT, CCURL_TLS, CCURL_CERTIFICATE, CCURL_PARTIAL, CCURL_ENCODING,
    CCURL_ABORTED, CCURL_URL, CCURL_LINE, CCURL_OTHER
} ccurl_outcome;

ccurl_outcome ccurl_outcome_of(int result);
const char *ccurl_describe(int result);

// URLs, parsed by the parser that the transfer itself uses

typedef enum { CCURL_URL_WHOLE, CCURL_URL_SCHEME, CCURL_URL_HOST, CCURL_URL_PORT, CCURL_URL_USER, CCURL_URL_PASSWORD,
    CCURL_URL_OPTIONS, CCURL_URL_ZONE } ccurl_url_part;

/// `text`, which may be relative when there is a `base`. NULL when malformed.
ccurl_url *ccurl_url_parse(const char *text, const char *base);
/// NULL when the URL has no such part; else a string for ccurl_free.
char *ccurl_url_get(ccurl_url *url, ccurl_url_part part);
void ccurl_url_destroy(ccurl_url *url);
void ccurl_free(char *string);
