"""Opens the page in a headless Chromium, near and far, and prints when the first screen was there.

    first_screen.py LOOKAHEAD [--rounds N] [--latency MS]... [--bandwidth MBIT]

LOOKAHEAD is the executable; each round starts a demo of its own, so that the first visit finds nothing in any cache. Latency
is DevTools' emulation: what a request waits for its answer, at least. Medians, ms after navigation.
"""

import argparse
import statistics
import subprocess
import time

from chromium import Browser

# Runs before the page's first line, and looks at every frame.
WATCH = """
window.timing = { asked: null, stream: null, twenty: null, all: null, cells: 0, requests: 0 };
const Source = EventSource;
window.EventSource = class extends Source {
  constructor(...given) {
    super(...given);
    this.addEventListener('open', () => (timing.stream ??= performance.now()));
  }
};
const ask = fetch;
window.fetch = function (address, options) {
  if (options?.method === 'POST' && String(address).endsWith('/sessions')) timing.asked ??= performance.now();
  return ask.apply(this, arguments);
};
const look = () => {
  const box = document.getElementById('scroller')?.getBoundingClientRect();
  const cells = box ? [...document.querySelectorAll('.row:not([hidden]) .cell:not([hidden])')].filter((cell) => {
    const r = cell.getBoundingClientRect();
    return r.height > 0 && r.bottom > box.top + 1 && r.top < box.bottom - 1;
  }) : [];
  const shown = cells.filter((cell) => [...cell.querySelectorAll('img')].some((image) => image.complete && image.naturalWidth > 64)).length;
  if (shown >= Math.min(20, cells.length || 20)) timing.twenty ??= performance.now();
  if (cells.length && shown === cells.length) timing.all ??= performance.now();
  timing.cells = cells.length;
  if (timing.all === null) requestAnimationFrame(look);
};
requestAnimationFrame(look);
"""


def measure(lookahead, latency, bandwidth):
    demo = subprocess.Popen(
        [lookahead, "demo", "--port", "0", "--items", "20000", "--cache-directory", "none"],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    browser = Browser()
    try:
        address = demo.stdout.readline().split()[-1]
        browser.devtools("Network.enable")
        speed = bandwidth * 1e6 / 8
        browser.devtools("Network.emulateNetworkConditions", offline=False, latency=latency, downloadThroughput=speed, uploadThroughput=speed)
        browser.devtools("Page.addScriptToEvaluateOnNewDocument", source=WATCH)
        visits = []
        for _ in range(2):
            browser.call("/url", {"url": address})
            end = time.monotonic() + 30
            while browser.run("return timing.all") is None and time.monotonic() < end:
                time.sleep(0.05)
            browser.run("timing.requests = performance.getEntriesByType('resource').length")
            visits.append(browser.run("return timing"))
        return visits
    finally:
        browser.quit()
        demo.terminate()
        demo.wait()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("lookahead")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--latency", type=float, action="append")
    parser.add_argument("--bandwidth", type=float, default=20)
    given = parser.parse_args()
    print(f"{'away':>6} {'visit':>6} {'asked':>6} {'stream':>7} {'twenty':>7} {'all':>6} {'requests':>9}")
    for latency in given.latency or [0, 40, 100]:
        rounds = [measure(given.lookahead, latency, given.bandwidth) for _ in range(given.rounds)]
        for number, visit in enumerate(["first", "again"]):
            values = [r[number] for r in rounds]
            median = {k: statistics.median([v[k] if v[k] is not None else float("nan") for v in values]) for k in values[0]}
            print(f"{latency:6.0f} {visit:>6} {median['asked']:6.0f} {median['stream']:7.0f} {median['twenty']:7.0f} {median['all']:6.0f} {median['requests']:9.0f}")


main()
