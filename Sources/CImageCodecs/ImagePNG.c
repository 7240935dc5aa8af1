#include "ImagePNG.h"
#include <png.h>
#include <stdlib.h>
#include <string.h>

// Everything that must survive the longjmp is stored here, on the heap, before setjmp.
typedef struct {
    png_structp png;
    png_infop info;
    const uint8_t *data;
    size_t size, offset;
    uint8_t *profile;
    size_t profileSize;
    uint8_t *pixels;
    uint32_t width, height;
    int pass, passes;
    uint32_t row;
    size_t rows;  // number of rows read in all passes
} Reader;

static void readBytes(png_structp png, png_bytep into, size_t count) {
    Reader *reader = png_get_io_ptr(png);
    if (count > reader->size - reader->offset) png_error(png, "ended early");
    memcpy(into, reader->data + reader->offset, count);
    reader->offset += count;
}

static void onError(png_structp png, png_const_charp message) {
    (void)message;
    png_longjmp(png, 1);
}

static void onWarning(png_structp png, png_const_charp message) {
    (void)png;
    (void)message;
}

// Creates a reader for either use. `info` is NULL if libpng has no memory.
static Reader *begin(const uint8_t *data, size_t size) {
    Reader *reader = calloc(1, sizeof *reader);
    if (!reader) return NULL;
    reader->data = data;
    reader->size = size;
    reader->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, onError, onWarning);
    if (reader->png) reader->info = png_create_info_struct(reader->png);
    if (!reader->info) return reader;
    png_set_read_fn(reader->png, reader, readBytes);
    png_set_chunk_cache_max(reader->png, 16);
    png_set_user_limits(reader->png, 0x7fffffff, 0x7fffffff);
    return reader;
}

static void end(Reader *reader) {
    if (reader->png) png_destroy_read_struct(&reader->png, &reader->info, NULL);
    free(reader);
}

static void readProfile(Reader *reader) {
    if (setjmp(png_jmpbuf(reader->png))) return;
    png_read_info(reader->png, reader->info);
    png_charp name = NULL;
    png_bytep profile = NULL;
    png_uint_32 length = 0;
    int compression = 0;
    if (!png_get_iCCP(reader->png, reader->info, &name, &compression, &profile, &length) || !length) return;
    reader->profile = malloc(length);
    if (!reader->profile) return;
    memcpy(reader->profile, profile, length);
    reader->profileSize = length;
}

uint8_t *ImagePNGCopyProfile(const uint8_t *data, size_t size, size_t maxBytes, size_t *profileSize) {
    *profileSize = 0;
    Reader *reader = begin(data, size);
    if (!reader) return NULL;
    if (reader->info) {
        png_set_chunk_malloc_max(reader->png, maxBytes);
        readProfile(reader);
    }
    uint8_t *profile = reader->profile;
    *profileSize = reader->profileSize;
    end(reader);
    return profile;
}

static void readRows(Reader *reader) {
    if (setjmp(png_jmpbuf(reader->png))) return;
    png_structp png = reader->png;
    // Ignores wrong checksums, because the rest may be correct.
    png_set_crc_action(png, PNG_CRC_QUIET_USE, PNG_CRC_QUIET_USE);
    // Inflates in small pieces, because the piece in which the bytes end is lost.
    png_set_compression_buffer_size(png, 32);
    // Produces the same colours as the simplified interface: sRGB, even for 16 bits without a gamma.
    png_set_alpha_mode(png, PNG_ALPHA_PNG, PNG_DEFAULT_sRGB);
    png_read_info(png, reader->info);
    if (png_get_image_width(png, reader->info) != reader->width
        || png_get_image_height(png, reader->info) != reader->height)
        return;
    png_set_expand(png);
    png_set_scale_16(png);
    png_set_gray_to_rgb(png);
    png_set_add_alpha(png, 0xff, PNG_FILLER_AFTER);
    reader->passes = png_set_interlace_handling(png);
    png_read_update_info(png, reader->info);
    if (png_get_rowbytes(png, reader->info) != (size_t)reader->width * 4) return;
    for (reader->pass = 0; reader->pass < reader->passes; reader->pass++) {
        for (reader->row = 0; reader->row < reader->height; reader->row++) {
            png_read_row(png, NULL, reader->pixels + (size_t)reader->row * reader->width * 4);
            reader->rows++;
        }
    }
}

size_t ImagePNGSalvage(const uint8_t *data, size_t size, uint32_t width, uint32_t height, uint8_t *pixels) {
    Reader *reader = begin(data, size);
    if (!reader) return 0;
    reader->width = width;
    reader->height = height;
    reader->pixels = pixels;
    if (reader->info) readRows(reader);
    size_t rows = reader->rows;
    end(reader);
    return rows;
}
