#pragma once
#include "ImageResult.h"

/// Decodes the picture of an AVIF file, of an animation the still one or the first frame; not turned or cropped as the file says.
/// The result must be freed with `ImageResultFree`.
void ImageAVIFDecode(const uint8_t *data, size_t size, uint32_t maxPixels, int maxSide, ImageResult *result);
