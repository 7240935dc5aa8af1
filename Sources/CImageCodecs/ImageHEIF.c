#include "ImageHEIF.h"
#include "ImageResult.h"

#ifndef LOOKAHEAD_HEIF

int ImageHEIFPrepare(void) { return 0; }

void ImageHEIFDecode(const uint8_t *data, size_t size, int enoughWidth, int enoughHeight, int maxSide, ImageTurn turn,
                     ImageResult *result) {
    (void)data, (void)size, (void)enoughWidth, (void)enoughHeight, (void)maxSide, (void)turn;
    ImageFail(result, ImageNotBuiltIn, "HEIC");
}

void ImageHEIFDecodeThumbnail(const uint8_t *data, size_t size, int maxSide, ImageTurn turn, ImageResult *result) {
    ImageHEIFDecode(data, size, 0, 0, maxSide, turn, result);
}

void ImageHEIFDecodeAVIF(const uint8_t *data, size_t size, int maxSide, ImageResult *result) {
    (void)data, (void)size, (void)maxSide;
    ImageFail(result, ImageNotBuiltIn, "AVIF");
}

#else

#include <libheif/heif.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// libheif always starts threads of libde265 and waits for them, but a sandboxed process cannot start threads. This symbol of the program
// overrides the library's. Without threads, libde265 decodes within the call.
__attribute__((visibility("default"), used)) int de265_start_worker_threads(void *decoder, int count) {
    (void)decoder, (void)count;
    return 0;
}

int ImageHEIFPrepare(void) {
    heif_init(NULL);
    return 1;
}

static int fail(ImageResult *result, struct heif_error error) {
    ImageOutcome outcome = ImageBroken;
    if (error.code == heif_error_Memory_allocation_error || error.subcode == heif_suberror_Security_limit_exceeded)
        outcome = ImageOutOfMemory;
    else if (error.subcode == heif_suberror_End_of_data)
        outcome = ImageTruncated;
    else if (error.code == heif_error_Unsupported_filetype || error.code == heif_error_Unsupported_feature
             || error.code == heif_error_Plugin_loading_error) {
        char message[sizeof result->message];
        snprintf(message, sizeof message, "not supported by this libheif (%s)", error.message ? error.message : "");
        return ImageFail(result, ImageNotBuiltIn, message);
    }
    return ImageFail(result, outcome, error.message);
}

typedef struct {
    int width, height;
} Size;

// Returns the size that the file states for a picture, upright. libheif's own size is upright only if the file lists the size before the
// turn.
static Size statedSize(struct heif_image_handle *handle, ImageTurn turn) {
    int width = heif_image_handle_get_ispe_width(handle), height = heif_image_handle_get_ispe_height(handle);
    return turn.swapsSides ? (Size){height, width} : (Size){width, height};
}

// Returns the smallest thumbnail that is large enough and neither a crop nor a letterbox of the picture, or NULL if there is none.
static struct heif_image_handle *thumbnail(struct heif_image_handle *picture, int enoughWidth, int enoughHeight, ImageTurn turn) {
    heif_item_id ids[8];
    int count = heif_image_handle_get_list_of_thumbnail_IDs(picture, ids, 8);
    Size whole = statedSize(picture, turn);
    double width = whole.width, height = whole.height;
    struct heif_image_handle *best = NULL;
    for (int i = 0; i < count; i++) {
        struct heif_image_handle *handle = NULL;
        if (heif_image_handle_get_thumbnail(picture, ids[i], &handle).code != heif_error_Ok) continue;
        int w = statedSize(handle, turn).width, h = statedSize(handle, turn).height;
        // Allows a pixel for rounding, and a fiftieth.
        double off = w * height - h * width, most = height + width + 0.02 * w * height;
        int isBetter = w >= enoughWidth && h >= enoughHeight && off <= most && off >= -most
            && (!best || w < statedSize(best, turn).width);
        if (isBetter && best) heif_image_handle_release(best);
        if (isBetter) best = handle; else heif_image_handle_release(handle);
    }
    return best;
}

// A request for a picture.
typedef struct {
    int enoughWidth, enoughHeight;
    ImageTurn turn;
    int isThumbnail;
    const struct heif_decoding_options *options;
    int isAVIF;
} Wish;

// Side of the largest block that HEVC codes, in samples (ITU-T H.265, 7.4.3.2.1).
enum { longestBlock = 64 };

