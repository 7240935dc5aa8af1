#pragma once
#include "ImageResult.h"

typedef struct {
    uint64_t directory;      // the offset of the directory to decode
    uint32_t width, height;  // what it must say
    uint32_t shrink;         // averages squares of so many pixels to one, 1 or more
    uint64_t maxMemory;      // bytes of one strip, or row of tiles, when it is decoded
} ImageTIFFOptions;

/// Decodes a picture of a TIFF file strip by strip, or by rows of tiles, into pixels, not turned as the file says. The result
/// must be freed with `ImageResultFree`.
void ImageTIFFDecode(const uint8_t *data, size_t size, ImageTIFFOptions options, ImageResult *result);
