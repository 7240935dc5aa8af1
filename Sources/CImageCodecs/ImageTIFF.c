#include "ImageTIFF.h"
#include "ImageResult.h"

#ifndef LOOKAHEAD_TIFF

void ImageTIFFDecode(const uint8_t *data, size_t size, ImageTIFFOptions options, ImageResult *result) {
    (void)data, (void)size, (void)options;
    ImageFail(result, ImageNotBuiltIn, "TIFF");
}

#else

#include <math.h>
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

// A picture of the file. libtiff's own reader draws most pictures. The code below draws those that libtiff's reader refuses, or draws in
// other colours than editors do: inks, CIE L*a*b*, samples of 9 to 15 or 32 bits, floating point, and palettes with alpha.
typedef struct {
    TIFF *file;
    TIFFRGBAImage *image;  // libtiff's own reader, or NULL if the code below reads the samples
    uint32_t width, tileWidth;
    uint16_t bits, photometric, alphaKind;
    int isFloat, isLab, colors, channels;  // channels: colours and alpha
    int parts;                             // strips or tiles of the same place: one, or one for each channel
    size_t step;                           // number of samples from one pixel to the next in a part
    size_t size, stride;                   // of a part and of its rows, in bytes
    uint8_t *buffers[4];                   // the parts
    double low, scale;                     // floating point: the value of black, and the factor that makes white 1
    uint16_t *map[3], mapUnit;             // a palette's colours, owned by libtiff, and the factor that makes them 16 bits
    uint16_t gamma[4097];                  // sRGB codes of linear light
} Picture;

enum { blockSize = 256 };  // number of pixels that are converted together

// The samples of a block of pixels as 16 bits: red, green, blue and alpha, or four inks.
typedef uint16_t Levels[4][blockSize];

static uint16_t field(TIFF *file, ttag_t tag) {
    uint16_t value = 0;
    TIFFGetFieldDefaulted(file, tag, &value);
    return value;
}

// Finds out how the samples are stored. Returns whether the code below must read the samples.
static int needsSamples(Picture *picture) {
    TIFF *file = picture->file;
    uint16_t bits = field(file, TIFFTAG_BITSPERSAMPLE), format = field(file, TIFFTAG_SAMPLEFORMAT);
    uint16_t perPixel = field(file, TIFFTAG_SAMPLESPERPIXEL), photometric = field(file, TIFFTAG_PHOTOMETRIC);
    uint16_t extras = 0, *kinds = NULL, **map = picture->map, used = 0;
    picture->bits = bits;
    picture->photometric = photometric;
    picture->isFloat = format == SAMPLEFORMAT_IEEEFP;
    picture->isLab = photometric == PHOTOMETRIC_CIELAB || photometric == PHOTOMETRIC_ICCLAB;
    picture->colors = photometric == PHOTOMETRIC_SEPARATED ? 4 : photometric == PHOTOMETRIC_RGB || picture->isLab ? 3 : 1;
    if (perPixel < picture->colors) return 0;
    int hasExtra = picture->colors < 4 && perPixel > picture->colors && TIFFGetField(file, TIFFTAG_EXTRASAMPLES, &extras, &kinds);
    picture->alphaKind = hasExtra && extras > 0 && kinds ? kinds[0] : 0;
    picture->channels = picture->colors + (picture->alphaKind > 0);
    int isPlanar = field(file, TIFFTAG_PLANARCONFIG) == PLANARCONFIG_SEPARATE;
    picture->parts = isPlanar ? picture->channels : 1;
    picture->step = isPlanar ? 1 : perPixel;
    // The usual depths may have any integer format. Some programs declare a* and b* signed, which they are, others declare all samples
    // unsigned.
    int isUsual = !picture->isFloat && (bits == 8 || bits == 16);
    int isUnusual = picture->isFloat ? bits == 16 || bits == 32 || bits == 64
        : format == SAMPLEFORMAT_UINT && ((bits > 8 && bits < 16) || bits == 32);
    switch (photometric) {
    case PHOTOMETRIC_MINISWHITE: case PHOTOMETRIC_MINISBLACK: case PHOTOMETRIC_RGB: return isUnusual;
    // libtiff's reader ignores the profile of inks, the white of L*a*b* and the alpha of a palette.
    case PHOTOMETRIC_SEPARATED: return (isUsual || isUnusual) && field(file, TIFFTAG_INKSET) == INKSET_CMYK;
    case PHOTOMETRIC_CIELAB: case PHOTOMETRIC_ICCLAB: return isUsual;
    case PHOTOMETRIC_PALETTE:
        if (bits > 8 || format != SAMPLEFORMAT_UINT || perPixel != 2 || picture->alphaKind == 0) return 0;
        if (!TIFFGetField(file, TIFFTAG_COLORMAP, &map[0], &map[1], &map[2])) return 0;
        // Some programs write 8-bit values into the palette, which should have 16 bits.
        for (int i = 0; i < 1 << bits; i++) used |= map[0][i] | map[1][i] | map[2][i];
        picture->mapUnit = used > 255 ? 1 : 257;
        return 1;
    }
    return 0;
}

