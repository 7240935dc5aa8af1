#pragma once
#include <stddef.h>
#include <stdint.h>

// The result of a decoder for an optional format. No header in this folder includes the libraries' headers, so Swift compiles against the
// same headers whether or not the libraries are built in.

typedef struct {
    uint8_t *samples;   // rows without gaps between them
    int width, height;  // in samples; a pixel is one sample of 4 bytes
} ImagePlane;

typedef enum {
    ImageDecoded,
    ImageTruncated,    // the data ended early
    ImageBroken,       // the data are invalid
    ImageOutOfMemory,  // or a limit of the library is exceeded
    ImageNotBuiltIn,   // this build or its library lacks the format
    ImageOddBoxes,     // the library cannot read the file's boxes; another library may
} ImageOutcome;

typedef struct {
    ImageOutcome outcome;
    ImagePlane planes[3];
    int planeCount;     // 1: luma; 3: luma, blue and red as in JPEG: 8 bits, full range, BT.601
    int packed;         // one plane of red, green, blue and alpha, not premultiplied
    int opaque;         // the alpha of packed pixels has no meaning
    int cmyk;           // packed pixels are cyan, magenta, yellow and black, with 255 for no ink
    int damaged;        // some of the data is missing or unreadable
    uint8_t *profile;   // ICC profile of the pixels, if the file's header does not contain it
    size_t profileSize;
    char message[200];  // the reason for a failure
} ImageResult;

void ImageResultFree(ImageResult *result);
