// zlib's one-call compression, and its checksum.
#ifndef CZLIB_H
#define CZLIB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Maximum compressed size of `count` bytes.
size_t czlib_bound(size_t count);

// Compresses `from` into `to`. `*written` is the capacity before the call and the number of bytes written after it.
bool czlib_compress(const unsigned char *from, size_t count, unsigned char *to, size_t *written);

// Reverses czlib_compress. Also returns false if the data is not in zlib's format or does not fit.
bool czlib_expand(const unsigned char *from, size_t count, unsigned char *to, size_t *written);

// Returns the CRC-32 of earlier bytes followed by `count` more. `before` is the CRC-32 of the earlier bytes, 0 if there are none.
uint32_t czlib_crc32(uint32_t before, const unsigned char *bytes, size_t count);

#endif
