// zlib's one-call compression, and its checksum.
#ifndef CZLIB_H
#define CZLIB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Bytes that czlib_compress may need for so many.
size_t czlib_bound(size_t count);

// Writes at most *written bytes to `to`, and tells in *written how many.
bool czlib_compress(const unsigned char *from, size_t count, unsigned char *to, size_t *written);

// The same in the other direction; false also where the bytes are not zlib's, or are more than there is room for.
bool czlib_expand(const unsigned char *from, size_t count, unsigned char *to, size_t *written);

// The CRC-32 of what `before` is that of, which is 0 for nothing, and `count` bytes after it.
uint32_t czlib_crc32(uint32_t before, const unsigned char *bytes, size_t count);

#endif
