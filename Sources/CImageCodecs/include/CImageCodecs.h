#pragma once
#include <stdio.h>
#include <stddef.h>
#include <stdint.h>
#include <turbojpeg.h>
#include <jpeglib.h>
#include <png.h>
#include <webp/decode.h>
#include <webp/demux.h>
#include <webp/encode.h>
#include <gif_lib.h>
#include <lcms2.h>
#include "ImageAVIF.h"
#include "ImageHEIF.h"
#include "ImageJPEG.h"
#include "ImageJXL.h"
#include "ImagePNG.h"
#include "ImageProcess.h"
#include "ImageResult.h"
#include "ImageTIFF.h"
#include "ImageVideo.h"

// Pixel formats of lcms2 that are macros Swift cannot import.
enum {
    ImageFormatRGBA8 = TYPE_RGBA_8,
    ImageFormatGray8 = TYPE_GRAY_8,
    ImageFormatInvertedCMYK8 = TYPE_CMYK_8_REV,
};
