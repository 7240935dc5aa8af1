#pragma once
#include <stddef.h>
#include <stdint.h>

/// The inflated iCCP profile of a PNG's leading chunks, or NULL; to be freed with `free`. libpng refuses one above
/// `maxBytes` before inflating it.
uint8_t *ImagePNGCopyProfile(const uint8_t *data, size_t size, size_t maxBytes, size_t *profileSize);

/// Reads as much of a PNG as can be read, row by row, into `pixels`: `width` x `height` of 4 bytes, RGBA in sRGB, which are
/// to be zero before. Of an interlaced picture a pixel stands for its neighbours until they come. Returns how many rows of
/// all passes came, 0 where there is nothing to show.
size_t ImagePNGSalvage(const uint8_t *data, size_t size, uint32_t width, uint32_t height, uint8_t *pixels);
