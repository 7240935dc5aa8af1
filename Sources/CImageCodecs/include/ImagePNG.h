#pragma once
#include <stddef.h>
#include <stdint.h>

/// Returns the inflated iCCP profile in the leading chunks of a PNG, or NULL. The caller frees it with `free`. libpng refuses a profile
/// above `maxBytes` before inflating it.
uint8_t *ImagePNGCopyProfile(const uint8_t *data, size_t size, size_t maxBytes, size_t *profileSize);

/// Reads as many rows of a PNG as possible into `pixels`: `width` x `height` pixels of 4 bytes, RGBA in sRGB. The caller must set all bytes
/// to zero before. In an interlaced picture, a pixel fills the place of its neighbours until they arrive. Returns the number of rows read
/// in all passes, or 0 if there is nothing to show.
size_t ImagePNGSalvage(const uint8_t *data, size_t size, uint32_t width, uint32_t height, uint8_t *pixels);
