#pragma once
#include <stddef.h>
#include <stdint.h>

/// A ZIP archive as it is written: its bytes are taken out as they come, and none is ever changed. Entries are stored, not
/// compressed. Used by one thread at a time.
typedef struct zip_stream zip_stream;

/// NULL where there is no memory.
zip_stream *_Nullable zip_stream_open(void);

/// Begins an entry and ends the one before.
///
/// @param name UTF-8.
/// @param size Of its data, which follow, all of them.
/// @param modified Seconds since 1970.
/// @return 0, or -1 where the archive cannot be written.
int zip_stream_begin(zip_stream *_Nonnull zip, const char *_Nonnull name, int64_t size, int64_t modified);

/// Writes more of the entry's data. As zip_stream_begin.
int zip_stream_write(zip_stream *_Nonnull zip, const void *_Nullable bytes, size_t count);

/// Ends the archive: its directory is written. As zip_stream_begin.
int zip_stream_end(zip_stream *_Nonnull zip);

/// The bytes written since the last take; valid until the next call.
const uint8_t *_Nullable zip_stream_take(zip_stream *_Nonnull zip, size_t *_Nonnull count);

void zip_stream_free(zip_stream *_Nullable zip);
