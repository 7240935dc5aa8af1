#include "painting.h"

#include <stdio.h>

#include <jpeglib.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 600, HEIGHT = 400, COLUMNS = 6, ROWS = 4 };

// The first block is light and the last one dark; between them the item in sixteen bits and a check in six.
static int is_light(unsigned item, int block) {
    if (block == 0) return 1;
    if (block == COLUMNS * ROWS - 1) return 0;
    unsigned check = (item ^ item >> 6 ^ item >> 12 ^ 45) & 63;
    return (item << 6 | check) >> (COLUMNS * ROWS - 2 - block) & 1;
}

// A grid cell shows the middle of the picture: the blocks leave its sides out.
static int block_at(int x, int y) {
    int left = WIDTH * 8 / 100, top = HEIGHT * 4 / 100;
    int column = (x - left) * COLUMNS / (WIDTH - 2 * left), row = (y - top) * ROWS / (HEIGHT - 2 * top);
    if (x < left || y < top || column >= COLUMNS || row >= ROWS) return -1;
    return row * COLUMNS + column;
}

// Grain of this amplitude costs bytes and the time to decode them, as a photograph's detail does.
static size_t encode(unsigned item, int grain, unsigned char **jpeg) {
    struct jpeg_compress_struct encoder;
    struct jpeg_error_mgr errors;
    encoder.err = jpeg_std_error(&errors);
    jpeg_create_compress(&encoder);
    unsigned long size = 0;
    *jpeg = NULL;
    jpeg_mem_dest(&encoder, jpeg, &size);
    encoder.image_width = WIDTH;
    encoder.image_height = HEIGHT;
    encoder.input_components = 3;
    encoder.in_color_space = JCS_YCbCr;
    jpeg_set_defaults(&encoder);
    jpeg_set_quality(&encoder, 85, TRUE);
    jpeg_start_compress(&encoder, TRUE);
    uint32_t noise = item * 2654435761u + 1;
    int blue = 128 + (int)(noise >> 8) % 40, red = 128 + (int)(noise >> 16) % 40;
    int light[COLUMNS * ROWS];
    for (int block = 0; block < COLUMNS * ROWS; block++) light[block] = is_light(item, block) ? 205 : 50;
    unsigned char line[WIDTH * 3];
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++) {
            int block = block_at(x, y);
            noise = noise * 1664525 + 1013904223;
            line[3 * x] = (block < 0 ? 128 : light[block]) + (grain ? (int)(noise >> 16) % (2 * grain + 1) - grain : 0);
            line[3 * x + 1] = blue;
            line[3 * x + 2] = red;
        }
        JSAMPROW rows[] = {line};
        jpeg_write_scanlines(&encoder, rows, 1);
    }
    jpeg_finish_compress(&encoder);
    jpeg_destroy_compress(&encoder);
    return size;
}

// The missing bytes stand between the first marker and the second, in comments: the picture is whole with its last byte.
static void pad(unsigned char *at, size_t count) {
    while (count > 0) {
        if (count < 4) {
            memset(at, 0xFF, count);  // a marker may have such before it
            return;
        }
        size_t comment = count < 65537 ? count : 65537;
        at[0] = 0xFF;
        at[1] = 0xFE;
        at[2] = (comment - 2) >> 8;
        at[3] = (comment - 2) & 0xFF;
        memset(at + 4, ' ', comment - 4);
        at += comment;
        count -= comment;
    }
}

unsigned char *paint(unsigned item, size_t bytes) {
    unsigned char *jpeg;
    size_t size;
    int grain = bytes < 8000 ? 0 : (int)((bytes - 8000) / 4600);
    if (grain > 20) grain = 20;
    while ((size = encode(item, grain, &jpeg)) > bytes && grain > 0) {
        free(jpeg);
        grain /= 2;
    }
    unsigned char *picture = malloc(bytes);
    if (size > bytes || !picture) abort();
    memcpy(picture, jpeg, 2);
    pad(picture + 2, bytes - size);
    memcpy(picture + bytes - size + 2, jpeg + 2, size - 2);
    free(jpeg);
    return picture;
}
