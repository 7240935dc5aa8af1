"""Whether what is claimed of cells is what a screenshot shows."""
import base64, struct, sys, time, zlib
from collections import Counter

import geometry
from browser import Browser
from links import Link
from processors import Processor
from run import SHOWN, SMALLER, Run, Tools, measure
from tour import Tour

SCALE = 0.5
STEADY = 220  # ms for which a cell must have been as it is
COLUMNS, ROWS = 6, 4  # blocks of the origin's pictures, see Origin/painting.c


def verify(contender: str, link: Link, processor: Processor, tour: Tour, tools: Tools):
    """Plays the tour with screenshots in its rests, and prints how many cells agree with them."""
    shots: list[tuple[float, float, bytes]] = []

    def watch(browser: Browser):
        def shoot():
            before = time.monotonic() * 1000
            clip = {"x": 0, "y": geometry.TOP, "width": geometry.WIDTH, "height": geometry.HEIGHT, "scale": SCALE}
            data = browser.call("Page.captureScreenshot", clip=clip)["data"]
            shots.append((before, time.monotonic() * 1000, base64.b64decode(data)))
        return shoot

    run = measure(contender, link, processor, tour, tools, watch)
    counts: Counter[str] = Counter()
    for before, after, data in shots:
        _compare(run, before - run.navigation, after - run.navigation, data, counts)
    print(
        f"{link.name}, {processor.name}, {contender}: {len(shots)} screenshots; {counts['shown']} cells with their picture and {counts['blank']} "
        f"without agree, {counts['disagrees']} disagree, {counts['changing']} changed meanwhile", flush=True)


def _compare(run: Run, before: float, after: float, data: bytes, counts: Counter):
    frames = [frame for frame in run.frames if before - STEADY <= frame[0] <= after + 20]
    if not frames or len({frame[1] for frame in frames}) > 1:
        counts["changing"] += 1
        return
    _, top, first, states, _ = frames[0]
    picture = Pixels(data)
    for index, state in enumerate(states):
        item = first + index
        x = geometry.INSET + item % geometry.COLUMNS * (geometry.CELL_WIDTH + geometry.GAP)
        y = geometry.INSET + item // geometry.COLUMNS * (geometry.CELL_HEIGHT + geometry.GAP) - top
        if y < 0 or y + geometry.CELL_HEIGHT > geometry.HEIGHT or state == SMALLER:
            continue
        if any(frame[3][index] != state for frame in frames):
            counts["changing"] += 1
            continue
        is_shown = picture.item(x, y) == item
        if is_shown == (state == SHOWN):
            counts["shown" if is_shown else "blank"] += 1
        else:
            counts["disagrees"] += 1
            print(f"item {item} is said to be {state} at {before:.0f} ms; the screenshot differs", file=sys.stderr)


class Pixels:
    """A PNG of eight bits a channel, not interlaced, as Chromium writes it."""

    def __init__(self, data: bytes):
        at, packed = 8, b""
        while at < len(data):
            length, kind = struct.unpack(">I4s", data[at:at + 8])
            body = data[at + 8:at + 8 + length]
            if kind == b"IHDR":
                self.width, self.height, _, colour = struct.unpack(">IIBB", body[:10])
                self.channels = 4 if colour == 6 else 3
            elif kind == b"IDAT":
                packed += body
            at += 12 + length
        self.rows = self._unfiltered(zlib.decompress(packed))

    def _unfiltered(self, data: bytes) -> list[bytearray]:
        step, length = self.channels, self.width * self.channels
        rows, above = [], bytearray(length)
        for y in range(self.height):
            start = y * (length + 1)
            kind, row = data[start], bytearray(data[start + 1:start + 1 + length])
            for x in range(length):
                left = row[x - step] if x >= step else 0
                corner = above[x - step] if x >= step else 0
                if kind == 1:
                    row[x] = (row[x] + left) & 255
                elif kind == 2:
                    row[x] = (row[x] + above[x]) & 255
                elif kind == 3:
                    row[x] = (row[x] + (left + above[x]) // 2) & 255
                elif kind == 4:
                    row[x] = (row[x] + _paeth(left, above[x], corner)) & 255
            rows.append(row)
            above = row
        return rows

    def item(self, x: float, y: float) -> int | None:
        """The number that the picture in the cell at this place carries."""
        zoom = geometry.CELL_HEIGHT / 400  # the picture covers the cell, its sides are cut off
        cut = (600 * zoom - geometry.CELL_WIDTH) / 2
        blocks = []
        for block in range(COLUMNS * ROWS):
            across = 48 + (block % COLUMNS + 0.5) * (600 - 96) / COLUMNS
            down = 16 + (block // COLUMNS + 0.5) * (400 - 32) / ROWS
            blocks.append(self._light((x - cut + across * zoom) * SCALE, (y + down * zoom) * SCALE))
        if blocks[0] - blocks[-1] < 60:
            return None
        middle = (blocks[0] + blocks[-1]) / 2
        word = 0
        for light in blocks[1:-1]:
            word = word * 2 + (light > middle)
        item = word >> 6
        return item if word & 63 == (item ^ item >> 6 ^ item >> 12 ^ 45) & 63 else None

    def _light(self, x: float, y: float) -> float:
        total = 0
        for row in range(int(y) - 1, int(y) + 2):
            start = (int(x) - 1) * self.channels
            total += sum(self.rows[row][start:start + 3 * self.channels:self.channels])
            total += sum(self.rows[row][start + 1:start + 3 * self.channels:self.channels])
        return total / 18


def _paeth(left: int, above: int, corner: int) -> int:
    guess = left + above - corner
    distances = abs(guess - left), abs(guess - above), abs(guess - corner)
    return (left, above, corner)[distances.index(min(distances))]
