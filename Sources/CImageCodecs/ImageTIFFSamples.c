#include "ImageTIFFSamples.h"

#ifdef LOOKAHEAD_TIFF

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { maximumSamples = 5 };  // four inks, or three colours, and alpha

struct ImageTIFFSamples {
    TIFF *file;
    uint32_t width, tileWidth;
    uint16_t bits, format, photometric, perPixel, alphaKind;
    int colors, isPlanar;  // planar: each sample has its own strips
    double low, scale;     // floating point: the value of black, and the factor that makes white 1
    double unit;           // integers: the factor that makes white 1
    const uint16_t *map[3];  // a palette's red, green and blue, owned by libtiff
    int mapShift;            // shift that makes the palette's values 8 bits
    size_t bufferSize;
    uint8_t *buffers[maximumSamples];
    uint8_t gamma[4097];  // sRGB codes of linear light
};

static uint16_t field(TIFF *file, ttag_t tag) {
    uint16_t value = 0;
    TIFFGetFieldDefaulted(file, tag, &value);
    return value;
}

static uint16_t firstExtra(TIFF *file) {
    uint16_t extras = 0, *kinds = NULL;
    return TIFFGetField(file, TIFFTAG_EXTRASAMPLES, &extras, &kinds) && extras > 0 && kinds ? kinds[0] : 0;
}

int ImageTIFFNeedsSamples(TIFF *file) {
    uint16_t bits = field(file, TIFFTAG_BITSPERSAMPLE), perPixel = field(file, TIFFTAG_SAMPLESPERPIXEL);
    uint16_t photometric = field(file, TIFFTAG_PHOTOMETRIC), format = field(file, TIFFTAG_SAMPLEFORMAT);
    int isFloat = format == SAMPLEFORMAT_IEEEFP && (bits == 16 || bits == 32 || bits == 64);
    int isOdd = format == SAMPLEFORMAT_UINT && ((bits > 8 && bits < 16) || bits == 32);
    switch (photometric) {
    case PHOTOMETRIC_MINISWHITE: case PHOTOMETRIC_MINISBLACK: return perPixel >= 1 && (isFloat || isOdd);
    // libtiff itself ignores the alpha of a palette.
    case PHOTOMETRIC_PALETTE: return perPixel == 2 && bits <= 8 && format == SAMPLEFORMAT_UINT && firstExtra(file) > 0;
    case PHOTOMETRIC_RGB: return perPixel >= 3 && (isFloat || isOdd);
    case PHOTOMETRIC_SEPARATED:
        return perPixel >= 4 && field(file, TIFFTAG_INKSET) == INKSET_CMYK
            && (isFloat || isOdd || (format != SAMPLEFORMAT_IEEEFP && (bits == 8 || bits == 16)));
    // Accepts every integer format. Some programs declare a* and b* signed, which they are, others declare all samples unsigned.
    case PHOTOMETRIC_CIELAB: case PHOTOMETRIC_ICCLAB:
        return perPixel >= 3 && format != SAMPLEFORMAT_IEEEFP && (bits == 8 || bits == 16);
    }
    return 0;
}

// Some programs write 8-bit values into the palette, which should have 16 bits.
static int takePalette(ImageTIFFSamples *samples) {
    uint16_t *map[3];
    if (!TIFFGetField(samples->file, TIFFTAG_COLORMAP, &map[0], &map[1], &map[2])) return 0;
    for (int channel = 0; channel < 3; channel++) {
        samples->map[channel] = map[channel];
        for (int i = 0; i < 1 << samples->bits; i++)
            if (map[channel][i] > 255) samples->mapShift = 8;
    }
    return 1;
}

static double encoded(double light) {
    return light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055;
}