// Allocates the parts. Returns 0 if there is no memory, or if more memory is needed than allowed.
static int makeParts(Picture *picture, uint32_t rows, uint64_t maxMemory) {
    TIFF *file = picture->file;
    int isTiled = TIFFIsTiled(file);
    uint64_t size = isTiled ? TIFFTileSize64(file) : TIFFStripSize64(file);
    uint64_t stride = isTiled ? TIFFTileRowSize64(file) : TIFFScanlineSize64(file);
    double low = 0, high = 1;
    int isRanged = TIFFGetField(file, TIFFTAG_SMINSAMPLEVALUE, &low) && TIFFGetField(file, TIFFTAG_SMAXSAMPLEVALUE, &high)
        && isfinite(low) && isfinite(high) && high > low;
    picture->low = isRanged ? low : 0;
    picture->scale = isRanged ? 1 / (high - low) : 1;
    for (int i = 0; picture->isLab && i <= 4096; i++) {
        double light = i / 4096.0, code = light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055;
        picture->gamma[i] = (uint16_t)lround(code * 65535);
    }
    picture->tileWidth = picture->width;
    if (isTiled) TIFFGetField(file, TIFFTAG_TILEWIDTH, &picture->tileWidth);
    if (picture->tileWidth == 0 || stride == 0 || rows > size / stride || size > maxMemory / (uint64_t)picture->parts)
        return 0;
    picture->size = (size_t)size;
    picture->stride = (size_t)stride;
    for (int i = 0; i < picture->parts; i++)
        if (!(picture->buffers[i] = malloc(picture->size))) return 0;
    return 1;
}

// Decodes binary16 (IEEE 754).
static double half(uint16_t bits) {
    int exponent = bits >> 10 & 31, fraction = bits & 1023;
    double value = exponent == 31 ? (fraction ? NAN : INFINITY)
        : exponent == 0 ? ldexp(fraction, -24) : ldexp(1024 + fraction, exponent - 25);
    return bits >> 15 ? -value : value;
}

// Returns a sample as 16 bits. Floating point is treated as in editors without a profile: as sRGB, clipped to 0 and 1.
static uint16_t level(const Picture *picture, const uint8_t *row, size_t index) {
    unsigned bits = picture->bits;
    if (picture->isFloat) {
        double value = bits == 64 ? ((const double *)row)[index]
            : bits == 32 ? ((const float *)row)[index] : half(((const uint16_t *)row)[index]);
        value = (value - picture->low) * picture->scale;
        // Both comparisons are false for NaN, which becomes 0.
        return value >= 1 ? 65535 : value > 0 ? (uint16_t)(value * 65535 + 0.5) : 0;
    }
    if (bits == 32) return (uint16_t)(((const uint32_t *)row)[index] >> 16);
    // The samples are packed, highest bit first.
    uint64_t start = (uint64_t)index * bits, end = start + bits;
    uint32_t packed = 0, most = (1u << bits) - 1;
    for (uint64_t byte = start / 8; byte * 8 < end; byte++) packed = packed << 8 | row[byte];
    return (uint16_t)((packed >> ((8 - end % 8) % 8) & most) * 65535 / most);
}

// Reads the samples of a channel. The usual depths have loops of their own, which are faster.
static void readChannel(const Picture *picture, const uint8_t *row, size_t index, uint32_t count, uint16_t *levels) {
    size_t step = picture->step;
    if (picture->bits == 8)
        for (uint32_t x = 0; x < count; x++, index += step) levels[x] = (uint16_t)(row[index] * 257);
    else if (picture->bits == 16 && !picture->isFloat)
        for (uint32_t x = 0; x < count; x++, index += step) levels[x] = ((const uint16_t *)row)[index];
    else
        for (uint32_t x = 0; x < count; x++, index += step) levels[x] = level(picture, row, index);
}

static double cube(double value) { return value > 6.0 / 29 ? value * value * value : (value - 4.0 / 29) * 108 / 841; }

