#include "ImageTIFF.h"
#include "ImageResult.h"
#include "ImageTIFFSamples.h"

#ifndef LOOKAHEAD_TIFF

void ImageTIFFDecode(const uint8_t *data, size_t size, ImageTIFFOptions options, ImageResult *result) {
    (void)data, (void)size, (void)options;
    ImageFail(result, ImageNotBuiltIn, "TIFF");
}

#else

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tiffio.h>

// The file in memory, as libtiff reads it, and the errors that libtiff reported.
typedef struct {
    const uint8_t *data;
    uint64_t size, offset;
    int errors, ended, corrupt;
    char message[200];
} Source;

static tmsize_t readBytes(thandle_t handle, void *into, tmsize_t count) {
    Source *source = handle;
    uint64_t left = source->offset < source->size ? source->size - source->offset : 0;
    tmsize_t taken = (uint64_t)count < left ? count : (tmsize_t)left;
    memcpy(into, source->data + source->offset, taken);
    source->offset += taken;
    if (taken < count) source->ended = 1;
    return taken;
}

static tmsize_t writeBytes(thandle_t handle, void *from, tmsize_t count) { return (void)handle, (void)from, (void)count, 0; }

static toff_t seekTo(thandle_t handle, toff_t offset, int whence) {
    Source *source = handle;
    source->offset = whence == SEEK_SET ? offset : whence == SEEK_CUR ? source->offset + offset : source->size + offset;
    if (source->offset > source->size) source->offset = source->size;
    return source->offset;
}

static int closeNothing(thandle_t handle) { return (void)handle, 0; }
static toff_t sizeOf(thandle_t handle) { return ((Source *)handle)->size; }

static void onError(thandle_t handle, const char *module, const char *format, va_list arguments) {
    (void)module;
    Source *source = handle;
    if (source && !source->errors++) vsnprintf(source->message, sizeof source->message, format, arguments);
}

// libtiff only warns of damage within a JPEG strip. Stray bytes between JPEG segments do no harm.
static void onWarning(thandle_t handle, const char *module, const char *format, va_list arguments) {
    Source *source = handle;
    char text[200];
    if (!source || !module || strcmp(module, "JPEGLib")) return;
    vsnprintf(text, sizeof text, format, arguments);
    int isCorrupt = strstr(text, "Corrupt JPEG data") || strstr(text, "Premature end of JPEG");
    if (isCorrupt && !strstr(text, "extraneous")) source->corrupt = 1;
}

// If the file ended early, a part that cannot be read counts as missing, not as broken.
static int fail(ImageResult *result, const Source *source) {
    return ImageFail(result, source->ended ? ImageTruncated : ImageBroken, source->message);
}

// Adds rows of pixels to the boxes of the result's row. The colours are premultiplied by alpha.
static void addRows(uint32_t *sums, const uint32_t *pixels, uint32_t width, uint32_t rows, uint32_t shrink) {
    for (uint32_t y = 0; y < rows; y++) {
        for (uint32_t x = 0; x < width; x++) {
            uint32_t pixel = pixels[(size_t)width * y + x], *sum = sums + (size_t)(x / shrink) * 4;
            sum[0] += TIFFGetR(pixel);
            sum[1] += TIFFGetG(pixel);
            sum[2] += TIFFGetB(pixel);
            sum[3] += TIFFGetA(pixel);
        }
    }
}

static void finishRow(uint8_t *row, uint32_t *sums, uint32_t width, uint32_t rows, uint32_t shrink, int isCMYK) {
    uint32_t count = (width + shrink - 1) / shrink;
    for (uint32_t x = 0; x < count; x++) {
        uint32_t inBox = (x + 1) * shrink <= width ? shrink : width - x * shrink;
        uint32_t *sum = sums + (size_t)x * 4, pixels = inBox * rows, alpha = sum[3];
        for (int channel = 0; isCMYK && channel < 4; channel++)
            row[x * 4 + channel] = (uint8_t)((sum[channel] + pixels / 2) / pixels);
        if (isCMYK) continue;
        for (int channel = 0; channel < 3; channel++) {
            uint64_t value = alpha ? ((uint64_t)sum[channel] * 255 + alpha / 2) / alpha : 0;
            row[x * 4 + channel] = value > 255 ? 255 : (uint8_t)value;
        }
        row[x * 4 + 3] = (uint8_t)((alpha + pixels / 2) / pixels);
    }
    memset(sums, 0, (size_t)count * 4 * sizeof *sums);
}

// Number of rows that are decoded together: a strip or a row of tiles.
static uint32_t rowsAtOnce(TIFF *file, uint32_t height) {
    uint32_t rows = 0;
    if (TIFFIsTiled(file)) TIFFGetField(file, TIFFTAG_TILELENGTH, &rows);
    else TIFFGetFieldDefaulted(file, TIFFTAG_ROWSPERSTRIP, &rows);
    return rows == 0 || rows > height ? height : rows;
}

// The reader of a picture: libtiff's own, or the reader for single samples.
typedef struct {
    TIFFRGBAImage *image;
    ImageTIFFSamples *samples;
} Reader;

