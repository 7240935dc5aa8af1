"""A folder of pictures, and when the server knows all of it."""
import os, pathlib, time, urllib.request
from concurrent.futures import ThreadPoolExecutor

import geometry
from programs import Child

DIFFERENT = 500  # pictures; the other files are these again, under names of their own
STRIDE = 25  # bytes of a placeholder
PAGE = 1024  # placeholders in one answer
PATIENCE = 900  # seconds


def painted_folder(folder: pathlib.Path, tools) -> pathlib.Path:
    """As many files as the contenders show cells, painted by the origin."""
    pictures = folder / "pictures"
    pictures.mkdir()
    origin = Child(tools.origin, "--latency", 0, "--bandwidth", 10_000, "--slots", 64, "--log", folder / "painted.ndjson")
    try:
        def take(item: int):
            with urllib.request.urlopen(f"http://127.0.0.1:{origin.port}/{item}.jpg") as answer:
                (pictures / f"{item:05}.jpg").write_bytes(answer.read())
        with ThreadPoolExecutor(8) as threads:
            list(threads.map(take, range(DIFFERENT)))
    finally:
        origin.stop()
    for item in range(DIFFERENT, geometry.ITEMS):
        os.link(pictures / f"{item % DIFFERENT:05}.jpg", pictures / f"{item:05}.jpg")
    return pictures


def wait_until_indexed(port: int):
    """Returns when the server knows the placeholder of every picture."""
    end = time.monotonic() + PATIENCE
    for first in range(0, geometry.ITEMS, PAGE):
        count = min(PAGE, geometry.ITEMS - first)
        while True:
            path = f"api/v1/galleries/pictures/placeholders?from={first}&count={count}"
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/{path}") as answer:
                known = answer.read()
            if len(known) == count * STRIDE and all(known[at * STRIDE + 3] & 7 for at in range(count)):
                break
            if time.monotonic() > end:
                raise SystemExit("live.sh: the folder was not indexed in time")
            time.sleep(1)
