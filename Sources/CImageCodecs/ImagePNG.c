#include "ImagePNG.h"
#include <png.h>
#include <stdlib.h>
#include <string.h>

// Everything that must survive the longjmp lives here, on the heap, before setjmp.
typedef struct {
    png_structp png;
    png_infop info;
    const uint8_t *data;
    size_t size, offset;
    uint8_t *profile;
    size_t profileSize;
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
    Reader *reader = calloc(1, sizeof *reader);
    if (!reader) return NULL;
    reader->data = data;
    reader->size = size;
    reader->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, onError, onWarning);
    if (reader->png) reader->info = png_create_info_struct(reader->png);
    if (reader->info) {
        png_set_read_fn(reader->png, reader, readBytes);
        png_set_chunk_malloc_max(reader->png, maxBytes);
        png_set_chunk_cache_max(reader->png, 16);
        png_set_user_limits(reader->png, 0x7fffffff, 0x7fffffff);
        readProfile(reader);
    }
    if (reader->png) png_destroy_read_struct(&reader->png, &reader->info, NULL);
    uint8_t *profile = reader->profile;
    *profileSize = reader->profileSize;
    free(reader);
    return profile;
}