ImageTIFFSamples *ImageTIFFSamplesBegin(TIFF *file, uint64_t maxMemory) {
    ImageTIFFSamples *samples = calloc(1, sizeof *samples);
    if (!samples) return NULL;
    samples->file = file;
    samples->bits = field(file, TIFFTAG_BITSPERSAMPLE);
    samples->format = field(file, TIFFTAG_SAMPLEFORMAT);
    samples->photometric = field(file, TIFFTAG_PHOTOMETRIC);
    samples->perPixel = field(file, TIFFTAG_SAMPLESPERPIXEL);
    samples->isPlanar = field(file, TIFFTAG_PLANARCONFIG) == PLANARCONFIG_SEPARATE && samples->perPixel > 1;
    TIFFGetField(file, TIFFTAG_IMAGEWIDTH, &samples->width);
    samples->tileWidth = samples->width;
    if (TIFFIsTiled(file)) TIFFGetField(file, TIFFTAG_TILEWIDTH, &samples->tileWidth);
    switch (samples->photometric) {
    case PHOTOMETRIC_MINISWHITE: case PHOTOMETRIC_MINISBLACK: case PHOTOMETRIC_PALETTE: samples->colors = 1; break;
    case PHOTOMETRIC_SEPARATED: samples->colors = 4; break;
    default: samples->colors = 3; break;
    }
    if (samples->colors < 4 && samples->perPixel > samples->colors) samples->alphaKind = firstExtra(file);
    samples->scale = 1;
    if (samples->bits <= 32) samples->unit = 1 / (double)((UINT64_C(1) << samples->bits) - 1);
    double low = 0, high = 0;
    if (samples->format == SAMPLEFORMAT_IEEEFP && TIFFGetField(file, TIFFTAG_SMINSAMPLEVALUE, &low)
        && TIFFGetField(file, TIFFTAG_SMAXSAMPLEVALUE, &high) && isfinite(low) && isfinite(high) && high > low) {
        samples->low = low;
        samples->scale = 1 / (high - low);
    }
    for (int i = 0; i <= 4096; i++) samples->gamma[i] = (uint8_t)lround(encoded(i / 4096.0) * 255);
    uint64_t size = TIFFIsTiled(file) ? TIFFTileSize64(file) : TIFFStripSize64(file);
    int count = samples->isPlanar ? samples->colors + (samples->alphaKind > 0) : 1;
    int isHeld = (samples->photometric != PHOTOMETRIC_PALETTE || takePalette(samples)) && samples->tileWidth > 0 && size > 0 && size <= maxMemory / (uint64_t)count;
    samples->bufferSize = (size_t)size;
    for (int i = 0; isHeld && i < count; i++) isHeld = (samples->buffers[i] = malloc(samples->bufferSize)) != NULL;
    if (isHeld) return samples;
    ImageTIFFSamplesEnd(samples);
    return NULL;
}

void ImageTIFFSamplesEnd(ImageTIFFSamples *samples) {
    for (int i = 0; i < maximumSamples; i++) free(samples->buffers[i]);
    free(samples);
}

int ImageTIFFSamplesAreInks(const ImageTIFFSamples *samples) { return samples->colors == 4; }
int ImageTIFFSamplesHaveAlpha(const ImageTIFFSamples *samples) { return samples->alphaKind > 0; }

// Returns a sample of a row as stored, up to 32 bits. Samples that do not fill whole bytes are packed, highest bit first.
static uint32_t integer(const uint8_t *row, size_t index, unsigned bits) {
    if (bits == 8) return row[index];
    if (bits == 16) {
        uint16_t value;
        memcpy(&value, row + index * 2, 2);
        return value;
    }
    if (bits == 32) {
        uint32_t value;
        memcpy(&value, row + index * 4, 4);
        return value;
    }
    uint64_t start = (uint64_t)index * bits, end = start + bits, value = 0;
    for (uint64_t byte = start / 8; byte * 8 < end; byte++) value = value << 8 | row[byte];
    return (uint32_t)(value >> ((8 - end % 8) % 8)) & ((1u << bits) - 1);
}

// Decodes binary16 (IEEE 754).
static double half(uint16_t bits) {
    int exponent = bits >> 10 & 31, fraction = bits & 1023;
    double value = exponent == 31 ? (fraction ? NAN : INFINITY)
        : exponent == 0 ? ldexp(fraction, -24) : ldexp(1024 + fraction, exponent - 25);
    return bits >> 15 ? -value : value;
}

