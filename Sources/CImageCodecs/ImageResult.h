#pragma once
#include "include/ImageResult.h"

// How a picture coded as video frames has its colours (ITU-T H.273).
typedef struct {
    int depth;      // bits of a sample: 8, or up to 16 in two bytes
    int fullRange;  // else luma is 16...235 and chroma 16...240, scaled to the depth
    int matrix;     // MatrixCoefficients
    int shrink;     // how many samples across and down become one; 0 as 1
} ImageCoding;

typedef struct {
    const uint8_t *samples;
    size_t stride;  // in bytes
    int width, height;
} ImageSource;

/// Ends a decode: keeps the reason. Returns 0.
int ImageFail(ImageResult *result, ImageOutcome outcome, const char *message);
/// Whether `ImageTakePlanes` knows the matrix; of others the library makes pixels.
int ImageKnowsMatrix(int matrix);
/// Copies planes and makes of them what JPEG has. `count` is 1 or 3. Returns 1 on success.
int ImageTakePlanes(ImageResult *result, const ImageSource *sources, int count, ImageCoding coding);
/// Makes room for pixels. Returns 1 on success.
int ImageMakePixels(ImageResult *result, int width, int height);
