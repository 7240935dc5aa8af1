#pragma once
#include "ImageResult.h"

/// A video file in memory. Some of its bytes may be left out.
typedef struct {
    const uint8_t *data;
    size_t size;
    uint64_t gapStart, gapLength;  // the range of the file that is left out; length 0 if nothing is
} ImageVideoFile;

/// Decodes the first frame of an MP4 or QuickTime file. Does not turn the frame as the file says. The result must be freed with
/// `ImageResultFree`.
void ImageVideoDecode(ImageVideoFile file, uint32_t maxPixels, int maxSide, ImageResult *result);
