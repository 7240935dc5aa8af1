#pragma once
#include "ImageResult.h"

/// Decodes the picture of a JPEG XL file into pixels. For an animation, decodes the first frame. Does not turn the picture as the file
/// says. The result must be freed with `ImageResultFree`.
void ImageJXLDecode(const uint8_t *data, size_t size, uint32_t maxPixels, int maxSide, ImageResult *result);
