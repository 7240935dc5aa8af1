#pragma once
#include "ImageResult.h"

/// Decodes the picture of a JPEG XL file, of an animation the first frame, into pixels; not turned as the file says. The result
/// must be freed with `ImageResultFree`.
void ImageJXLDecode(const uint8_t *data, size_t size, uint32_t maxPixels, int maxSide, ImageResult *result);