// Cuts a frame to the stated size of its picture. Some cameras write frames of whole blocks, which are larger.
static ImageSource cut(ImageSource source, double width, double height, ImageTurn turn, int sampleBytes) {
    int w = width < source.width ? (int)width : source.width, h = height < source.height ? (int)height : source.height;
    if (turn.right) source.samples += (size_t)(source.width - w) * sampleBytes;
    if (turn.bottom) source.samples += source.stride * (source.height - h);
    source.width = w;
    source.height = h;
    return source;
}

// Whether a frame is as large as its picture, or larger by less than a block.
static int hasMargin(int width, int height, Size size) {
    return width >= size.width && height >= size.height && width < size.width + longestBlock && height < size.height + longestBlock;
}

// Converts pictures coded as RGB, or with alpha, to pixels with libheif's own conversion.
static int takePixels(struct heif_image_handle *handle, Wish wish, ImageResult *result) {
    struct heif_image *image = NULL;
    struct heif_error error = heif_decode_image(handle, &image, heif_colorspace_RGB, heif_chroma_interleaved_RGBA, wish.options);
    if (error.code != heif_error_Ok) return fail(result, error);
    int stride = 0;
    ImageSource from = {.samples = heif_image_get_plane_readonly(image, heif_channel_interleaved, &stride)};
    from.stride = stride;
    from.width = heif_image_get_width(image, heif_channel_interleaved);
    from.height = heif_image_get_height(image, heif_channel_interleaved);
    Size size = statedSize(handle, wish.turn);
    int isTaken = 0;
    if (!from.samples || (wish.isThumbnail && !hasMargin(from.width, from.height, size))) {
        ImageFail(result, ImageBroken, "no pixels, or the thumbnail is not rotated like its picture");
    } else {
        from = cut(from, size.width, size.height, wish.turn, 4);
        isTaken = ImageMakePixels(result, from.width, from.height);
    }
    for (int y = 0; isTaken && y < from.height; y++)
        memcpy(result->planes[0].samples + (size_t)from.width * 4 * y, from.samples + from.stride * y, (size_t)from.width * 4);
    result->opaque = !heif_image_handle_has_alpha_channel(handle);
    heif_image_release(image);
    return isTaken;
}

static ImageCoding coding(const struct heif_image *image) {
    int isRGB = heif_image_get_colorspace(image) == heif_colorspace_RGB;
    // libheif has the same defaults if a file states nothing.
    ImageCoding coding = {.fullRange = 1, .matrix = 2, .isRGB = isRGB};
    coding.depth = heif_image_get_bits_per_pixel_range(image, isRGB ? heif_channel_R : heif_channel_Y);
    if (isRGB) return coding;
    struct heif_color_profile_nclx *profile = NULL;
    if (heif_image_get_nclx_color_profile(image, &profile).code == heif_error_Ok && profile) {
        coding.fullRange = profile->full_range_flag;
        coding.matrix = profile->matrix_coefficients;
        heif_nclx_color_profile_free(profile);
    }
    return coding;
}

static int takeImage(struct heif_image_handle *handle, Wish wish, ImageResult *result) {
    if (heif_image_handle_has_alpha_channel(handle)) return takePixels(handle, wish, result);
    struct heif_image *image = NULL;
    // Each conversion by libheif takes a tenth of the total time or more. Before version 1.19, it always converts YCbCr to RGB, and converts
    // the result back if YCbCr is requested. So its own form is requested.
    struct heif_error error = heif_decode_image(handle, &image, heif_colorspace_undefined, heif_chroma_undefined, wish.options);
    if (error.code != heif_error_Ok) return takePixels(handle, wish, result);
    enum heif_colorspace space = heif_image_get_colorspace(image);
    ImageCoding how = coding(image);
    if ((how.isRGB && heif_image_get_chroma_format(image) != heif_chroma_444) || !ImageKnowsMatrix(how.matrix)) {
        heif_image_release(image);
        return takePixels(handle, wish, result);
    }
    Size size = statedSize(handle, wish.turn);
    static const enum heif_channel all[2][3] = {
        {heif_channel_Y, heif_channel_Cb, heif_channel_Cr}, {heif_channel_R, heif_channel_G, heif_channel_B}};
    const enum heif_channel *channels = all[how.isRGB];
    ImageSource sources[3];
    int count = space == heif_colorspace_monochrome ? 1 : 3, codedWidth = heif_image_get_width(image, channels[0]);
    int codedHeight = heif_image_get_height(image, channels[0]);
    if (wish.isThumbnail && !hasMargin(codedWidth, codedHeight, size)) {
        heif_image_release(image);
        return ImageFail(result, ImageBroken, "the thumbnail is not rotated like its picture");
    }
    for (int i = 0; i < count; i++) {
        int stride = 0;
        ImageSource source = {.samples = heif_image_get_plane_readonly(image, channels[i], &stride)};
        source.stride = stride;
        source.width = heif_image_get_width(image, channels[i]);
        source.height = heif_image_get_height(image, channels[i]);
        // Keeps the same share of chroma as of luma.
        double across = (double)source.width / codedWidth, down = (double)source.height / codedHeight;
        sources[i] = cut(source, ceil(size.width * across), ceil(size.height * down), wish.turn, how.depth > 8 ? 2 : 1);
    }
    if (!wish.isThumbnail && wish.enoughWidth > 0 && wish.enoughHeight > 0) {
        int across = sources[0].width / wish.enoughWidth / 2, down = sources[0].height / wish.enoughHeight / 2;
        how.shrink = across < 2 || down < 2 ? 1 : across < down ? across : down;
    }
    int isTaken = ImageTakePlanes(result, sources, count, how);
    heif_image_release(image);
    return isTaken;
}