// Returns a sample from 0 to 1. Floating point is treated as in editors without a profile: as sRGB, clipped to 0 and 1.
static double fraction(const ImageTIFFSamples *samples, const uint8_t *row, size_t index) {
    if (samples->format != SAMPLEFORMAT_IEEEFP)
        return integer(row, index, samples->bits) * samples->unit;
    double value;
    if (samples->bits == 64) {
        memcpy(&value, row + index * 8, 8);
    } else if (samples->bits == 32) {
        float single;
        memcpy(&single, row + index * 4, 4);
        value = single;
    } else {
        value = half((uint16_t)integer(row, index, 16));
    }
    value = (value - samples->low) * samples->scale;
    // Both comparisons are false for NaN, which becomes 0.
    return value >= 1 ? 1 : value > 0 ? value : 0;
}

static double cube(double value) {
    return value > 6.0 / 29 ? value * value * value : (value - 4.0 / 29) * 3 * (6.0 / 29) * (6.0 / 29);
}

static uint8_t shown(const ImageTIFFSamples *samples, double light) {
    return samples->gamma[light <= 0 ? 0 : light >= 1 ? 4096 : (int)(light * 4096 + 0.5)];
}

// Converts CIE L*a*b* (TIFF 6.0, section 23), in which a* and b* are signed, or ICC L*a*b* (TIFF technical note 4), in which 128 means 0.
// White is D50 and becomes sRGB's white, by Bradford's adaptation.
static void convertLab(const ImageTIFFSamples *samples, const uint32_t stored[3], uint8_t color[3]) {
    int isWide = samples->bits == 16, isICC = samples->photometric == PHOTOMETRIC_ICCLAB;
    double unit = isWide ? 256 : 1;
    double lightness = stored[0] * 100 / (!isWide ? 255.0 : isICC ? 65280.0 : 65535.0);
    double chroma[2];
    for (int i = 0; i < 2; i++) {
        uint32_t value = stored[i + 1];
        chroma[i] = isICC ? value / unit - 128 : (isWide ? (int16_t)value : (int8_t)value) / unit;
    }
    double middle = (lightness + 16) / 116;
    double x = 0.96422 * cube(middle + chroma[0] / 500), y = cube(middle), z = 0.82521 * cube(middle - chroma[1] / 200);
    color[0] = shown(samples, 3.1338561 * x - 1.6168667 * y - 0.4906146 * z);
    color[1] = shown(samples, -0.9787684 * x + 1.9161415 * y + 0.0334540 * z);
    color[2] = shown(samples, 0.0719453 * x - 0.2289914 * y + 1.4052427 * z);
}

static uint8_t byte(double fraction) { return (uint8_t)(fraction * 255 + 0.5); }

// Converts inks of 8 or 16 bits, the usual depths.
static void convertInks(const ImageTIFFSamples *samples, uint8_t *const *rows, uint32_t count, uint32_t *pixels) {
    for (uint32_t x = 0; x < count; x++) {
        uint32_t pixel = 0;
        for (int i = 0; i < 4; i++) {
            const uint8_t *row = samples->isPlanar ? rows[i] : rows[0];
            uint32_t ink = integer(row, samples->isPlanar ? x : (size_t)x * samples->perPixel + i, samples->bits);
            if (samples->bits == 16) ink = (ink * 255 + 32767) / 65535;
            pixel |= (255 - ink) << (8 * i);
        }
        pixels[x] = pixel;
    }
}

