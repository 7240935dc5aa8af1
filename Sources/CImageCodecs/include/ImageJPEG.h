#pragma once
#include <stddef.h>
#include <stdint.h>

// JPEG decoding with libjpeg, for features that TurboJPEG's own interface lacks: stopping a progressive picture early, and unusual sampling
// factors. libjpeg reports errors by longjmp, which must not cross Swift code, so no jump leaves these functions.

/// One component of a decoded picture, or all of them interleaved.
typedef struct {
    uint8_t *samples;
    int width, height, stride;  // in samples (a packed pixel is one sample of 4 bytes; stride is in bytes)
    double extentX, extentY;    // samples that the picture spans: a picture 4001 pixels wide spans 500.125 at 1/8
} ImageJPEGPlane;

typedef struct {
    int denominator;    // decode at 1/1, 1/2, 1/4 or 1/8
    int stopAfterScan;  // a progressive picture is shown after this scan, if every low coefficient has arrived
    int maxScans;       // more scans are an error
    int packed;         // 0: YCbCr or grey planes; 1: RGBX pixels (CMYK if the file is CMYK or YCCK)
    long maxMemory;     // memory that libjpeg may use, in bytes
} ImageJPEGOptions;

typedef struct {
    ImageJPEGPlane planes[3];
    int planeCount;
    int cmyk;           // packed pixels are C, M, Y, K as in the file: 255 means no ink
    int scans;          // number of scans read
    int truncated;      // the data ended inside a scan
    int damaged;        // some data of a scan is missing or unreadable
    char message[200];  // the reason for a failure, or the first warning
} ImageJPEGResult;

/// Decodes `data`. Returns NULL only if there is no memory for the context. `ok` is 1 on success, otherwise 0. The result must be freed
/// with `ImageJPEGFree` in both cases.
ImageJPEGResult *ImageJPEGDecode(const uint8_t *data, size_t size, ImageJPEGOptions options, int *ok);
void ImageJPEGFree(ImageJPEGResult *result);
