#pragma once
#include <stddef.h>
#include <stdint.h>

/// The inflated iCCP profile of a PNG's leading chunks, or NULL; to be freed with `free`. libpng refuses one above
/// `maxBytes` before inflating it.
uint8_t *ImagePNGCopyProfile(const uint8_t *data, size_t size, size_t maxBytes, size_t *profileSize);
