"""Opens the page in a headless Chromium, near and far, and prints when the first screen was there.

    first_screen.py ADDRESS [--rounds N] [--latency MS]... [--bandwidth MBIT]

Latency is DevTools' emulation: what a request waits for its answer, at least. Medians, ms after navigation.
"""

import argparse
import json
import re
import statistics
import subprocess
import time
import urllib.request

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
  const shown = cells.filter((cell) => [...cell.querySelectorAll('img.shown')].some((image) => image.complete && image.naturalWidth > 64)).length;
  if (shown >= Math.min(20, cells.length || 20)) timing.twenty ??= performance.now();
  if (cells.length && shown === cells.length) timing.all ??= performance.now();
  timing.cells = cells.length;
  if (timing.all === null) requestAnimationFrame(look);
};
requestAnimationFrame(look);
"""


class Browser:
    def __init__(self):
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, text=True)
        for line in self.driver.stdout:
            if found := re.search(r"successfully on port (\d+)", line):
                break
        self.root = f"http://127.0.0.1:{found[1]}/session"
        options = {"args": ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--window-size=1280,900"]}
        wishes = {"capabilities": {"alwaysMatch": {"goog:chromeOptions": options}}}
        self.root += "/" + self.call("", wishes)["sessionId"]

    def call(self, path, body):
        request = urllib.request.Request(self.root + path, json.dumps(body).encode(), {"Content-Type": "application/json"})
        return json.load(urllib.request.urlopen(request, timeout=60))["value"]

    def devtools(self, method, **parameters):
        return self.call("/goog/cdp/execute", {"cmd": method, "params": parameters})

    def run(self, script):
        return self.call("/execute/sync", {"script": script, "args": []})

    def quit(self):
        urllib.request.urlopen(urllib.request.Request(self.root, method="DELETE"), timeout=60).read()
        self.driver.terminate()
        self.driver.wait()


def measure(address, latency, bandwidth):
    browser = Browser()
    try:
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


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("address")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--latency", type=float, action="append")
    parser.add_argument("--bandwidth", type=float, default=20)
    given = parser.parse_args()
    print(f"{'away':>6} {'visit':>6} {'asked':>6} {'stream':>7} {'twenty':>7} {'all':>6} {'requests':>9}")
    for latency in given.latency or [0, 40, 100]:
        rounds = [measure(given.address, latency, given.bandwidth) for _ in range(given.rounds)]
        for number, visit in enumerate(["first", "again"]):
            values = [r[number] for r in rounds]
            median = {k: statistics.median([v[k] if v[k] is not None else float("nan") for v in values]) for k in values[0]}
            print(f"{latency:6.0f} {visit:>6} {median['asked']:6.0f} {median['stream']:7.0f} {median['twenty']:7.0f} {median['all']:6.0f} {median['requests']:9.0f}")


main()
