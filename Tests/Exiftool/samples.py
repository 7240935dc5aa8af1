"""Writes small files with facts in forms of phones, cameras and programs that the sample collections lack: samples.py FOLDER"""

import os
import struct
import sys
import zlib


def box(kind, data):
    return struct.pack(">I", len(data) + 8) + kind + data


def film(brand, user_data=b"", meta=b""):
    """Returns a video of five seconds from 13 July 2019, 14:03:22 UTC, without frames."""
    made = 2082844800 + 1563026602
    turn = struct.pack(">9I", 65536, 0, 0, 0, 65536, 0, 0, 0, 1 << 30)
    film_header = struct.pack(">5IIH", 0, made, made, 1000, 5000, 65536, 256) + bytes(10) + turn + bytes(24) + struct.pack(">I", 2)
    track_header = struct.pack(">6I", 0, made, made, 1, 0, 5000) + bytes(16) + turn + struct.pack(">II", 640 << 16, 360 << 16)
    media = box(b"mdhd", struct.pack(">5IHH", 0, made, made, 1000, 5000, 0, 0)) + box(b"hdlr", bytes(8) + b"vide" + bytes(13)) + box(b"minf", b"")
    track = box(b"trak", box(b"tkhd", track_header) + box(b"mdia", media))
    movie = box(b"mvhd", film_header) + track + (box(b"udta", user_data) if user_data else b"") + meta
    return box(b"ftyp", brand + bytes(4) + brand) + box(b"moov", movie) + box(b"mdat", bytes(64))


def android():
    def text(kind, value):
        return box(kind, struct.pack(">HH", len(value), 0x15C7) + value.encode())

    return film(b"mp42", text(b"\xa9xyz", "+47.3700+008.5400/") + text(b"\xa9day", "2019-07-13T16:03:22+0200")
                + text(b"\xa9mak", "Maker") + text(b"\xa9mod", "Phone 1"))


def iphone():
    keys = {"make": "Apple", "model": "Phone 2", "location.ISO6709": "-33.8568+151.2153+012.000/", "creationdate": "2019-07-14T00:03:22+1000"}
    names = b"".join(box(b"mdta", f"com.apple.quicktime.{name}".encode()) for name in keys)
    values = b"".join(
        box(struct.pack(">I", number + 1), box(b"data", struct.pack(">II", 1, 0) + value.encode())) for number, value in enumerate(keys.values())
    )
    meta = box(b"hdlr", bytes(8) + b"mdta" + bytes(13)) + box(b"keys", struct.pack(">II", 0, len(keys)) + names) + box(b"ilst", values)
    return film(b"qt  ", meta=box(b"meta", meta))


def third_generation():
    place = struct.pack(">IH", 0, 0x15C7) + b"Zurich\0" + b"\0" + struct.pack(">3i", int(8.54 * 65536), int(47.37 * 65536), 408 * 65536) + b"Earth\0\0"
    return film(b"3gp5", box(b"loci", place))


def exif(tags, more=()):
    """Returns EXIF data. `tags` are the main tags by number, `more` the tags of the Exif directory."""

    def directory(entries, start):
        head, tail = struct.pack("<H", len(entries)), b""
        for tag, (kind, data) in sorted(entries.items()):
            place = start + 6 + 12 * len(entries) + len(tail)
            head += struct.pack("<HHI", tag, kind, len(data) // (4 if kind == 4 else 1))
            head += data.ljust(4, b"\0") if len(data) <= 4 else struct.pack("<I", place)
            tail += data if len(data) > 4 else b""
        return head + bytes(4) + tail

    main = dict(tags)
    if more:
        main[0x8769] = (4, struct.pack("<I", 0))
        main[0x8769] = (4, struct.pack("<I", 8 + len(directory(main, 8))))
    result = b"II*\0\x08\0\0\0" + directory(main, 8)
    return result + (directory(dict(more), len(result)) if more else b"")


def text(value, kind=2):
    return kind, value.encode() + b"\0"


# Tables, frame and scan of a JPEG with one grey pixel.
JPEG = bytes.fromhex(
    "ffdb004300" + "01" * 64 + "ffc0000b080001000101011100ffc40014000100000000000000000000000000000008"
    "ffc40014100100000000000000000000000000000000ffda0008010100003f0054ffd9"
)


def jpeg(tags, more=(), before=0):
    """Returns a JPEG with EXIF after `before` segments of other programs."""
    data = b"Exif\0\0" + exif(tags, more)
    others = b"".join(b"\xff\xe2" + struct.pack(">H", 65002) + b"OTHER\0".ljust(65000, b"x") for _ in range(before))
    return b"\xff\xd8" + others + b"\xff\xe1" + struct.pack(">H", len(data) + 2) + data + JPEG


def png(*chunks):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + header + b"".join(chunk(*each) for each in chunks) + chunk(b"IDAT", zlib.compress(b"\0\x80")) + chunk(b"IEND", b"")


XMP = b"""<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description
 xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:tiff="http://ns.adobe.com/tiff/1.0/" exif:DateTimeOriginal="2015-01-22T10:11:12"
 tiff:Make="Maker" tiff:Model="Scanner"/></rdf:RDF></x:xmpmeta>"""
DATE, FRACTION, OFFSET, MAKE, MODEL = 0x9003, 0x9291, 0x9011, 0x10F, 0x110
SAMPLES = {
    "android.mp4": android(),
    "iphone.mov": iphone(),
    "loci.3gp": third_generation(),
    "behind segments.jpg": jpeg({MAKE: text("Maker"), MODEL: text("Phone 3")}, {DATE: text("2019:07:12 14:03:22")}, before=3),
    "fraction.jpg": jpeg({MAKE: text("Maker")}, {DATE: text("2022:01:01 10:00:00"), FRACTION: text("257"), OFFSET: text("+02:00")}),
    "undefined.jpg": jpeg({MAKE: text("Maker", 7), MODEL: text("Phone 4", 7)}, {DATE: text("2022:01:01 10:00:00")}),
    "compressed text.png": png((b"iTXt", b"XML:com.adobe.xmp\0\x01\0\0\0" + zlib.compress(XMP))),
}


if __name__ == "__main__":
    os.makedirs(sys.argv[1], exist_ok=True)
    for name, data in SAMPLES.items():
        with open(os.path.join(sys.argv[1], name), "wb") as file:
            file.write(data)
