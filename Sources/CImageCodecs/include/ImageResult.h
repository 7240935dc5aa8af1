#pragma once
#include <stddef.h>
#include <stdint.h>

// The answer of the optional formats' decoders. Their libraries are named by no header here: Swift compiles against
// the same headers whether they are built in or not.

typedef struct {
    uint8_t *samples;   // rows follow each other without a gap
    int width, height;  // in samples; a pixel is one sample of 4 bytes
} ImagePlane;

typedef enum {
    ImageDecoded,
    ImageTruncated,    // the data ended early
    ImageBroken,       // the data contradict themselves
    ImageOutOfMemory,  // or over a limit of the library's
    ImageNotBuiltIn,   // this build or its library is without the format
    ImageOddBoxes,     // broken for this library, which does not know how the file's boxes are written
} ImageOutcome;

typedef struct {
    ImageOutcome outcome;
    ImagePlane planes[3];
    int planeCount;     // 1: luma; 3: luma, blue and red as JPEG has them: 8 bits, full range, BT.601
    int packed;         // one plane of red, green, blue and alpha, not premultiplied
    int opaque;         // the alpha of packed pixels says nothing
    int cmyk;           // packed pixels are cyan, magenta, yellow and black, 255 for no ink
    int damaged;        // some of the data was lost or cannot be read
    uint8_t *profile;   // the ICC profile of the pixels, if the file's header does not tell it
    size_t profileSize;
    char message[200];  // why it failed
} ImageResult;

void ImageResultFree(ImageResult *result);
