#pragma once
#include <vips/vips.h>

// libvips' operations take their options as C varargs, which Swift cannot call.

static inline int peer_vips_start(void) {
    if (VIPS_INIT("peers")) return -1;
    vips_concurrency_set(1);
    vips_cache_set_max(0);
    return 0;
}

/// A JPEG of quality 75 that fits in a square of `side` pixels; NULL on failure. To be freed by `g_free`.
static inline void *peer_vips_thumbnail(const void *bytes, size_t count, int side, size_t *length) {
    VipsImage *image = NULL;
    void *output = NULL;
    if (vips_thumbnail_buffer((void *)bytes, count, &image, side, NULL)) return NULL;
    if (vips_jpegsave_buffer(image, &output, length, "Q", 75, "strip", TRUE, NULL)) output = NULL;
    g_object_unref(image);
    return output;
}
