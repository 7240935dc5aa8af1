#include "ImageResult.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ImageResultFree(ImageResult *result) {
    for (int i = 0; i < 3; i++) {
        free(result->planes[i].samples);
        result->planes[i].samples = NULL;
    }
    free(result->profile);
    result->profile = NULL;
    result->planeCount = 0;
}

int ImageFail(ImageResult *result, ImageOutcome outcome, const char *message) {
    result->outcome = outcome;
    snprintf(result->message, sizeof result->message, "%s", message ? message : "");
    return 0;
}

static int makePlane(ImageResult *result, ImagePlane *plane, int width, int height, int channels) {
    if (width <= 0 || height <= 0) return ImageFail(result, ImageBroken, "a plane without samples");
    plane->samples = calloc((size_t)width * channels, height);
    if (!plane->samples) return ImageFail(result, ImageOutOfMemory, "out of memory");
    plane->width = width;
    plane->height = height;
    return 1;
}

int ImageMakePixels(ImageResult *result, int width, int height) {
    result->packed = 1;
    result->planeCount = 1;
    return makePlane(result, &result->planes[0], width, height, 4);
}

// Weights of red and blue in luma, by the numbers of ITU-T H.273.
static int weights(int matrix, double *red, double *blue) {
    switch (matrix) {
    case 1: *red = 0.2126; *blue = 0.0722; return 1;
    case 2: case 5: case 6: *red = 0.299; *blue = 0.114; return 1;  // 2 means unspecified
    case 4: *red = 0.30; *blue = 0.11; return 1;
    case 7: *red = 0.212; *blue = 0.087; return 1;
    case 9: *red = 0.2627; *blue = 0.0593; return 1;
    }
    return 0;
}

int ImageKnowsMatrix(int matrix) {
    double red, blue;
    return weights(matrix, &red, &blue);
}

static uint8_t byte(double value) { return value <= 0 ? 0 : value >= 255 ? 255 : (uint8_t)(value + 0.5); }

// Returns a table that maps each value of a sample to 8 bits of full range.
static uint8_t *table(ImageCoding coding, int isChroma) {
    int count = 1 << coding.depth;
    uint8_t *table = malloc(count);
    if (!table) return NULL;
    double unit = coding.depth > 8 ? 1 << (coding.depth - 8) : 1;
    for (int i = 0; i < count; i++) {
        if (coding.fullRange)
            table[i] = isChroma ? byte((i - 128 * unit) * 255 / (count - 1) + 128) : byte(i * 255.0 / (count - 1));
        else
            table[i] = isChroma ? byte((i - 128 * unit) * 255 / (224 * unit) + 128) : byte((i - 16 * unit) * 255 / (219 * unit));
    }
    return table;
}

// Adds a row of samples to the sums of the columns.
static void addRow(uint32_t *sums, const uint8_t *row, int width, int depth) {
    const uint16_t *wide = (const uint16_t *)row;
    if (depth > 8) for (int x = 0; x < width; x++) sums[x] += wide[x];
    else for (int x = 0; x < width; x++) sums[x] += row[x];
}

// Replaces each box of samples by its mean.
static void takeBoxes(ImagePlane *plane, ImageSource source, int shrink, int depth, const uint8_t *lookup, uint32_t *sums) {
    unsigned most = (1u << depth) - 1;
    for (int y = 0; y < plane->height; y++) {
        int height = source.height - y * shrink < shrink ? source.height - y * shrink : shrink;
        memset(sums, 0, (size_t)source.width * sizeof *sums);
        for (int v = 0; v < height; v++) addRow(sums, source.samples + source.stride * (y * shrink + v), source.width, depth);
        for (int x = 0; x < plane->width; x++) {
            int start = x * shrink, width = source.width - start < shrink ? source.width - start : shrink;
            unsigned long long sum = 0;
            for (int u = start; u < start + width; u++) sum += sums[u];
            unsigned count = (unsigned)(width * height), value = (unsigned)((sum + count / 2) / count);
            plane->samples[(size_t)plane->width * y + x] = lookup[value > most ? most : value];
        }
    }
}

static int takePlane(ImageResult *result, ImagePlane *plane, ImageSource source, ImageCoding coding, int isChroma) {
    int shrink = coding.shrink > 1 ? coding.shrink : 1;
    if (!makePlane(result, plane, (source.width + shrink - 1) / shrink, (source.height + shrink - 1) / shrink, 1)) return 0;
    uint8_t *lookup = table(coding, isChroma);
    uint32_t *sums = malloc((size_t)source.width * sizeof *sums);
    if (!lookup || !sums) {
        free(lookup);
        free(sums);
        return ImageFail(result, ImageOutOfMemory, "out of memory");
    }
    unsigned most = (1u << coding.depth) - 1;
    if (shrink > 1) takeBoxes(plane, source, shrink, coding.depth, lookup, sums);
    for (int y = 0; shrink == 1 && y < source.height; y++) {
        const uint8_t *from = source.samples + source.stride * y;
        uint8_t *to = plane->samples + (size_t)source.width * y;
        if (coding.depth == 8 && coding.fullRange) {
            memcpy(to, from, source.width);
        } else if (coding.depth == 8) {
            for (int x = 0; x < source.width; x++) to[x] = lookup[from[x]];
        } else {
            const uint16_t *wide = (const uint16_t *)from;
            for (int x = 0; x < source.width; x++) to[x] = lookup[wide[x] > most ? most : wide[x]];
        }
    }
    free(lookup);
    free(sums);
    return 1;
}

