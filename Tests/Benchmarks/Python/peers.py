"""Thumbnails of a folder of JPEG files with OpenCV or Pillow, and what they cost.

    peers.py opencv|pillow FOLDER WIDTH ROUNDS OUTPUT

One line of JSON a set (the part of a file's name before its last "_"): CPU milliseconds a picture, the best of the rounds.
"""

import io
import json
import os
import sys
import time


def opencv(bytes_, width):
    import cv2
    import numpy

    # The smallest reduced decode that is no smaller than the thumbnail, then area averaging.
    data = numpy.frombuffer(bytes_, numpy.uint8)
    full = size(bytes_)[0]
    flag = next(
        (flag for factor, flag in (
            (8, cv2.IMREAD_REDUCED_COLOR_8), (4, cv2.IMREAD_REDUCED_COLOR_4), (2, cv2.IMREAD_REDUCED_COLOR_2),
        ) if full / factor >= width),
        cv2.IMREAD_COLOR)
    image = cv2.imdecode(data, flag)
    height = round(image.shape[0] * width / image.shape[1])
    image = cv2.resize(image, (width, height), interpolation=cv2.INTER_AREA)
    return cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 75])[1].tobytes()


def pillow(bytes_, width, gap=2.0):
    from PIL import Image

    image = Image.open(io.BytesIO(bytes_))
    image.thumbnail((width, width), Image.LANCZOS, reducing_gap=gap)
    output = io.BytesIO()
    image.save(output, "JPEG", quality=75)
    return output.getvalue()


def size(bytes_):
    """Width and height from the frame header."""
    place = 2
    while place + 9 < len(bytes_):
        marker, length = bytes_[place + 1], int.from_bytes(bytes_[place + 2:place + 4], "big")
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            return int.from_bytes(bytes_[place + 7:place + 9], "big"), int.from_bytes(bytes_[place + 5:place + 7], "big")
        place += 2 + length
    raise ValueError("no frame header")


def main(engine, folder, width, rounds, output):
    make = {"opencv": opencv, "pillow": pillow}[engine]
    if engine == "opencv":
        import cv2
        cv2.setNumThreads(1)
        name = f"OpenCV {cv2.__version__}"
    else:
        import PIL
        name = f"Pillow{'-SIMD' if '.post' in PIL.__version__ else ''} {PIL.__version__}"
    os.makedirs(output, exist_ok=True)
    sets = {}
    for file in sorted(os.listdir(folder)):
        if file.endswith(".jpg"):
            with open(os.path.join(folder, file), "rb") as picture:
                sets.setdefault(file.rsplit("_", 1)[0], []).append((file, picture.read()))
    for label, files in sorted(sets.items()):
        best = float("inf")
        for _ in range(rounds):
            start = time.process_time()
            thumbnails = [make(bytes_, width) for _, bytes_ in files]
            best = min(best, (time.process_time() - start) * 1e3 / len(files))
        for (file, _), thumbnail in zip(files, thumbnails):
            with open(os.path.join(output, file), "wb") as target:
                target.write(thumbnail)
        print(json.dumps({"engine": name, "set": label, "cpuMilliseconds": best}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), sys.argv[5])