static int readRows(Reader reader, uint32_t *pixels, uint32_t width, uint32_t row, uint32_t rows) {
    if (reader.samples) return ImageTIFFSamplesRead(reader.samples, pixels, row, rows);
    reader.image->row_offset = (int)row;
    reader.image->col_offset = 0;
    return TIFFRGBAImageGet(reader.image, pixels, width, rows);
}

static int readPixels(Reader reader, uint32_t rows, ImageTIFFOptions options, Source *source, ImageResult *result) {
    int isCMYK = reader.samples && ImageTIFFSamplesAreInks(reader.samples), missing = isCMYK ? 255 : 0;
    int hasAlpha = reader.samples ? ImageTIFFSamplesHaveAlpha(reader.samples) : reader.image->alpha;
    uint32_t width = options.width, height = options.height, shrink = options.shrink;
    uint32_t columns = (width + shrink - 1) / shrink, lines = (height + shrink - 1) / shrink;
    if (!ImageMakePixels(result, (int)columns, (int)lines)) return 0;
    uint32_t *pixels = malloc((size_t)width * rows * 4), *sums = calloc((size_t)columns * 4, sizeof *sums);
    int isRead = 0;
    for (uint32_t row = 0; pixels && sums && row < height; row += rows) {
        uint32_t here = height - row < rows ? height - row : rows;
        int errors = source->errors;
        memset(pixels, missing, (size_t)width * here * 4);
        int isWhole = readRows(reader, pixels, width, row, here) && source->errors == errors;
        if (!isWhole) result->damaged = 1;
        // Rows that cannot be read become transparent, or without ink. A picture in one piece is not cleared, because a part of it may have
        // been read.
        if (!isWhole && rows < height) memset(pixels, missing, (size_t)width * here * 4);
        isRead |= isWhole;
        for (uint32_t y = 0; y < here;) {
            uint32_t line = (row + y) / shrink, next = (line + 1) * shrink < height ? (line + 1) * shrink : height;
            uint32_t count = next - (row + y) < here - y ? next - (row + y) : here - y;
            addRows(sums, pixels + (size_t)width * y, width, count, shrink);
            y += count;
            if (row + y == next)
                finishRow(
                    result->planes[0].samples + (size_t)columns * 4 * line, sums, width, next - line * shrink, shrink,
                    isCMYK);
        }
    }
    for (size_t i = 0; pixels && !isRead && i < (size_t)columns * lines * 4; i++)
        if (i % 4 != 3 && result->planes[0].samples[i] != missing) isRead = 1;
    int hasMemory = pixels && sums;
    free(pixels);
    free(sums);
    if (!hasMemory) return ImageFail(result, ImageOutOfMemory, "out of memory");
    if (source->corrupt) result->damaged = 1;
    result->cmyk = isCMYK;
    result->opaque = !hasAlpha && !result->damaged;
    return isRead ? 1 : fail(result, source);
}

static int decode(TIFF *file, ImageTIFFOptions options, Source *source, ImageResult *result) {
    char message[1024] = "";
    uint32_t width = 0, height = 0;
    if (!TIFFSetSubDirectory(file, options.directory)) return fail(result, source);
    TIFFGetField(file, TIFFTAG_IMAGEWIDTH, &width);
    TIFFGetField(file, TIFFTAG_IMAGELENGTH, &height);
    if (width != options.width || height != options.height) return ImageFail(result, ImageBroken, "contradictory sizes");
    uint32_t rows = rowsAtOnce(file, height);
    uint64_t encoded = TIFFIsTiled(file) ? TIFFTileSize64(file) : TIFFStripSize64(file);
    if (encoded > options.maxMemory || (uint64_t)width * rows * 4 > options.maxMemory)
        return ImageFail(result, ImageOutOfMemory, "its strips are too large");
    if (ImageTIFFNeedsSamples(file)) {
        Reader reader = {.samples = ImageTIFFSamplesBegin(file, options.maxMemory)};
        if (!reader.samples) return ImageFail(result, ImageOutOfMemory, "its strips are too large");
        int isRead = readPixels(reader, rows, options, source, result);
        ImageTIFFSamplesEnd(reader.samples);
        return isRead;
    }
    if (!TIFFRGBAImageOK(file, message)) return ImageFail(result, ImageNotBuiltIn, message);
    TIFFRGBAImage image;
    if (!TIFFRGBAImageBegin(&image, file, 0, message)) return ImageFail(result, ImageBroken, message);
    // Keeps rows and columns as stored.
    image.req_orientation = image.orientation;
    int isRead = readPixels((Reader){.image = &image}, rows, options, source, result);
    TIFFRGBAImageEnd(&image);
    return isRead;
}

void ImageTIFFDecode(const uint8_t *data, size_t size, ImageTIFFOptions options, ImageResult *result) {
    memset(result, 0, sizeof *result);
    TIFFSetWarningHandler(NULL);
    TIFFSetWarningHandlerExt(onWarning);
    TIFFSetErrorHandler(NULL);
    TIFFSetErrorHandlerExt(onError);
    Source source = {.data = data, .size = size};
    if (options.shrink < 1) options.shrink = 1;
    TIFF *file = TIFFClientOpen("", "rm", &source, readBytes, writeBytes, seekTo, closeNothing, sizeOf, NULL, NULL);
    if (!file) {
        fail(result, &source);
        return;
    }
    if (decode(file, options, &source, result)) result->outcome = ImageDecoded;
    TIFFClose(file);
}

#endif
