// The parts of libcurl that the fetcher needs.
//
// Swift can call neither C variadics (curl_easy_setopt) nor macros, and curl.h adds <sys/socket.h> to every file that
// imports it. So these few plain functions hide libcurl. Only ccurl_loop_wake is thread safe.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ccurl_loop ccurl_loop;          // a multi handle and the epoll set that drives it
typedef struct ccurl_transfer ccurl_transfer;  // an easy handle and its lists, reusable
typedef struct ccurl_url ccurl_url;

/// Initialises libcurl once for the process. Returns false if libcurl or its TLS library refuse.
bool ccurl_initialize(void);
const char *ccurl_version(void);
/// Seconds since 1970 of an HTTP date or a similar form. -1 if `text` is no date or lies before 1970.
int64_t ccurl_date(const char *text);

// The loop

typedef struct {
    long idle_connections;      // connections kept open for reuse
    long connections_per_host;  // 0: unlimited
    long connections;           // 0: unlimited
} ccurl_loop_limits;

/// NULL if the process is out of file descriptors or memory.
ccurl_loop *ccurl_loop_create(ccurl_loop_limits limits);
/// Closes every connection. Afterwards no transfer may be added.
void ccurl_loop_destroy(ccurl_loop *loop);
/// Makes the present or the next turn return immediately. May be called from any thread.
void ccurl_loop_wake(ccurl_loop *loop);
/// Waits for sockets, libcurl's timers, a wake, or `wait_us` (negative: no limit), then lets libcurl work.
void ccurl_loop_turn(ccurl_loop *loop, int64_t wait_us);
/// Returns the context of a finished transfer, with its CURLcode in `result`, or NULL if there is none.
void *ccurl_loop_next_done(ccurl_loop *loop, int *result);
/// Number of open sockets to origins, including idle ones.
long ccurl_loop_open_sockets(const ccurl_loop *loop);

// Transfers

/// All callbacks run on the thread that turns the loop. `body` and `header` return the number of accepted bytes: any number
/// but `count` aborts the transfer.
typedef struct {
    /// Called before each connect(). `address` is 4 or 16 bytes in network order. False refuses the connection.
    bool (*may_connect)(void *context, const uint8_t *address, size_t length, uint16_t port);
    /// Called when the connection (new or reused) is ready, before the request is sent. False aborts the transfer.
    bool (*connected)(void *context, const char *address, int port);
    size_t (*header)(void *context, const uint8_t *bytes, size_t count);
    size_t (*body)(void *context, const uint8_t *bytes, size_t count);
} ccurl_callbacks;

typedef struct {
    const char *url;
    const char *user_agent;
    const char *ca_file;  // NULL: libcurl's default
    long connect_timeout_ms;
    bool http2;           // over TLS, if the origin supports it
    bool share_connection;  // wait for a connection that can be shared (HTTP/2) instead of opening another
    void *context;
    ccurl_callbacks callbacks;
} ccurl_request;

ccurl_transfer *ccurl_transfer_create(void);
void ccurl_transfer_destroy(ccurl_transfer *transfer);
/// Resets all options and lists of the last request.
void ccurl_transfer_reset(ccurl_transfer *transfer);
/// Adds a header line, "Name: value". Copies the string. False if out of memory.
bool ccurl_transfer_add_header(ccurl_transfer *transfer, const char *line);
/// Adds "HOST:PORT:ADDRESS[,ADDRESS]", the addresses of a host for libcurl's resolver. Copies the string.
bool ccurl_transfer_add_resolution(ccurl_transfer *transfer, const char *entry);
/// Signs the request. `provider` is "aws:amz:REGION:SERVICE". Copies the strings. False if libcurl cannot sign.
bool ccurl_transfer_sign(ccurl_transfer *transfer, const char *provider, const char *key, const char *secret);
/// Sets every option and adds the transfer to the loop. Copies the strings. False if libcurl refuses an option.
bool ccurl_transfer_start(ccurl_transfer *transfer, ccurl_loop *loop, const ccurl_request *request);
/// Removes the transfer from the loop. Aborts it if it is in flight.
void ccurl_transfer_stop(ccurl_transfer *transfer, ccurl_loop *loop);

typedef struct {
    int64_t body_bytes;    // as received, before any decoding
    int64_t header_bytes;
    long new_connections;
    long os_error;         // errno of a failed connect()
    int http_version;      // 10, 11 or 20, 0 if unknown
    int64_t connect_us, first_byte_us, total_us;
} ccurl_info;

ccurl_info ccurl_transfer_info(const ccurl_transfer *transfer);

/// The CURLcodes that the fetcher distinguishes.
typedef enum {
    CCURL_OK, CCURL_TIMEOUT, CCURL_RESOLVE, CCURL_CONNECT, CCURL_TLS, CCURL_CERTIFICATE, CCURL_PARTIAL, CCURL_ENCODING,
    CCURL_ABORTED, CCURL_URL, CCURL_LINE, CCURL_OTHER
} ccurl_outcome;

ccurl_outcome ccurl_outcome_of(int result);
const char *ccurl_describe(int result);

// URLs, parsed by the same parser as the transfer's URL

typedef enum { CCURL_URL_WHOLE, CCURL_URL_SCHEME, CCURL_URL_HOST, CCURL_URL_PORT, CCURL_URL_USER, CCURL_URL_PASSWORD,
    CCURL_URL_OPTIONS, CCURL_URL_ZONE } ccurl_url_part;

/// Parses `text`, which may be relative if there is a `base`. NULL if malformed.
ccurl_url *ccurl_url_parse(const char *text, const char *base);
/// NULL if the URL has no such part. Otherwise free the string with ccurl_free.
char *ccurl_url_get(ccurl_url *url, ccurl_url_part part);
void ccurl_url_destroy(ccurl_url *url);
void ccurl_free(char *string);
