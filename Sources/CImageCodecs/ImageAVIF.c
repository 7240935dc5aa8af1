#include "ImageAVIF.h"
#include "ImageResult.h"

#ifndef LOOKAHEAD_AVIF

void ImageAVIFDecode(const uint8_t *data, size_t size, uint32_t maxPixels, int maxSide, ImageResult *result) {
    (void)data, (void)size, (void)maxPixels, (void)maxSide;
    ImageFail(result, ImageNotBuiltIn, "AVIF");
}

#else

#include <avif/avif.h>
#include <string.h>

static int fail(ImageResult *result, avifResult code) {
    ImageOutcome outcome = code == AVIF_RESULT_OUT_OF_MEMORY ? ImageOutOfMemory
        : code == AVIF_RESULT_TRUNCATED_DATA                 ? ImageTruncated
                                                             : ImageBroken;
    return ImageFail(result, outcome, avifResultToString(code));
}

static int takePixels(const avifImage *image, ImageResult *result) {
    if (!ImageMakePixels(result, image->width, image->height)) return 0;
    avifRGBImage pixels;
    avifRGBImageSetDefaults(&pixels, image);
    pixels.format = AVIF_RGB_FORMAT_RGBA;
    pixels.depth = 8;
    pixels.chromaUpsampling = AVIF_CHROMA_UPSAMPLING_FASTEST;
    pixels.pixels = result->planes[0].samples;
    pixels.rowBytes = image->width * 4;
    avifResult code = avifImageYUVToRGB(image, &pixels);
    result->opaque = !image->alphaPlane;
    return code == AVIF_RESULT_OK ? 1 : fail(result, code);
}

static int takeImage(const avifImage *image, ImageResult *result) {
    if (image->alphaPlane || !ImageKnowsMatrix(image->matrixCoefficients)) return takePixels(image, result);
    avifPixelFormatInfo info;
    avifGetPixelFormatInfo(image->yuvFormat, &info);
    ImageCoding coding = {.depth = (int)image->depth, .fullRange = image->yuvRange == AVIF_RANGE_FULL, .matrix = image->matrixCoefficients};
    int count = image->yuvFormat == AVIF_PIXEL_FORMAT_YUV400 ? 1 : 3;
    ImageSource sources[3];
    for (int i = 0; i < count; i++) {
        int shiftX = i ? info.chromaShiftX : 0, shiftY = i ? info.chromaShiftY : 0;
        sources[i].samples = image->yuvPlanes[i];
        sources[i].stride = image->yuvRowBytes[i];
        sources[i].width = (image->width + shiftX) >> shiftX;
        sources[i].height = (image->height + shiftY) >> shiftY;
    }
    return ImageTakePlanes(result, sources, count, coding);
}

static void decode(avifDecoder *decoder, const uint8_t *data, size_t size, ImageResult *result) {
    avifResult code = avifDecoderSetIOMemory(decoder, data, size);
    if (code == AVIF_RESULT_OK) code = avifDecoderParse(decoder);
    if (code == AVIF_RESULT_OK) code = avifDecoderNextImage(decoder);
    if (code != AVIF_RESULT_OK) {
        fail(result, code);
        // libavif uses the same code for a size over its limits and for a box that is cut off.
        if (code == AVIF_RESULT_BMFF_PARSE_FAILED && !strstr(decoder->diag.error, "too large")) result->outcome = ImageOddBoxes;
        return;
    }
    if (takeImage(decoder->image, result)) result->outcome = ImageDecoded;
}

void ImageAVIFDecode(const uint8_t *data, size_t size, uint32_t maxPixels, int maxSide, ImageResult *result) {
    memset(result, 0, sizeof *result);
    avifDecoder *decoder = avifDecoderCreate();
    if (!decoder) {
        ImageFail(result, ImageOutOfMemory, "out of memory");
        return;
    }
    // A sandboxed process cannot start threads.
    decoder->maxThreads = 1;
    decoder->codecChoice = avifCodecName(AVIF_CODEC_CHOICE_DAV1D, AVIF_CODEC_FLAG_CAN_DECODE) ? AVIF_CODEC_CHOICE_DAV1D : AVIF_CODEC_CHOICE_AUTO;
    avifDecoderSetSource(decoder, AVIF_DECODER_SOURCE_PRIMARY_ITEM);
    decoder->ignoreExif = decoder->ignoreXMP = AVIF_TRUE;
    decoder->imageSizeLimit = maxPixels;
    decoder->imageDimensionLimit = maxSide;
    // Accepts files without properties that only some readers need, as browsers do.
    decoder->strictFlags = AVIF_STRICT_DISABLED;
    decode(decoder, data, size, result);
    avifDecoderDestroy(decoder);
}

#endif
