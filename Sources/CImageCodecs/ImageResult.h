#pragma once
#include "include/ImageResult.h"

// Colour coding of a picture that is coded as video frames (ITU-T H.273).
typedef struct {
    int depth;      // bits per sample: 8, or up to 16 in two bytes
    int fullRange;  // otherwise luma is 16...235 and chroma 16...240, scaled to the depth
    int matrix;     // MatrixCoefficients
    int isRGB;      // the planes are red, green and blue, of full range
    int shrink;     // number of samples in each direction that are averaged to one; 0 counts as 1
} ImageCoding;

typedef struct {
    const uint8_t *samples;
    size_t stride;  // in bytes
    int width, height;
} ImageSource;

/// Stores the reason for a failed decode. Returns 0.
int ImageFail(ImageResult *result, ImageOutcome outcome, const char *message);
/// Whether `ImageTakePlanes` supports the matrix. For other matrices, the library converts to pixels.
int ImageKnowsMatrix(int matrix);
/// Copies planes and converts them to JPEG's form, or to opaque pixels if they are red, green and blue. `count` is 1 or 3. Returns 1 on
/// success.
int ImageTakePlanes(ImageResult *result, const ImageSource *sources, int count, ImageCoding coding);
/// Allocates memory for pixels. Returns 1 on success.
int ImageMakePixels(ImageResult *result, int width, int height);
