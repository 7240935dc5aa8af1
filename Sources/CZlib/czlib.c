#include "CZlib.h"

#include <zlib.h>

size_t czlib_bound(size_t count) { return compressBound(count); }

bool czlib_compress(const unsigned char *from, size_t count, unsigned char *to, size_t *written) {
    uLongf room = *written;
    if (compress2(to, &room, from, count, Z_BEST_SPEED) != Z_OK) return false;
    *written = room;
    return true;
}

bool czlib_expand(const unsigned char *from, size_t count, unsigned char *to, size_t *written) {
    uLongf room = *written;
    if (uncompress(to, &room, from, count) != Z_OK) return false;
    *written = room;
    return true;
}

uint32_t czlib_crc32(uint32_t before, const unsigned char *bytes, size_t count) {
    // Without bytes zlib would start again from 0.
    return count ? (uint32_t)crc32_z(before, bytes, count) : before;
}
