#include "ImageVideo.h"
#include "ImageResult.h"

#ifndef LOOKAHEAD_VIDEO

void ImageVideoDecode(ImageVideoFile file, uint32_t maxPixels, int maxSide, ImageResult *result) {
    (void)file, (void)maxPixels, (void)maxSide;
    ImageFail(result, ImageNotBuiltIn, "video");
}

#else

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/pixdesc.h>
#include <string.h>

enum {
    bufferSize = 32 << 10,
    // Maximum number of packets read to find a key frame. Packets of sound lie between them.
    maximumPackets = 256,
};

typedef struct {
    ImageVideoFile file;
    uint64_t offset, end;
    int missed;  // whether missing bytes were requested
} Source;

static int readBytes(void *opaque, uint8_t *into, int count) {
    Source *source = opaque;
    uint64_t gapStart = source->file.gapStart, gapEnd = gapStart + source->file.gapLength, at = source->offset;
    uint64_t end = at < gapStart ? gapStart : source->end;
    if (at >= gapStart && at < gapEnd) {
        source->missed = 1;
        return AVERROR(EIO);
    }
    if (at >= end) {
        source->missed = 1;
        return AVERROR_EOF;
    }
    if ((uint64_t)count > end - at) count = (int)(end - at);
    memcpy(into, source->file.data + (at < gapStart ? at : at - source->file.gapLength), count);
    source->offset += count;
    return count;
}

static int64_t seekTo(void *opaque, int64_t offset, int whence) {
    Source *source = opaque;
    if (whence == AVSEEK_SIZE) return (int64_t)source->end;
    whence &= ~AVSEEK_FORCE;
    int64_t from = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? (int64_t)source->offset : (int64_t)source->end;
    if (offset > INT64_MAX - from || from + offset < 0) return AVERROR(EINVAL);
    source->offset = (uint64_t)(from + offset);
    return from + offset;
}

// Refuses to open other files that a file names.
static int openNothing(AVFormatContext *context, AVIOContext **io, const char *url, int flags, AVDictionary **options) {
    (void)context, (void)io, (void)url, (void)flags, (void)options;
    return AVERROR(EPERM);
}

static int fail(ImageResult *result, const Source *source, int code) {
    char message[AV_ERROR_MAX_STRING_SIZE] = "";
    av_strerror(code, message, sizeof message);
    return ImageFail(result, code == AVERROR(ENOMEM) ? ImageOutOfMemory : source->missed ? ImageTruncated : ImageBroken, message);
}

// The codecs that cameras, phones and their programs write. The hundreds of other decoders cannot be reached.
static const AVCodec *decoder(enum AVCodecID id) {
    switch (id) {
    case AV_CODEC_ID_H264: case AV_CODEC_ID_HEVC: case AV_CODEC_ID_AV1: case AV_CODEC_ID_VP9: case AV_CODEC_ID_MPEG4:
    case AV_CODEC_ID_H263: case AV_CODEC_ID_MJPEG: case AV_CODEC_ID_PRORES: return avcodec_find_decoder(id);
    default: return NULL;
    }
}

static int takeFrame(const AVFrame *frame, ImageResult *result) {
    const AVPixFmtDescriptor *format = av_pix_fmt_desc_get(frame->format);
    uint64_t other = AV_PIX_FMT_FLAG_BE | AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_BITSTREAM | AV_PIX_FMT_FLAG_HWACCEL
        | AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_BAYER | AV_PIX_FMT_FLAG_FLOAT;
    int count = format && format->nb_components >= 3 ? 3 : 1;
    if (!format || format->flags & other || (count == 3 && !(format->flags & AV_PIX_FMT_FLAG_PLANAR)))
        return ImageFail(result, ImageBroken, "unknown sample format");
    // If the file does not state a matrix, pictures with more lines than a DVD count as high definition television.
    int matrix = frame->colorspace == AVCOL_SPC_UNSPECIFIED && frame->height > 576 ? AVCOL_SPC_BT709 : frame->colorspace;
    ImageCoding coding = {.depth = format->comp[0].depth, .matrix = ImageKnowsMatrix(matrix) ? matrix : AVCOL_SPC_UNSPECIFIED};
    coding.fullRange = frame->color_range == AVCOL_RANGE_JPEG || frame->format == AV_PIX_FMT_YUVJ420P
        || frame->format == AV_PIX_FMT_YUVJ422P || frame->format == AV_PIX_FMT_YUVJ444P;
    ImageSource sources[3];
    for (int i = 0; i < count; i++) {
        const AVComponentDescriptor *part = &format->comp[i];
        if (part->plane != i || part->shift || part->depth != coding.depth || part->step != (coding.depth > 8 ? 2 : 1)
            || frame->linesize[i] <= 0)
            return ImageFail(result, ImageBroken, "unknown sample format");
        int shiftX = i ? format->log2_chroma_w : 0, shiftY = i ? format->log2_chroma_h : 0;
        sources[i].samples = frame->data[i];
        sources[i].stride = frame->linesize[i];
        sources[i].width = AV_CEIL_RSHIFT(frame->width, shiftX);
        sources[i].height = AV_CEIL_RSHIFT(frame->height, shiftY);
    }
    result->damaged = frame->decode_error_flags || frame->flags & AV_FRAME_FLAG_CORRUPT;
    return ImageTakePlanes(result, sources, count, coding);
}

