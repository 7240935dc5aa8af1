#include "ImageJPEG.h"
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <jpeglib.h>
#include <jerror.h>

// libjpeg reports errors by longjmp. Everything that must survive a jump is in one heap block that is allocated before setjmp. No local
// variable is assigned between setjmp and a call that may jump, and read afterwards.
typedef struct {
    ImageJPEGResult result;  // must be the first member: the returned result is this block
    struct jpeg_decompress_struct jpeg;
    struct jpeg_error_mgr errors;
    struct jpeg_progress_mgr progress;
    jmp_buf escape;
    jmp_buf endOfScans;  // target of the library's errors while scans are read
    int readsScans;      // 1 while scans are read; -1 after an error in a scan
    ImageJPEGOptions options;
    int created;
    int endOfData;  // libjpeg has begun to invent an end of image
    JSAMPROW *rows[3];
    JSAMPARRAY arrays[3];
} Context;

static void onError(j_common_ptr jpeg) {
    Context *context = jpeg->client_data;
    char text[JMSG_LENGTH_MAX];
    jpeg->err->format_message(jpeg, text);
    snprintf(context->result.message, sizeof context->result.message, "%s", text);
    // libjpeg refuses a second frame header only after it has changed the number of components.
    int code = jpeg->err->msg_code;
    int hasScans = context->readsScans > 0 && code != JERR_OUT_OF_MEMORY && code != JERR_SOF_DUPLICATE;
    longjmp(hasScans ? context->endOfScans : context->escape, 1);
}

static void onMessage(j_common_ptr jpeg, int level) {
    Context *context = jpeg->client_data;
    if (level >= 0) return;
    jpeg->err->num_warnings++;
    switch (jpeg->err->msg_code) {
    case JWRN_JPEG_EOF: context->endOfData = 1; break;
    case JWRN_HIT_MARKER:
        if (context->endOfData) context->result.truncated = 1; else context->result.damaged = 1;
        break;
    case JWRN_HUFF_BAD_CODE: case JWRN_ARITH_BAD_CODE: case JWRN_MUST_RESYNC: context->result.damaged = 1; break;
    }
    if (jpeg->err->num_warnings == 1) {
        char text[JMSG_LENGTH_MAX];
        jpeg->err->format_message(jpeg, text);
        snprintf(context->result.message, sizeof context->result.message, "%s", text);
    }
}

static void onOutput(j_common_ptr jpeg) { (void)jpeg; }

static void fail(Context *context, const char *reason) {
    snprintf(context->result.message, sizeof context->result.message, "%s", reason);
    longjmp(context->escape, 1);
}

static void onProgress(j_common_ptr jpeg) {
    Context *context = jpeg->client_data;
    if (context->jpeg.input_scan_number > context->options.maxScans) fail(context, "too many scans");
}

// Whether every component has the frequencies that are visible at this scale, with the visible precision. Scan scripts differ: if a picture
// lacks some frequencies after four scans, more scans must be read. ProgressiveStop.swift has the same rule.
static int hasLowFrequencies(Context *context) {
    if (!context->jpeg.coef_bits || context->options.denominator < 2) return 0;
    for (int c = 0; c < context->jpeg.num_components; c++) {
        // A transform to 4 x 4 also shows the middle frequencies. Zigzag 9 is the last one before the fine frequencies.
        int last = context->options.denominator >= 8 ? 0 : context->options.denominator >= 4 ? 2 : 9;
        int missingBits = context->options.denominator >= 4 ? 13 : 1;
        for (int k = 0; k <= last; k++)
            if (context->jpeg.coef_bits[c][k] < 0 || context->jpeg.coef_bits[c][k] > missingBits) return 0;
    }
    return 1;
}

static int isEnough(Context *context) {
    return context->jpeg.input_scan_number >= context->options.stopAfterScan && hasLowFrequencies(context);
}

// libjpeg does not report missing data if the data ends between scans. Coefficients that are not refined to the last bit are then missing.
// The same is true of a component without a scan, whose quantization table was not saved. Only an end marker may be missing.
static void checkEnd(Context *context) {
    if (!context->endOfData || isEnough(context)) return;
    for (int c = 0; c < context->jpeg.num_components; c++) {
        if (!context->jpeg.comp_info[c].quant_table) context->result.truncated = 1;
        for (int k = 0; context->jpeg.coef_bits && k < DCTSIZE2; k++)
            if (context->jpeg.coef_bits[c][k] != 0) context->result.truncated = 1;
    }
}

static void readScans(Context *context) {
    if (setjmp(context->endOfScans)) {
        // Damage between two scans does not affect the earlier scans.
        context->readsScans = -1;
        context->result.damaged = 1;
        context->jpeg.do_block_smoothing = FALSE;  // smoothing would read further
        return;
    }
    context->readsScans = 1;
    for (;;) {
        int status = jpeg_consume_input(&context->jpeg);
        if (status == JPEG_SUSPENDED) fail(context, "the data ended early");
        onProgress((j_common_ptr)&context->jpeg);
        int isOver = status == JPEG_REACHED_EOI || (status == JPEG_SCAN_COMPLETED && context->endOfData);
        if (isOver) checkEnd(context);
        if (isOver || (status == JPEG_SCAN_COMPLETED && isEnough(context))) break;
    }
    context->readsScans = 0;
}

static void *need(Context *context, size_t count, size_t size) {
    void *memory = calloc(count, size);
    if (!memory) fail(context, "out of memory");
    return memory;
}

