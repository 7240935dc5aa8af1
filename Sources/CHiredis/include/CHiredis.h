// What a client of Redis needs of hiredis, and no more: only what 0.14.1 and 1.x have in common.
//
// hiredis.h drags <sys/time.h> and variadics into whoever imports it; so it stays behind these few plain functions. Nothing
// here is thread safe except chiredis_loop_wake. No function may be called from within a callback but those that read a reply.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct chiredis_loop chiredis_loop;              // an epoll set
typedef struct chiredis_connection chiredis_connection;  // one asynchronous connection

/// NULL when the process is out of file descriptors or memory.
chiredis_loop *chiredis_loop_create(void);
/// Every connection must have been closed.
void chiredis_loop_destroy(chiredis_loop *loop);
/// Makes the running or the next turn return at once. Any thread.
void chiredis_loop_wake(chiredis_loop *loop);
/// Waits for sockets, a wake, or `wait_us` (negative: for ever), then lets hiredis read and write. Callbacks come from
/// here, from chiredis_flush and from chiredis_close.
void chiredis_loop_turn(chiredis_loop *loop, int64_t wait_us);
/// Blocks SIGPIPE for the calling thread, which turns the loop: hiredis writes to sockets that may be gone.
void chiredis_block_broken_pipes(void);

typedef struct {
    /// Connected, or not; where it is not, `lost` follows.
    void (*connected)(void *context, bool succeeded);
    /// A reply to the command with this tag, to be read only within the callback. NULL where the connection was lost before it
    /// came. Comes once for each command, and again and again for a subscription.
    void (*reply)(void *context, uint64_t tag, const void *reply);
    /// The connection is gone; nothing can be sent any more. It is still to be closed.
    void (*lost)(void *context);
} chiredis_callbacks;

// Asks a sentinel, at a numeric address, where the server of a name is: its address, ended by 0, and port. User and password,
// each NULL for none, are what it lets in by, if it needs any. Waits, at most three times `wait_ms`; false where it does not say,
// or not in so much room.
bool chiredis_sentinel(
    const char *address, int port, const char *user, const char *password, const char *name, int wait_ms, char *found,
    size_t room, int *found_port);

/// Begins to connect to a numeric address. NULL where that fails at once.
chiredis_connection *chiredis_connect(
    chiredis_loop *loop, const char *address, int port, void *context, chiredis_callbacks callbacks);
/// Ends the connection if it is not gone, with NULL for every command that has no reply, and frees it.
void chiredis_close(chiredis_connection *connection);
/// Sends a command of `count` words, which follow each other in `bytes`, with the next chiredis_flush. False when it cannot be
/// sent: no callback comes.
bool chiredis_send(
    chiredis_connection *connection, int count, const char *bytes, const size_t *lengths, uint64_t tag);
/// Writes what was sent, as far as the socket takes it now; the rest follows in turns of the loop.
void chiredis_flush(chiredis_connection *connection);

// Replies

typedef enum { CHIREDIS_NIL, CHIREDIS_INTEGER, CHIREDIS_BYTES, CHIREDIS_ERROR, CHIREDIS_ARRAY } chiredis_kind;

chiredis_kind chiredis_reply_kind(const void *reply);
int64_t chiredis_reply_integer(const void *reply);
/// Of bytes, a status or an error.
const char *chiredis_reply_bytes(const void *reply, size_t *count);
size_t chiredis_reply_count(const void *reply);
const void *chiredis_reply_element(const void *reply, size_t index);
