#include "CMicroHTTPD.h"

#include <zlib.h>

size_t micro_gzip(const void *bytes, size_t size, void *out, size_t capacity) {
  z_stream stream = {0};
  const int gzip = 16 + MAX_WBITS;
  if (size > UINT32_MAX || capacity > UINT32_MAX) return 0;
  if (deflateInit2(&stream, 6, Z_DEFLATED, gzip, 8, Z_DEFAULT_STRATEGY) != Z_OK) return 0;
  stream.next_in = (Bytef *)bytes;
  stream.avail_in = (uInt)size;
  stream.next_out = out;
  stream.avail_out = (uInt)capacity;
  const int end = deflate(&stream, Z_FINISH);
  const size_t written = stream.total_out;
  deflateEnd(&stream);
  return end == Z_STREAM_END ? written : 0;
}