// Converts CIE L*a*b* (TIFF 6.0, section 23), in which a* and b* are signed, or ICC L*a*b* (TIFF technical note 4), in which 128 means 0.
// White is D50 and becomes sRGB's white, by Bradford's adaptation.
static void convertLab(const Picture *picture, Levels levels, uint32_t x) {
    static const double matrix[3][3] = {
        {3.1338561, -1.6168667, -0.4906146}, {-0.9787684, 1.9161415, 0.0334540}, {0.0719453, -0.2289914, 1.4052427}};
    int isWide = picture->bits == 16, isICC = picture->photometric == PHOTOMETRIC_ICCLAB;
    double middle = (levels[0][x] * 100 / (isICC && isWide ? 65280.0 : 65535.0) + 16) / 116, chroma[2];
    for (int i = 0; i < 2; i++) {
        uint16_t stored = levels[i + 1][x] & (isWide ? 0xFFFF : 0xFF00);
        chroma[i] = isICC ? stored / 256.0 - 128 : (int16_t)stored / 256.0;
    }
    double place[3] = {0.96422 * cube(middle + chroma[0] / 500), cube(middle), 0.82521 * cube(middle - chroma[1] / 200)};
    for (int i = 0; i < 3; i++) {
        double light = matrix[i][0] * place[0] + matrix[i][1] * place[1] + matrix[i][2] * place[2];
        levels[i][x] = picture->gamma[light <= 0 ? 0 : light >= 1 ? 4096 : (int)(light * 4096 + 0.5)];
    }
}

// Converts a block to colours that are premultiplied by alpha, or to inks, with the maximum for no ink.
static void convertBlock(const Picture *picture, Levels levels, uint32_t count) {
    int isInverse = picture->photometric == PHOTOMETRIC_MINISWHITE || picture->colors == 4;
    for (int i = 0; isInverse && i < picture->colors; i++)
        for (uint32_t x = 0; x < count; x++) levels[i][x] = 65535 - levels[i][x];
    if (picture->colors == 4) return;
    for (uint32_t x = 0; picture->isLab && x < count; x++) convertLab(picture, levels, x);
    // Red comes last, because it replaces the grey, or the palette's index.
    for (int i = 2; picture->colors == 1 && i >= 0; i--) {
        const uint16_t *map = picture->map[i];
        for (uint32_t x = 0; x < count; x++)
            levels[i][x] = map ? (uint16_t)(map[levels[0][x] >> (16 - picture->bits)] * picture->mapUnit) : levels[0][x];
    }
    if (picture->alphaKind == 0) memset(levels[3], 255, count * 2);
    // L*a*b* and a palette's colours are never premultiplied.
    int isPremultiplied = picture->alphaKind == EXTRASAMPLE_ASSOCALPHA && !picture->isLab && !picture->map[0];
    for (int i = 0; i < 3 && !isPremultiplied; i++)
        for (uint32_t x = 0; x < count; x++)
            levels[i][x] = (uint16_t)(((uint32_t)levels[i][x] * levels[3][x] + 32767) / 65535);
}

// Rounds 16 bits to 8.
static uint32_t byte(uint16_t level) { return (level * 255u + 32895) >> 16; }

// Converts a row of the parts.
static void convertRow(const Picture *picture, uint32_t y, uint32_t width, uint32_t *pixels) {
    Levels levels;
    int isPlanar = picture->parts > 1;
    for (uint32_t x = 0; x < width; x += blockSize) {
        uint32_t count = width - x < blockSize ? width - x : blockSize;
        for (int i = 0; i < picture->channels; i++) {
            const uint8_t *row = picture->buffers[isPlanar ? i : 0] + picture->stride * y;
            size_t index = x * picture->step + (size_t)(isPlanar ? 0 : i);
            readChannel(picture, row, index, count, levels[i < picture->colors ? i : 3]);
        }
        convertBlock(picture, levels, count);
        for (uint32_t i = 0; i < count; i++)
            pixels[x + i] =
                byte(levels[0][i]) | byte(levels[1][i]) << 8 | byte(levels[2][i]) << 16 | byte(levels[3][i]) << 24;
    }
}

// Reads a strip or a row of tiles. Returns 1 if everything was read. Otherwise pixels may be missing.
static int readSamples(Picture *picture, uint32_t *pixels, uint32_t row, uint32_t rows) {
    TIFF *file = picture->file;
    int isTiled = TIFFIsTiled(file), isWhole = 1;
    for (uint32_t x = 0; x < picture->width; x += picture->tileWidth) {
        int isRead = 1;
        for (uint16_t i = 0; i < picture->parts && isRead; i++) {
            tmsize_t size = (tmsize_t)picture->size;
            uint8_t *part = memset(picture->buffers[i], 0, picture->size);
            tmsize_t read = isTiled ? TIFFReadEncodedTile(file, TIFFComputeTile(file, x, row, 0, i), part, size)
                                    : TIFFReadEncodedStrip(file, TIFFComputeStrip(file, row, i), part, size);
            isRead = read >= 0;
        }
        isWhole &= isRead;
        // A strip that cannot be read may be partly right. The caller decides whether it uses such a strip.
        uint32_t width = picture->width - x < picture->tileWidth ? picture->width - x : picture->tileWidth;
        for (uint32_t y = 0; y < rows && (isRead || (!isTiled && picture->parts == 1)); y++)
            convertRow(picture, y, width, pixels + (size_t)picture->width * y + x);
    }
    return isWhole;
}

