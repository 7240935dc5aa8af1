"""Compares a server's facts about the pictures of a folder with the tags that exiftool reads: compare.py FOLDER ADDRESS"""

import json
import os
import re
import subprocess
import sys
import time
import urllib.request

LEAST = 0.98  # Minimum share of agreement, for each kind of fact.
# Groups of standard tags, in order of preference. Leaves out the maker notes, which exiftool interprets.
GROUPS = ("EXIF", "XMP", "IPTC", "QuickTime", "Composite")
# Tags with another order of groups: the picture's own header has its true size, and only exiftool's composite coordinates have a sign.
FIRST = {
    "ImageWidth": ("File", "PNG", "GIF", "RIFF", "QuickTime", "EXIF"), "ImageHeight": ("File", "PNG", "GIF", "RIFF", "QuickTime", "EXIF"),
    "GPSLatitude": ("Composite",), "GPSLongitude": ("Composite",), "ISO": ("EXIF", "XMP"), "CreationDate": ("QuickTime",),
}
# Names of files that are broken on purpose.
BROKEN = re.compile(r"crash|poc|bad|corrupt|truncated|issue_|fuzz|broken", re.IGNORECASE)
TAGS = """DateTimeOriginal CreationDate ContentCreateDate CreateDate DateCreated TimeCreated SubSecTimeOriginal OffsetTimeOriginal ImageWidth ImageHeight Orientation Rotation Make Model ExposureTime FNumber
ISO FocalLength GPSLatitude GPSLongitude""".split()
# Reasons of known differences, by the end of a file's path and the kind of fact.
KNOWN = {
    ("heif/L_10__29x100.heif", "size"): "exiftool reports the frame, which has whole blocks, instead of the picture",
    ("heif/L_12__29x100.heif", "size"): "the same",
    ("heif/L_8__29x100.heif", "size"): "the same",
    ("heif_other/RGB_8_chroma444.heif", "size"): "the same",
    ("heif_special/crop_mismatch_thumbnail.heic", "size"): "exiftool reports the size of another item",
    ("heif_special/invalid_metadata_type.heic", "size"): "the same",
    ("nokia/bird_burst.heic", "size"): "a sequence of pictures: exiftool reports its video track",
    ("nokia/bird_burst.heic", "date"): "the same",
    ("rgb24jpeg.bmp", "size"): "a JPEG in a BMP is not shown",
    ("rgb24png.bmp", "size"): "a PNG in a BMP is not shown",
    ("AFCP.jpg", "date"): "the trailer of an obsolete program is not read",
}


def get(address):
    with urllib.request.urlopen(address, timeout=60) as answer:
        return json.load(answer)


def served(address):
    """Waits until all facts are known. Returns the facts of each picture, by path."""
    gallery = get(f"{address}/api/v1/galleries")["galleries"][0]
    here = f"{address}/api/v1/galleries/{gallery['id']}"
    for _ in range(600):
        gallery = get(here)
        facts = gallery.get("index", {})
        if facts.get("known", 0) >= gallery["itemCount"]:
            break
        time.sleep(0.5)
    facts = [get(f"{here}/items/{item}") for item in range(gallery["itemCount"])]
    return {fact["path"]: fact for fact in facts}


def read(folder):
    """Returns exiftool's tags of each file, by path. If several groups have a tag, the first group of `FIRST` or `GROUPS` wins."""
    tags = [f"-{tag}" for tag in TAGS]
    run = subprocess.run(
        ["exiftool", "-json", "-n", "-r", "-G0", "-q", "-q", *tags, "."], cwd=folder, capture_output=True, timeout=1800, check=False
    )
    files = {}
    for entry in json.loads(run.stdout or "[]"):
        found = files.setdefault(entry.pop("SourceFile").removeprefix("./"), {})
        for tag in TAGS:
            values = [entry[f"{group}:{tag}"] for group in FIRST.get(tag, GROUPS) if f"{group}:{tag}" in entry]
            if values:
                found[tag] = values[0]
    return files


def date(text):
    """Returns the numbers from year to second, or None if the text is not a date."""
    numbers = re.match(r"(\d{4})[:-](\d\d)[:-](\d\d)(?:[ T](\d\d):(\d\d)(?::(\d\d))?)?", str(text))
    if not numbers or numbers[1] == "0000" or numbers[2] == "00" or numbers[3] == "00":
        return None
    return tuple(int(number or 0) for number in numbers.groups())


def near(one, other):
    return abs(float(one) - float(other)) <= 0.01 * max(abs(float(one)), abs(float(other)), 1e-9)


def words(*texts):
    return " ".join(" ".join(str(text) for text in texts if text).split()).lower()


