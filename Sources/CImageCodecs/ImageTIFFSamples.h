#pragma once
#ifdef LOOKAHEAD_TIFF
#include <stdint.h>
#include <tiffio.h>

// A reader for TIFF pictures that libtiff decodes but cannot convert to colours, or converts to other colours than editors do: CIE L*a*b*,
// inks, samples of 9 to 15 or 32 bits, floating point, and palettes with alpha.
typedef struct ImageTIFFSamples ImageTIFFSamples;

/// Whether the picture in the file's current directory must be read this way.
int ImageTIFFNeedsSamples(TIFF *file);
/// Returns NULL if there is no memory, or if more memory is needed than allowed.
ImageTIFFSamples *ImageTIFFSamplesBegin(TIFF *file, uint64_t maxMemory);
void ImageTIFFSamplesEnd(ImageTIFFSamples *samples);
/// Whether the pixels are cyan, magenta, yellow and black, with 255 for no ink.
int ImageTIFFSamplesAreInks(const ImageTIFFSamples *samples);
int ImageTIFFSamplesHaveAlpha(const ImageTIFFSamples *samples);
/// Reads a strip or a row of tiles that begins at `row`, as pixels premultiplied by alpha. Returns 1 if everything was read. Otherwise
/// pixels may be missing.
int ImageTIFFSamplesRead(ImageTIFFSamples *samples, uint32_t *pixels, uint32_t row, uint32_t rows);
#endif
