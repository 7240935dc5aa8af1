#pragma once
#include "ImageResult.h"

/// Loads the files that libheif needs, such as its decoders. Must be called before the process loses the right to open files. Returns 0 if
/// this build has no HEIF.
int ImageHEIFPrepare(void);

/// The turn that the file states and the decoder applies. Planes may be larger than the picture, because video frames are coded in blocks.
/// The picture is then in one corner of the planes.
typedef struct {
    int swapsSides;     // whether the width of the upright picture is the stored height
    int right, bottom;  // whether the picture is at the right end of the rows, and in the bottom rows
} ImageTurn;

/// Decodes the primary picture of a HEIF file, turned and cropped as the file says. Decodes a thumbnail instead if the file has one of the
/// picture's proportions with at least `enoughWidth` x `enoughHeight` pixels, and chooses the smallest. 0 x 0 requests the picture itself
/// at full size. A picture that is much larger than enough is reduced to a half, a third … of its size, but stays at least twice as large
/// as enough. No side is longer than `maxSide`. The result must be freed with `ImageResultFree`.
void ImageHEIFDecode(const uint8_t *data, size_t size, int enoughWidth, int enoughHeight, int maxSide, ImageTurn turn,
                     ImageResult *result);

/// Decodes the picture of an AVIF file with libheif, which needs libaom. Does not turn or crop the picture as the file says. Accepts files
/// whose boxes libavif refuses. The result must be freed with `ImageResultFree`.
void ImageHEIFDecodeAVIF(const uint8_t *data, size_t size, int maxSide, ImageResult *result);

/// Decodes the smallest thumbnail of the primary picture that has the picture's proportions. Never decodes the picture itself.
void ImageHEIFDecodeThumbnail(const uint8_t *data, size_t size, int maxSide, ImageTurn turn, ImageResult *result);
