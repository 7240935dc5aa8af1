"""The table of ratios, from the files that thumbnails.sh gathers in a folder:

    table.py FOLDER

`*.jsonl` hold lines of engine, set and cpuMilliseconds, several rounds of each; `lookahead*.json` what the product printed.
`corpus` holds the pictures, and a folder of each engine's name its thumbnails, whose SSIM is taken as they were sent,
against one Lanczos filter of the whole picture; without OpenCV there is none.
"""

import glob
import json
import os
import sys

try:
    import cv2
    import numpy
except ImportError:
    cv2 = None


def ssim(a, b):
    """Wang et al. 2004, on luma: Gaussian window of 11 x 11, sigma 1.5."""
    a, b = a.astype(numpy.float64), b.astype(numpy.float64)

    def blur(x):
        return cv2.GaussianBlur(x, (11, 11), 1.5)[5:-5, 5:-5]

    mean_a, mean_b = blur(a), blur(b)
    variance_a, variance_b = blur(a * a) - mean_a ** 2, blur(b * b) - mean_b ** 2
    covariance = blur(a * b) - mean_a * mean_b
    c1, c2 = 6.5025, 58.5225
    values = ((2 * mean_a * mean_b + c1) * (2 * covariance + c2)) / (
        (mean_a ** 2 + mean_b ** 2 + c1) * (variance_a + variance_b + c2))
    return float(values.mean())


def lanczos(image, width, height):
    """One Lanczos-3 filter of the whole picture, without OpenCV's aliasing: rows, then columns."""
    def weights(count, outputs):
        scale = count / outputs
        centers = (numpy.arange(outputs) + 0.5) * scale - 0.5
        x = (numpy.arange(count)[None, :] - centers[:, None]) / scale
        kernel = numpy.where(numpy.abs(x) < 3, numpy.sinc(x) * numpy.sinc(x / 3), 0)
        return (kernel / kernel.sum(1, keepdims=True)).astype(numpy.float32)

    return numpy.clip(
        weights(image.shape[0], height) @ image.astype(numpy.float32) @ weights(image.shape[1], width).T, 0, 255)


def quality(folder, engine, label, references):
    if cv2 is None:
        return None
    values = []
    for file in sorted(glob.glob(os.path.join(folder, engine, f"{label}_*.jpg"))):
        thumbnail = cv2.imread(file, cv2.IMREAD_GRAYSCALE)
        key = (os.path.basename(file), thumbnail.shape)
        if key not in references:
            whole = cv2.imread(os.path.join(folder, "corpus", key[0]), cv2.IMREAD_GRAYSCALE)
            references[key] = lanczos(whole, thumbnail.shape[1], thumbnail.shape[0])
        values.append(ssim(thumbnail, references[key]))
    return sum(values) / len(values) if values else None


def score(value):
    return f"{value:11.4f}" if value else f"{'-':>11}"


def main(folder):
    cost, folders = {}, {}
    for path in glob.glob(os.path.join(folder, "*.jsonl")):
        for line in open(path):
            row = json.loads(line)
            key = (row["set"], row["engine"])
            cost[key] = min(cost.get(key, float("inf")), row["cpuMilliseconds"])
            folders[row["engine"]] = os.path.splitext(os.path.basename(path))[0]
    rows, limits = {}, {}
    for path in sorted(glob.glob(os.path.join(folder, "lookahead*.json"))):
        for row in json.load(open(path))["results"]:
            label = row["set"]
            rows[label] = min(rows.get(label, float("inf")), row["cpuMilliseconds"])
            limits[label] = min(limits.get(label, float("inf")), row["limitMilliseconds"])
    engines = sorted({engine for _, engine in cost})
    references = {}
    print(f"{'set':22}{'engine':22}{'CPU ms':>9}{'/ Lookahead':>13}{'/ limit':>9}{'SSIM sent':>11}")
    for label, ours in rows.items():
        own = quality(folder, "lookahead", label, references)
        print(f"{label:22}{'decode limit':22}{limits[label]:9.2f}{limits[label] / ours:13.2f}{1:9.2f}{'':>11}")
        print(f"{label:22}{'Lookahead':22}{ours:9.2f}{1:13.2f}{ours / limits[label]:9.2f}{score(own)}")
        for engine in engines:
            if (label, engine) in cost:
                value = cost[label, engine]
                theirs = quality(folder, folders[engine], label, references)
                print(f"{label:22}{engine:22}{value:9.2f}{value / ours:13.2f}{value / limits[label]:9.2f}{score(theirs)}")


if __name__ == "__main__":
    main(sys.argv[1])