// Reads the first frame that needs no frame before it.
static int readFrame(AVFormatContext *format, int stream, AVCodecContext *codec, AVFrame *frame) {
    AVPacket *packet = av_packet_alloc();
    int code = packet ? 0 : AVERROR(ENOMEM), isSent = 0;
    for (int i = 0; code >= 0 && !isSent && i < maximumPackets; i++) {
        code = av_read_frame(format, packet);
        if (code >= 0 && packet->stream_index == stream && packet->flags & AV_PKT_FLAG_KEY) {
            code = avcodec_send_packet(codec, packet);
            isSent = 1;
        }
        av_packet_unref(packet);
    }
    av_packet_free(&packet);
    if (code >= 0 && !isSent) code = AVERROR_INVALIDDATA;
    if (code >= 0) code = avcodec_send_packet(codec, NULL);
    return code >= 0 ? avcodec_receive_frame(codec, frame) : code;
}

static int decode(AVFormatContext *format, uint32_t maxPixels, int maxSide, const Source *source, ImageResult *result) {
    int stream = av_find_best_stream(format, AVMEDIA_TYPE_VIDEO, -1, -1, NULL, 0);
    if (stream < 0) return ImageFail(result, ImageNotBuiltIn, "no pictures");
    for (unsigned i = 0; i < format->nb_streams; i++)
        if ((int)i != stream) format->streams[i]->discard = AVDISCARD_ALL;
    const AVCodec *how = decoder(format->streams[stream]->codecpar->codec_id);
    if (!how) return ImageFail(result, ImageNotBuiltIn, "unknown codec");
    AVCodecContext *codec = avcodec_alloc_context3(how);
    AVFrame *frame = av_frame_alloc();
    int code = codec && frame ? avcodec_parameters_to_context(codec, format->streams[stream]->codecpar) : AVERROR(ENOMEM);
    if (code >= 0) {
        // A sandboxed process cannot start threads.
        codec->thread_count = 1;
        codec->max_pixels = maxPixels;
        code = avcodec_open2(codec, how, NULL);
    }
    if (code >= 0) code = readFrame(format, stream, codec, frame);
    int isTaken = 0;
    if (code < 0) fail(result, source, code);
    else if (frame->width > maxSide || frame->height > maxSide) ImageFail(result, ImageOutOfMemory, "a side over the limit");
    else isTaken = takeFrame(frame, result);
    av_frame_free(&frame);
    avcodec_free_context(&codec);
    return isTaken;
}

void ImageVideoDecode(ImageVideoFile file, uint32_t maxPixels, int maxSide, ImageResult *result) {
    memset(result, 0, sizeof *result);
    if (file.gapLength == 0 || file.gapStart > file.size || file.gapLength > INT64_MAX - file.size) {
        file.gapStart = file.size;
        file.gapLength = 0;
    }
    av_log_set_level(AV_LOG_QUIET);
    Source source = {.file = file, .end = file.size + file.gapLength};
    // `io` owns the buffer, and `format` uses `io`, as soon as they exist.
    uint8_t *buffer = av_malloc(bufferSize);
    AVIOContext *io = buffer ? avio_alloc_context(buffer, bufferSize, 0, &source, readBytes, NULL, seekTo) : NULL;
    AVFormatContext *format = io ? avformat_alloc_context() : NULL;
    if (!format) {
        ImageFail(result, ImageOutOfMemory, "out of memory");
    } else {
        format->pb = io;
        format->io_open = openNothing;
        // If opening fails, `avformat_open_input` frees `format`.
        int code = avformat_open_input(&format, NULL, av_find_input_format("mov"), NULL);
        if (code < 0) fail(result, &source, code);
        else if (decode(format, maxPixels, maxSide, &source, result)) result->outcome = ImageDecoded;
    }
    avformat_close_input(&format);
    if (io) av_freep(&io->buffer);
    else av_free(buffer);
    avio_context_free(&io);
}

#endif