static void decode(struct heif_context *context, const uint8_t *data, size_t size, Wish wish, int onlyThumbnail,
                   ImageResult *result) {
    struct heif_error error = heif_context_read_from_memory_without_copy(context, data, size, NULL);
    struct heif_image_handle *picture = NULL;
    if (error.code == heif_error_Ok) error = heif_context_get_primary_image_handle(context, &picture);
    if (error.code != heif_error_Ok) {
        fail(result, error);
        return;
    }
    struct heif_decoding_options *options = heif_decoding_options_alloc();
    struct heif_image_handle *small =
        wish.enoughWidth > 0 && !heif_image_handle_has_alpha_channel(picture)
        ? thumbnail(picture, wish.enoughWidth, wish.enoughHeight, wish.turn) : NULL;
    int isTaken = 0;
    if (!options) {
        ImageFail(result, ImageOutOfMemory, "out of memory");
    } else {
        options->convert_hdr_to_8bit = 1;
        options->ignore_transformations = wish.isAVIF ? 1 : 0;
        // libheif would choose dav1d and start its threads, but a sandboxed process cannot start threads. libaom needs none.
        if (wish.isAVIF) options->decoder_id = "aom";
        wish.options = options;
        if (small) {
            wish.isThumbnail = 1;
            isTaken = takeImage(small, wish, result);
            wish.isThumbnail = 0;
        } else if (onlyThumbnail) {
            ImageFail(result, ImageNotBuiltIn, "no thumbnail");
        }
        // If the thumbnail cannot be read, decodes the picture itself.
        if (!isTaken && !onlyThumbnail) {
            ImageResultFree(result);
            isTaken = takeImage(picture, wish, result);
        }
    }
    if (isTaken) result->outcome = ImageDecoded;
    if (options) heif_decoding_options_free(options);
    if (small) heif_image_handle_release(small);
    heif_image_handle_release(picture);
}

static void run(const uint8_t *data, size_t size, Wish wish, int maxSide, int onlyThumbnail, ImageResult *result) {
    memset(result, 0, sizeof *result);
    struct heif_context *context = heif_context_alloc();
    if (!context) {
        ImageFail(result, ImageOutOfMemory, "out of memory");
        return;
    }
    heif_context_set_max_decoding_threads(context, 0);
    heif_context_set_maximum_image_size_limit(context, maxSide);
    decode(context, data, size, wish, onlyThumbnail, result);
    heif_context_free(context);
}

void ImageHEIFDecode(const uint8_t *data, size_t size, int enoughWidth, int enoughHeight, int maxSide, ImageTurn turn,
                     ImageResult *result) {
    run(data, size, (Wish){enoughWidth, enoughHeight, turn, 0, NULL}, maxSide, 0, result);
}

void ImageHEIFDecodeThumbnail(const uint8_t *data, size_t size, int maxSide, ImageTurn turn, ImageResult *result) {
    run(data, size, (Wish){1, 1, turn, 0, NULL}, maxSide, 1, result);
}

void ImageHEIFDecodeAVIF(const uint8_t *data, size_t size, int maxSide, ImageResult *result) {
    if (heif_have_decoder_for_format(heif_compression_AV1)) run(data, size, (Wish){.isAVIF = 1}, maxSide, 0, result);
    else ImageFail(result, ImageNotBuiltIn, "AV1");
}

#endif
