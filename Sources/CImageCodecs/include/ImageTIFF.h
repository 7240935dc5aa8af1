#pragma once
#include "ImageResult.h"

typedef struct {
    uint64_t directory;      // offset of the directory to decode
    uint32_t width, height;  // must be equal to the directory's values
    uint32_t shrink;         // side of the squares of pixels that are averaged to one pixel, 1 or more
    uint64_t maxMemory;      // maximum size of a decoded strip or row of tiles, in bytes
} ImageTIFFOptions;

/// Decodes a picture of a TIFF file into pixels, strip by strip or by rows of tiles. Does not turn the picture as the file says. The result
/// must be freed with `ImageResultFree`.
void ImageTIFFDecode(const uint8_t *data, size_t size, ImageTIFFOptions options, ImageResult *result);