// Replaces planes of red, green and blue by pixels.
static int pack(ImageResult *result) {
    ImagePlane planes[3];
    memcpy(planes, result->planes, sizeof planes);
    memset(result->planes, 0, sizeof result->planes);
    int isMade = planes[1].width == planes[0].width && planes[2].width == planes[0].width
        && planes[1].height == planes[0].height && planes[2].height == planes[0].height
        ? ImageMakePixels(result, planes[0].width, planes[0].height) : ImageFail(result, ImageBroken, "planes of different sizes");
    uint8_t *to = result->planes[0].samples;
    for (size_t i = 0; isMade && i < (size_t)planes[0].width * planes[0].height; i++, to += 4) {
        for (int channel = 0; channel < 3; channel++) to[channel] = planes[channel].samples[i];
        to[3] = 255;
    }
    for (int i = 0; i < 3; i++) free(planes[i].samples);
    result->opaque = 1;
    return isMade;
}

// Converts planes to the matrix of JPEG (BT.601). Everything is linear: with luma's weights `r` and `b`, R = Y + 2(1-r)Cr, B = Y +
// 2(1-b)Cb, G = (Y - rR - bB) / (1-r-b).
static void convertMatrix(ImageResult *result, double r, double b) {
    double g = 1 - r - b, redRed = 2 * (1 - r), blueBlue = 2 * (1 - b);
    double greenRed = -r * redRed / g, greenBlue = -b * blueBlue / g;
    double lumaRed = 0.299 * redRed + 0.587 * greenRed, lumaBlue = 0.587 * greenBlue + 0.114 * blueBlue;
    int one = 1 << 16;
    int yb = (int)lround(lumaBlue * one), yr = (int)lround(lumaRed * one);
    int bb = (int)lround((blueBlue - lumaBlue) / 1.772 * one), br = (int)lround(-lumaRed / 1.772 * one);
    int rb = (int)lround(-lumaBlue / 1.402 * one), rr = (int)lround((redRed - lumaRed) / 1.402 * one);
    ImagePlane luma = result->planes[0], blue = result->planes[1], red = result->planes[2];
    int stepX = (luma.width + blue.width - 1) / blue.width, stepY = (luma.height + blue.height - 1) / blue.height;
    for (int y = 0; y < luma.height; y++) {
        int row = y / stepY < blue.height ? y / stepY : blue.height - 1;
        const uint8_t *cb = blue.samples + (size_t)blue.width * row, *cr = red.samples + (size_t)red.width * row;
        uint8_t *to = luma.samples + (size_t)luma.width * y;
        for (int x = 0; x < luma.width; x++) {
            int at = x / stepX < blue.width ? x / stepX : blue.width - 1;
            int value = to[x] + ((yb * (cb[at] - 128) + yr * (cr[at] - 128) + one / 2) >> 16);
            to[x] = value < 0 ? 0 : value > 255 ? 255 : value;
        }
    }
    for (size_t i = 0; i < (size_t)blue.width * blue.height; i++) {
        int cb = blue.samples[i] - 128, cr = red.samples[i] - 128;
        int newBlue = 128 + ((bb * cb + br * cr + one / 2) >> 16), newRed = 128 + ((rb * cb + rr * cr + one / 2) >> 16);
        blue.samples[i] = newBlue < 0 ? 0 : newBlue > 255 ? 255 : newBlue;
        red.samples[i] = newRed < 0 ? 0 : newRed > 255 ? 255 : newRed;
    }
}

int ImageTakePlanes(ImageResult *result, const ImageSource *sources, int count, ImageCoding coding) {
    double red, blue;
    if (coding.depth < 8 || coding.depth > 16 || !weights(coding.matrix, &red, &blue))
        return ImageFail(result, ImageBroken, "unknown sample format");
    for (int i = 0; i < count; i++) {
        if (!sources[i].samples) return ImageFail(result, ImageBroken, "a plane is missing");
        if (!takePlane(result, &result->planes[i], sources[i], coding, i > 0 && !coding.isRGB)) return 0;
    }
    if (coding.isRGB) return pack(result);
    result->planeCount = count;
    if (count < 3) return 1;
    if (sources[1].width != sources[2].width || sources[1].height != sources[2].height)
        return ImageFail(result, ImageBroken, "chroma planes of different sizes");
    if (red != 0.299) convertMatrix(result, red, blue);
    return 1;
}
