#include "ImageJXL.h"
#include "ImageResult.h"

#ifndef LOOKAHEAD_JXL

void ImageJXLDecode(const uint8_t *data, size_t size, uint32_t maxPixels, int maxSide, ImageResult *result) {
    (void)data, (void)size, (void)maxPixels, (void)maxSide;
    ImageFail(result, ImageNotBuiltIn, "JXL");
}

#else

#include <jxl/decode.h>
#include <jxl/encode.h>
#include <jxl/version.h>
#include <stdlib.h>
// Version 0.9 removed an argument that no version used.
#if JPEGXL_NUMERIC_VERSION < JPEGXL_COMPUTE_NUMERIC_VERSION(0, 9, 0)
#define COLORS NULL, JXL_COLOR_PROFILE_TARGET_DATA
#else
#define COLORS JXL_COLOR_PROFILE_TARGET_DATA
#endif

// Requests sRGB with a white of 255 nits, which the decoder can output for lossy pictures. Stores the profile of the output pixels.
static void takeColors(JxlDecoder *decoder, int isGrey, ImageResult *result) {
    JxlColorEncoding sRGB;
    JxlColorEncodingSetToSRGB(&sRGB, isGrey);
    JxlDecoderSetPreferredColorProfile(decoder, &sRGB);
    JxlDecoderSetDesiredIntensityTarget(decoder, 255);
    size_t size = 0;
    if (JxlDecoderGetICCProfileSize(decoder, COLORS, &size) == JXL_DEC_SUCCESS && (result->profile = malloc(size))
        && JxlDecoderGetColorAsICCProfile(decoder, COLORS, result->profile, size) == JXL_DEC_SUCCESS)
        result->profileSize = size;
}

static int decode(JxlDecoder *decoder, uint32_t maxPixels, int maxSide, ImageResult *result) {
    static const JxlPixelFormat format = {.num_channels = 4, .data_type = JXL_TYPE_UINT8};
    JxlBasicInfo info = {0};
    for (;;) {
        JxlDecoderStatus status = JxlDecoderProcessInput(decoder);
        if (status == JXL_DEC_BASIC_INFO && JxlDecoderGetBasicInfo(decoder, &info) == JXL_DEC_SUCCESS) {
            if (info.xsize > (uint32_t)maxSide || info.ysize > (uint32_t)maxSide || (uint64_t)info.xsize * info.ysize > maxPixels)
                return ImageFail(result, ImageOutOfMemory, "more pixels than allowed");
            result->opaque = !info.alpha_bits;
        } else if (status == JXL_DEC_COLOR_ENCODING) {
            takeColors(decoder, info.num_color_channels == 1, result);
        } else if (status == JXL_DEC_NEED_IMAGE_OUT_BUFFER && !result->planeCount) {
            if (!ImageMakePixels(result, (int)info.xsize, (int)info.ysize)) return 0;
            JxlDecoderSetImageOutBuffer(decoder, &format, result->planes[0].samples, (size_t)info.xsize * info.ysize * 4);
        } else if (status == JXL_DEC_NEED_MORE_INPUT) {
            result->damaged = 1;
            // The missing part of a lossless picture would be black.
            if (!info.uses_original_profile && JxlDecoderFlushImage(decoder) == JXL_DEC_SUCCESS) return 1;
            return ImageFail(result, ImageTruncated, "ends early");
        } else {
            return status == JXL_DEC_FULL_IMAGE || ImageFail(result, ImageBroken, "not decodable");
        }
    }
}

void ImageJXLDecode(const uint8_t *data, size_t size, uint32_t maxPixels, int maxSide, ImageResult *result) {
    *result = (ImageResult){0};
    ImageFail(result, ImageOutOfMemory, "out of memory");
    // Without a runner, the decoder starts no threads. A sandboxed process cannot start any.
    JxlDecoder *decoder = JxlDecoderCreate(NULL);
    if (!decoder) return;
    JxlDecoderSubscribeEvents(decoder, JXL_DEC_BASIC_INFO | JXL_DEC_COLOR_ENCODING | JXL_DEC_FULL_IMAGE);
    JxlDecoderSetKeepOrientation(decoder, JXL_TRUE);
    JxlDecoderSetUnpremultiplyAlpha(decoder, JXL_TRUE);
    JxlDecoderSetInput(decoder, data, size);
    if (decode(decoder, maxPixels, maxSide, result)) result->outcome = ImageDecoded;
    JxlDecoderDestroy(decoder);
}

#endif
