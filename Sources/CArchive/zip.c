#include "CArchive.h"

#include <archive.h>
#include <archive_entry.h>
#include <locale.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct zip_stream {
  struct archive *archive;
  // Names are marked as UTF-8 only in a locale of it.
  locale_t utf8;
  uint8_t *bytes;
  size_t count;
  size_t capacity;
  bool is_taken;
};

static la_ssize_t collect(struct archive *archive, void *owner, const void *bytes, size_t count) {
  (void)archive;
  zip_stream *zip = owner;
  if (zip->is_taken) zip->count = 0;
  zip->is_taken = false;
  if (count > zip->capacity - zip->count) {
    size_t capacity = zip->capacity ? zip->capacity : 4096;
    while (capacity - zip->count < count) capacity *= 2;
    uint8_t *grown = realloc(zip->bytes, capacity);
    if (!grown) return -1;
    zip->bytes = grown;
    zip->capacity = capacity;
  }
  memcpy(zip->bytes + zip->count, bytes, count);
  zip->count += count;
  return (la_ssize_t)count;
}

zip_stream *zip_stream_open(void) {
  zip_stream *zip = calloc(1, sizeof *zip);
  if (!zip) return NULL;
  zip->utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
  zip->archive = archive_write_new();
  if (!zip->utf8 || !zip->archive || archive_write_set_format_zip(zip->archive) != ARCHIVE_OK ||
      archive_write_zip_set_compression_store(zip->archive) != ARCHIVE_OK ||
      // As it comes, without blocks of its own.
      archive_write_set_bytes_per_block(zip->archive, 0) != ARCHIVE_OK ||
      archive_write_open(zip->archive, zip, NULL, collect, NULL) != ARCHIVE_OK) {
    zip_stream_free(zip);
    return NULL;
  }
  return zip;
}

int zip_stream_begin(zip_stream *zip, const char *name, int64_t size, int64_t modified) {
  struct archive_entry *entry = archive_entry_new();
  if (!entry) return -1;
  locale_t before = uselocale(zip->utf8);
  archive_entry_copy_pathname(entry, name);
  archive_entry_set_filetype(entry, AE_IFREG);
  archive_entry_set_perm(entry, 0644);
  archive_entry_set_size(entry, size);
  archive_entry_set_mtime(entry, modified, 0);
  int result = archive_write_header(zip->archive, entry);
  uselocale(before);
  archive_entry_free(entry);
  return result == ARCHIVE_OK ? 0 : -1;
}

int zip_stream_write(zip_stream *zip, const void *bytes, size_t count) {
  return archive_write_data(zip->archive, bytes, count) == (la_ssize_t)count ? 0 : -1;
}

int zip_stream_end(zip_stream *zip) { return archive_write_close(zip->archive) == ARCHIVE_OK ? 0 : -1; }

const uint8_t *zip_stream_take(zip_stream *zip, size_t *count) {
  *count = zip->is_taken ? 0 : zip->count;
  zip->is_taken = true;
  return zip->bytes;
}

void zip_stream_free(zip_stream *zip) {
  if (!zip) return;
  if (zip->archive) {
    // An archive that was not ended must not be written any more.
    archive_write_fail(zip->archive);
    archive_write_free(zip->archive);
  }
  if (zip->utf8) freelocale(zip->utf8);
  free(zip->bytes);
  free(zip);
}