def comparisons(tags, facts):
    """Yields each fact that exiftool knows: its kind, exiftool's value, the server's value, and whether they agree."""
    dates = [date(tags.get(name)) for name in ("DateTimeOriginal", "CreationDate", "ContentCreateDate", "CreateDate", "DateCreated")]
    wanted = next((found for found in dates if found), None)
    if wanted:
        taken = facts.get("taken", {})
        actual = date(taken.get("time", "")) if taken.get("source") not in ("file", "name") else None
        # Midnight means that the date has no time: compares only the day.
        length = 3 if wanted[3:] == (0, 0, 0) else 6
        yield "date", wanted, actual, actual is not None and wanted[:length] == actual[:length]
    time = facts.get("taken", {}).get("time", "")
    fraction = re.match(r"\d+$", str(tags.get("SubSecTimeOriginal", "")))
    if fraction and "DateTimeOriginal" in tags:
        wanted, actual = float("0." + fraction[0]), float("0." + (time.split(".") + ["0"])[1])
        yield "fraction", wanted, actual, abs(wanted - actual) < 0.001
    if re.match(r"[+-]\d\d:\d\d$", str(tags.get("OffsetTimeOriginal", ""))) and "DateTimeOriginal" in tags:
        actual = facts.get("taken", {}).get("offset")
        yield "offset", tags["OffsetTimeOriginal"], actual, tags["OffsetTimeOriginal"] == actual
    width, height = tags.get("ImageWidth"), tags.get("ImageHeight")
    if width and height:
        sizes = sorted((int(width), int(height)))
        actual = sorted((facts.get("width", 0), facts.get("height", 0)))
        yield "size", sizes, actual, sizes == actual
        swaps = int(tags.get("Rotation") or 0) % 180 == 90 if "Rotation" in tags else int(tags.get("Orientation") or 1) in (5, 6, 7, 8)
        upright = (int(width) > int(height)) != swaps
        if sizes[0] != sizes[1] and sizes == actual:
            yield "orientation", upright, facts["width"] > facts["height"], upright == (facts["width"] > facts["height"])
    if words(tags.get("Make"), tags.get("Model")):
        camera = facts.get("camera", {})
        wanted, actual = words(tags.get("Make"), tags.get("Model")), words(camera.get("make"), camera.get("model"))
        yield "camera", wanted, actual, wanted == actual
    exposure = facts.get("exposure", {})
    for tag, name in (("ExposureTime", "seconds"), ("FNumber", "aperture"), ("ISO", "iso"), ("FocalLength", "focalLength")):
        try:
            wanted = float(tags[tag])
        except (KeyError, ValueError):
            continue
        if wanted > 0:
            yield "exposure", (name, wanted), exposure.get(name), name in exposure and near(wanted, exposure[name])
    try:
        wanted = (float(tags["GPSLatitude"]), float(tags["GPSLongitude"]))
    except (KeyError, ValueError):
        return
    if wanted != (0, 0):
        place = facts.get("location", {})
        actual = (place.get("latitude", 999), place.get("longitude", 999))
        yield "GPS", wanted, actual, max(abs(wanted[0] - actual[0]), abs(wanted[1] - actual[1])) < 1e-4


def main(folder, address):
    facts, tags = served(address), read(folder)
    # Leaves out pictures with a sidecar file, because the server uses sidecars and exiftool does not.
    both = sorted(
        path for path in facts.keys() & tags.keys()
        if not BROKEN.search(os.path.basename(path)) and not any(os.path.exists(os.path.join(folder, beside + ".xmp")) for beside in (path, os.path.splitext(path)[0]))
    )
    print(f"{len(tags)} files read by exiftool, {len(facts)} pictures served, {len(both)} compared\n")
    counts = {}
    for path in both:
        for kind, wanted, actual, agrees in comparisons(tags[path], facts[path]):
            count = counts.setdefault(kind, [0, 0, 0])
            known = next((why for (end, of), why in KNOWN.items() if path.endswith(end) and of == kind), None)
            count[0 if agrees else 1 if known else 2] += 1
            if not agrees and not known:
                print(f"{kind}: {path}: exiftool {wanted}, server {actual}")
    print("\n| fact | files | agree | known differences | differ | share |\n| --- | --- | --- | --- | --- | --- |")
    for kind, (agree, known, differ) in counts.items():
        share = (agree + known) / (agree + known + differ)
        print(f"| {kind} | {agree + known + differ} | {agree} | {known} | {differ} | {100 * share:.1f} % |")
    return any((agree + known) / (agree + known + differ) < LEAST for agree, known, differ in counts.values())


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