// Adds a row of pixels to the sums of the columns, 4 for each column. The colours are premultiplied by alpha.
static void addRow(uint32_t *sums, const uint8_t *samples, size_t count) {
    for (size_t i = 0; i < count; i++) sums[i] += samples[i];
}

// Averages the sums of `rows` rows in boxes, and clears the sums.
static void finishRow(uint8_t *row, uint32_t *sums, uint32_t width, uint32_t rows, uint32_t shrink, int isCMYK) {
    uint32_t inBox = 0;
    for (uint32_t x = 0; x < width; x += inBox, row += 4) {
        uint32_t box[4] = {0};
        inBox = width - x < shrink ? width - x : shrink;
        for (const uint32_t *sum = sums + (size_t)x * 4, *end = sum + (size_t)inBox * 4; sum < end; sum += 4)
            for (int channel = 0; channel < 4; channel++) box[channel] += sum[channel];
        for (int channel = 0; channel < 4; channel++) {
            // Colours are divided by the alpha, alpha and inks by the number of pixels.
            uint64_t unit = isCMYK || channel == 3 ? (uint64_t)inBox * rows * 255 : box[3];
            uint64_t value = unit ? ((uint64_t)box[channel] * 255 + unit / 2) / unit : 0;
            row[channel] = value > 255 ? 255 : (uint8_t)value;
        }
    }
    memset(sums, 0, (size_t)width * 4 * sizeof *sums);
}

// Number of rows that are decoded together: a strip or a row of tiles.
static uint32_t rowsAtOnce(TIFF *file, uint32_t height) {
    uint32_t rows = 0;
    if (TIFFIsTiled(file)) TIFFGetField(file, TIFFTAG_TILELENGTH, &rows);
    else TIFFGetFieldDefaulted(file, TIFFTAG_ROWSPERSTRIP, &rows);
    return rows == 0 || rows > height ? height : rows;
}

static int readPixels(Picture *picture, uint32_t rows, ImageTIFFOptions options, Source *source, ImageResult *result) {
    int isCMYK = !picture->image && picture->colors == 4, missing = isCMYK ? 255 : 0;
    int hasAlpha = picture->image ? picture->image->alpha : picture->alphaKind;
    uint32_t width = options.width, height = options.height, shrink = options.shrink;
    uint32_t columns = (width + shrink - 1) / shrink, lines = (height + shrink - 1) / shrink;
    if (!ImageMakePixels(result, (int)columns, (int)lines)) return 0;
    uint32_t *pixels = malloc((size_t)width * rows * 4), *sums = calloc((size_t)width * 4, sizeof *sums);
    int isRead = 0;
    for (uint32_t row = 0; pixels && sums && row < height; row += rows) {
        uint32_t here = height - row < rows ? height - row : rows;
        int errors = source->errors;
        memset(pixels, missing, (size_t)width * here * 4);
        if (picture->image) picture->image->row_offset = (int)row;
        int isWhole = picture->image ? TIFFRGBAImageGet(picture->image, pixels, width, here)
                                     : readSamples(picture, pixels, row, here);
        isWhole = isWhole && source->errors == errors;
        if (!isWhole) result->damaged = 1;
        // Rows that cannot be read become transparent, or without ink. A picture in one piece is not cleared, because a part of it may have
        // been read.
        if (!isWhole && rows < height) memset(pixels, missing, (size_t)width * here * 4);
        isRead |= isWhole;
        for (uint32_t y = row; y < row + here; y++) {
            addRow(sums, (const uint8_t *)(pixels + (size_t)width * (y - row)), (size_t)width * 4);
            uint8_t *line = result->planes[0].samples + (size_t)columns * 4 * (y / shrink);
            if ((y + 1) % shrink == 0 || y + 1 == height) finishRow(line, sums, width, y % shrink + 1, shrink, isCMYK);
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
    int isRead = 0;
    Picture picture = {.file = file, .width = width};
    if (needsSamples(&picture)) {
        if (makeParts(&picture, rows, options.maxMemory)) isRead = readPixels(&picture, rows, options, source, result);
        else ImageFail(result, ImageOutOfMemory, "its strips are too large");
        for (int i = 0; i < 4; i++) free(picture.buffers[i]);
        return isRead;
    }
    if (!TIFFRGBAImageOK(file, message)) return ImageFail(result, ImageNotBuiltIn, message);
    TIFFRGBAImage image;
    if (!TIFFRGBAImageBegin(&image, file, 0, message)) return ImageFail(result, ImageBroken, message);
    // Keeps rows and columns as stored.
    image.req_orientation = image.orientation;
    picture.image = &image;
    isRead = readPixels(&picture, rows, options, source, result);
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
