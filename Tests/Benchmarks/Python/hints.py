"""Measures what hints save: the time from a press on a label of the scrubber to a full screen, with and without them,
and the bytes they cost.

    hints.py ADDRESS [--presses N] [--rest MS]

ADDRESS is of a demo that nobody else looks at, with nothing in its cache. The pointer moves to a label, rests there for a
while, and presses. Without hints the page never loads the code that gives them. Prints medians and a table for the README.
"""

import argparse
import json
import random
import statistics
import time
import urllib.request

from chromium import Browser

# Whether all cells in view show their whole picture, looked at in every frame after a press.
WATCH = """
window.filled = () => {
  const box = document.getElementById('scroller').getBoundingClientRect();
  const cells = [...document.querySelectorAll('.row:not([hidden]) .cell:not([hidden])')].filter((cell) => {
    const r = cell.getBoundingClientRect();
    return r.height > 0 && r.bottom > box.top + 1 && r.top < box.bottom - 1;
  });
  return cells.length > 0 && cells.every((cell) => [...cell.querySelectorAll('img')].some((image) => image.complete && image.naturalWidth > 64));
};
addEventListener('pointerdown', () => {
  const began = performance.now();
  const top = document.getElementById('scroller').scrollTop;
  window.took = null;
  const look = () => {
    if (document.getElementById('scroller').scrollTop !== top && filled()) window.took = performance.now() - began;
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}, true);
"""


def until(browser, expression, seconds=30):
    end = time.monotonic() + seconds
    while not browser.run(f"return Boolean({expression})"):
        if time.monotonic() > end:
            raise TimeoutError(expression)
        time.sleep(0.02)


def mouse(browser, kind, x, y, buttons=0):
    browser.devtools("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left" if kind != "mouseMoved" else "none", buttons=buttons, clickCount=1)


def origin_bytes(address):
    with urllib.request.urlopen(f"{address}api/v1/demo/origin", timeout=30) as answer:
        return json.load(answer)["counts"]["bytes"]


def measure(address, hinted, places, rest):
    browser = Browser()
    try:
        browser.devtools("Network.enable")
        if not hinted:
            browser.devtools("Network.setBlockedURLs", urls=["*/js/scroll/hints.js"])
        browser.devtools("Page.addScriptToEvaluateOnNewDocument", source=WATCH)
        browser.call("/url", {"url": address})
        until(browser, "filled()")
        time.sleep(1)
        box = browser.run("const r = document.getElementById('scrubber').getBoundingClientRect(); return [r.left + r.width / 2, r.top, r.height]")
        before = origin_bytes(address)
        times = []
        for place in places:
            x, y = box[0], box[1] + place * box[2]
            for step in range(12):  # a hand's way there
                mouse(browser, "mouseMoved", x - 420 * (1 - (step + 1) / 12) ** 2, y + 60 * (1 - (step + 1) / 12) ** 2)
                time.sleep(0.016)
            time.sleep(rest / 1000)
            mouse(browser, "mousePressed", x, y, 1)
            mouse(browser, "mouseReleased", x, y)
            until(browser, "window.took")
            times.append(browser.run("return took"))
            mouse(browser, "mouseMoved", x - 500, y)
            time.sleep(1)
        return times, origin_bytes(address) - before
    finally:
        browser.quit()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("address", nargs=2, help="two demos, the same but for their ports")
    parser.add_argument("--presses", type=int, default=10)
    parser.add_argument("--rest", type=float, default=300)
    given = parser.parse_args()
    # Everywhere a place of its own: what was fetched once would be there.
    random.seed(7)
    places = [(index + random.uniform(0.2, 0.8)) / given.presses for index in range(given.presses)]
    random.shuffle(places)
    print("| hints | from press to a full screen, median | slowest | fetched per press |")
    print("| --- | --- | --- | --- |")
    for name, hinted, address in zip(["without", "with"], [False, True], given.address):
        times, fetched = measure(address if address.endswith("/") else address + "/", hinted, places, given.rest)
        print(f"| {name} | {statistics.median(times):.0f} ms | {max(times):.0f} ms | {fetched / len(times) / 1e6:.2f} MB |", flush=True)


main()
