#pragma once
#include "ImageResult.h"

/// A video file in memory, of which some bytes may have been left out.
typedef struct {
    const uint8_t *data;
    size_t size;
    uint64_t gapStart, gapLength;  // where in the file nothing is known, 0 bytes long for none
} ImageVideoFile;

/// Decodes the first frame of an MP4 or QuickTime file, not turned as the file says. The result must be freed with
/// `ImageResultFree`.
void ImageVideoDecode(ImageVideoFile file, uint32_t maxPixels, int maxSide, ImageResult *result);