static void readPacked(Context *context) {
    ImageJPEGPlane *plane = &context->result.planes[0];
    plane->width = context->jpeg.output_width;
    plane->height = context->jpeg.output_height;
    plane->stride = plane->width * 4;
    plane->extentX = (double)context->jpeg.image_width / context->options.denominator;
    plane->extentY = (double)context->jpeg.image_height / context->options.denominator;
    context->result.planeCount = 1;
    plane->samples = need(context, (size_t)plane->stride, plane->height);
    while (context->jpeg.output_scanline < context->jpeg.output_height) {
        JSAMPROW row = plane->samples + (size_t)plane->stride * context->jpeg.output_scanline;
        jpeg_read_scanlines(&context->jpeg, &row, 1);
    }
}

static void readPlanes(Context *context) {
    struct jpeg_decompress_struct *jpeg = &context->jpeg;
    int groups = (jpeg->output_height + jpeg->max_v_samp_factor * jpeg->min_DCT_scaled_size - 1)
        / (jpeg->max_v_samp_factor * jpeg->min_DCT_scaled_size);
    for (int c = 0; c < jpeg->num_components; c++) {
        jpeg_component_info *info = &jpeg->comp_info[c];
        ImageJPEGPlane *plane = &context->result.planes[c];
        int rowsPerGroup = info->v_samp_factor * info->DCT_scaled_size;
        plane->width = info->downsampled_width;
        plane->height = info->downsampled_height;
        // libjpeg writes whole groups of blocks.
        plane->stride = ((int)info->width_in_blocks + info->h_samp_factor) * info->DCT_scaled_size;
        plane->extentX = (double)jpeg->image_width * info->h_samp_factor * info->DCT_scaled_size
            / (jpeg->max_h_samp_factor * DCTSIZE);
        plane->extentY = (double)jpeg->image_height * info->v_samp_factor * info->DCT_scaled_size
            / (jpeg->max_v_samp_factor * DCTSIZE);
        context->result.planeCount = c + 1;
        plane->samples = need(context, (size_t)plane->stride, (size_t)groups * rowsPerGroup);
        context->rows[c] = need(context, (size_t)rowsPerGroup, sizeof(JSAMPROW));
        context->arrays[c] = context->rows[c];
    }
    for (int group = 0; group < groups && jpeg->output_scanline < jpeg->output_height; group++) {
        for (int c = 0; c < jpeg->num_components; c++) {
            jpeg_component_info *info = &jpeg->comp_info[c];
            int rowsPerGroup = info->v_samp_factor * info->DCT_scaled_size;
            for (int r = 0; r < rowsPerGroup; r++)
                context->rows[c][r] = context->result.planes[c].samples
                    + (size_t)context->result.planes[c].stride * ((size_t)group * rowsPerGroup + r);
        }
        jpeg_read_raw_data(jpeg, context->arrays, jpeg->max_v_samp_factor * jpeg->min_DCT_scaled_size);
    }
}

static int decode(Context *context, const uint8_t *data, size_t size) {
    if (setjmp(context->escape)) return 0;
    struct jpeg_decompress_struct *const jpeg = &context->jpeg;
    jpeg_create_decompress(jpeg);
    context->created = 1;
    jpeg->client_data = context;
    jpeg->mem->max_memory_to_use = context->options.maxMemory;
    jpeg->progress = &context->progress;
    jpeg_mem_src(jpeg, data, size);
    jpeg_read_header(jpeg, TRUE);

    jpeg->scale_num = 1;
    jpeg->scale_denom = context->options.denominator;
    jpeg->do_fancy_upsampling = FALSE;
    jpeg->dct_method = JDCT_ISLOW;
    jpeg->buffered_image = jpeg_has_multiple_scans(jpeg);
    if (jpeg->jpeg_color_space == JCS_CMYK || jpeg->jpeg_color_space == JCS_YCCK) {
        if (!context->options.packed) fail(context, "CMYK has no luma plane");
        jpeg->out_color_space = JCS_CMYK;
        context->result.cmyk = 1;
    } else if (context->options.packed) {
        jpeg->out_color_space = JCS_EXT_RGBX;
    } else {
        if (jpeg->jpeg_color_space != JCS_YCbCr && jpeg->jpeg_color_space != JCS_GRAYSCALE)
            fail(context, "not YCbCr");
        jpeg->out_color_space = jpeg->jpeg_color_space;
        jpeg->raw_data_out = TRUE;
    }

    jpeg_start_decompress(jpeg);
    if (jpeg->buffered_image) {
        readScans(context);
        // After an error, the library might try to read more of the last scan.
        int isBroken = context->readsScans < 0 && jpeg->input_scan_number > 1;
        jpeg_start_output(jpeg, jpeg->input_scan_number - isBroken);
    }
    if (context->options.packed) readPacked(context); else readPlanes(context);
    context->result.scans = jpeg->input_scan_number;
    return 1;
}

ImageJPEGResult *ImageJPEGDecode(const uint8_t *data, size_t size, ImageJPEGOptions options, int *ok) {
    *ok = 0;
    Context *context = calloc(1, sizeof *context);
    if (!context) return NULL;
    context->options = options;
    context->jpeg.err = jpeg_std_error(&context->errors);
    context->errors.error_exit = onError;
    context->errors.emit_message = onMessage;
    context->errors.output_message = onOutput;
    context->progress.progress_monitor = onProgress;
    context->jpeg.client_data = context;
    *ok = decode(context, data, size);
    if (context->created) jpeg_destroy_decompress(&context->jpeg);
    for (int c = 0; c < 3; c++) free(context->rows[c]);
    return &context->result;
}

void ImageJPEGFree(ImageJPEGResult *result) {
    if (!result) return;
    for (int c = 0; c < 3; c++) free(result->planes[c].samples);
    free(result);
}
