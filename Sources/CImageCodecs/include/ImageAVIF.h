#pragma once
#include "ImageResult.h"

/// Decodes the picture of an AVIF file. For an animation, decodes the still picture or the first frame. Does not turn or crop the picture
/// as the file says. The result must be freed with `ImageResultFree`.
void ImageAVIFDecode(const uint8_t *data, size_t size, uint32_t maxPixels, int maxSide, ImageResult *result);
