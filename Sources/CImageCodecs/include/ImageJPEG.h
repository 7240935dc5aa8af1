#pragma once
#include <stddef.h>
#include <stdint.h>

// JPEG decoding through libjpeg, for what TurboJPEG's own interface cannot do: stopping a progressive picture early, and
// sampling factors it does not name. libjpeg reports errors by longjmp, which Swift cannot live with, so it ends here.

/// One component of a decoded picture, or all of them interleaved.
typedef struct {
    uint8_t *samples;
    int width, height, stride;  // in samples (a packed pixel is one sample of 4 bytes; stride is in bytes)
    double extentX, extentY;    // how many samples the picture really spans: 4001 px at 1/8 are 500.125
} ImageJPEGPlane;

typedef struct {
    int denominator;    // decode at 1/1, 1/2, 1/4 or 1/8
    int stopAfterScan;  // a progressive picture is shown as it is after this scan, once every low coefficient has come
    int maxScans;       // more scans than this are an error
    int packed;         // 0: YCbCr or grey planes; 1: RGBX pixels (CMYK when the file is CMYK or YCCK)
    long maxMemory;     // bytes libjpeg may hold
} ImageJPEGOptions;

typedef struct {
    ImageJPEGPlane planes[3];
    int planeCount;
    int cmyk;           // packed pixels are C, M, Y, K as the file has them: 255 means no ink
    int scans;          // scans read
    int truncated;      // the data ended inside a scan
    int damaged;        // some of the data of a scan was lost or cannot be read
    char message[200];  // why it failed, or the last warning
} ImageJPEGResult;

/// Decodes `data`. Returns NULL only when there is no memory for the context. `ok` tells success; the result must be
/// freed with `ImageJPEGFree` in either case.
ImageJPEGResult *ImageJPEGDecode(const uint8_t *data, size_t size, ImageJPEGOptions options, int *ok);
void ImageJPEGFree(ImageJPEGResult *result);