// Converts a row of a strip or a tile. `rows` has a row for each sample, or one row for all samples.
static void convertRow(const ImageTIFFSamples *samples, uint8_t *const *rows, uint32_t count, uint32_t *pixels) {
    if (samples->colors == 4 && samples->format != SAMPLEFORMAT_IEEEFP && (samples->bits == 8 || samples->bits == 16))
        return convertInks(samples, rows, count, pixels);
    int isLab = samples->photometric == PHOTOMETRIC_CIELAB || samples->photometric == PHOTOMETRIC_ICCLAB;
    for (uint32_t x = 0; x < count; x++) {
        uint8_t color[4] = {0, 0, 0, 255};
        double alpha = 1, values[4] = {0};
        uint32_t stored[3] = {0};
        for (int i = 0; i < samples->colors + (samples->alphaKind > 0); i++) {
            const uint8_t *row = samples->isPlanar ? rows[i] : rows[0];
            size_t index = samples->isPlanar ? x : (size_t)x * samples->perPixel + i;
            if (i == samples->colors) alpha = fraction(samples, row, index);
            else if (isLab || samples->map[0]) stored[i] = integer(row, index, samples->bits);
            else values[i] = fraction(samples, row, index);
        }
        double factor = samples->alphaKind == EXTRASAMPLE_UNASSALPHA || isLab ? alpha : 1;
        if (isLab) {
            convertLab(samples, stored, color);
        } else if (samples->map[0]) {
            for (int i = 0; i < 3; i++) color[i] = (uint8_t)(samples->map[i][stored[0]] >> samples->mapShift);
        } else if (samples->colors == 1) {
            double grey = samples->photometric == PHOTOMETRIC_MINISWHITE ? 1 - values[0] : values[0];
            color[0] = color[1] = color[2] = byte(grey);
        } else {
            for (int i = 0; i < samples->colors; i++) color[i] = byte(samples->colors == 4 ? 1 - values[i] : values[i]);
        }
        if (samples->alphaKind > 0) {
            for (int i = 0; i < 3; i++) color[i] = byte(color[i] / 255.0 * factor);
            color[3] = byte(alpha);
        }
        pixels[x] = color[0] | color[1] << 8 | color[2] << 16 | (uint32_t)color[3] << 24;
    }
}

int ImageTIFFSamplesRead(ImageTIFFSamples *samples, uint32_t *pixels, uint32_t row, uint32_t rows) {
    TIFF *file = samples->file;
    int isTiled = TIFFIsTiled(file), isWhole = 1, count = samples->isPlanar ? samples->colors + (samples->alphaKind > 0) : 1;
    size_t stride = isTiled ? (size_t)TIFFTileRowSize64(file) : (size_t)TIFFScanlineSize64(file);
    if (stride == 0 || rows > samples->bufferSize / stride) return 0;
    uint32_t height = 0;
    TIFFGetField(file, TIFFTAG_IMAGELENGTH, &height);
    int isOne = rows == height;
    tmsize_t needed = isTiled ? (tmsize_t)samples->bufferSize : (tmsize_t)(stride * rows);
    for (uint32_t x = 0; x < samples->width; x += samples->tileWidth) {
        int isRead = 1;
        for (int i = 0; i < count && isRead; i++) {
            uint16_t sample = samples->isPlanar ? (uint16_t)i : 0;
            memset(samples->buffers[i], 0, samples->bufferSize);
            tmsize_t size = isTiled
                ? TIFFReadEncodedTile(file, TIFFComputeTile(file, x, row, 0, sample), samples->buffers[i], needed)
                : TIFFReadEncodedStrip(file, TIFFComputeStrip(file, row, sample), samples->buffers[i], needed);
            isRead = size == needed;
        }
        isWhole &= isRead;
        // A strip that cannot be read may be partly right. The part is used only if the strip is the whole picture, because the caller
        // discards others.
        uint32_t here = samples->width - x < samples->tileWidth ? samples->width - x : samples->tileWidth;
        for (uint32_t y = 0; y < rows && (isRead || (isOne && !isTiled && !samples->isPlanar)); y++) {
            uint8_t *starts[maximumSamples] = {0};
            for (int i = 0; i < count; i++) starts[i] = samples->buffers[i] + stride * y;
            convertRow(samples, starts, here, pixels + (size_t)samples->width * y + x);
        }
    }
    return isWhole;
}

#endif
