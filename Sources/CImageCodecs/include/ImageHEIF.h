#pragma once
#include "ImageResult.h"

/// Loads what libheif opens files for, such as its decoders: before a process may open none any more. Returns 0 where this
/// build is without HEIF.
int ImageHEIFPrepare(void);

/// How a picture is turned as the file says, by the decoder. Planes may be larger than it, because video frames are coded in
/// blocks: it then stands in one of their corners.
typedef struct {
    int swapsSides;     // whether upright width is stored height
    int right, bottom;  // whether it stands at the end of the rows, or in the last of them
} ImageTurn;

/// Decodes the primary picture of a HEIF file, turned and cropped as the file says; in its stead the smallest thumbnail of it in
/// the file that is at least `enoughWidth` x `enoughHeight` pixels, where there is one of its proportions; 0 x 0 wants the
/// picture itself in all its pixels. One that is much larger than enough comes at a half, a third … of its size, still at least
/// twice as large as enough. No side is longer than `maxSide`. The result must be freed with `ImageResultFree`.
void ImageHEIFDecode(const uint8_t *data, size_t size, int enoughWidth, int enoughHeight, int maxSide, ImageTurn turn,
                     ImageResult *result);

/// Decodes the picture of an AVIF file by libheif, if its library has libaom; not turned or cropped as the file says. It takes files
/// that libavif refuses for how their boxes are written. The result must be freed with `ImageResultFree`.
void ImageHEIFDecodeAVIF(const uint8_t *data, size_t size, int maxSide, ImageResult *result);

/// Decodes the smallest thumbnail of its proportions that the file has of its primary picture, and never the picture itself.
void ImageHEIFDecodeThumbnail(const uint8_t *data, size_t size, int maxSide, ImageTurn turn, ImageResult *result);
