#pragma once
#ifdef LOOKAHEAD_TIFF
#include <stdint.h>
#include <tiffio.h>

// Pictures of a TIFF that libtiff decodes but makes no colours of, or other ones than editors show: CIE L*a*b*, inks, samples of
// 9 to 15 or 32 bits, and floating point.
typedef struct ImageTIFFSamples ImageTIFFSamples;

/// Whether the file's current directory is such a picture.
int ImageTIFFNeedsSamples(TIFF *file);
/// Returns NULL where there is no memory, or more is needed than allowed.
ImageTIFFSamples *ImageTIFFSamplesBegin(TIFF *file, uint64_t maxMemory);
void ImageTIFFSamplesEnd(ImageTIFFSamples *samples);
/// Whether its pixels are cyan, magenta, yellow and black, 255 for no ink.
int ImageTIFFSamplesAreInks(const ImageTIFFSamples *samples);
int ImageTIFFSamplesHaveAlpha(const ImageTIFFSamples *samples);
/// Reads a strip or a row of tiles, which begins at `row`, as pixels with their alpha multiplied in. Returns 1 where all of it
/// was there; else pixels may be missing.
int ImageTIFFSamplesRead(ImageTIFFSamples *samples, uint32_t *pixels, uint32_t row, uint32_t rows);
#endif
