#!/usr/bin/env python3
"""Records the traces in this folder again: real scrolling in headless Chromium, by wheel, touch and scrollbar.

Usage: record.py [FOLDER]. Needs chromium and chromedriver on the PATH, and Python's standard library.
"""
import json, os, socket, subprocess, sys, tempfile, time, urllib.request

PAGE = """<!doctype html><meta name=viewport content="width=device-width">
<style>html,body{margin:0} #s{width:1200px;height:900px;overflow-y:scroll;position:relative} #c{height:6000120px}</style>
<div id=s><div id=c></div></div><script>
const s = document.getElementById('s'), samples = [];
let phase = 'idle', until = 0, held = false, last = -1, start;
const say = (p, for_) => { phase = p; until = performance.now() + for_; };
s.addEventListener('wheel', () => say('wheel', 300), {passive: true});
s.addEventListener('touchmove', () => { held = true; say('touch', 1e9); }, {passive: true});
for (const end of ['touchend', 'touchcancel'])
  s.addEventListener(end, () => { held = false; say('momentum', 150); }, {passive: true});
s.addEventListener('pointerdown', e => { if (e.pointerType === 'mouse' && e.offsetX >= s.clientWidth) { held = true; say('drag', 1e9); } });
addEventListener('pointerup', e => { if (e.pointerType === 'mouse') { held = false; say('idle', 0); } });
function frame(now) {
  start ??= now;
  const y = s.scrollTop;
  if (y !== last && phase === 'momentum') until = now + 150;
  if (now > until) phase = 'idle';
  samples.push({t: Math.round((now - start) * 10) / 10, y: Math.round(y * 10) / 10, phase});
  last = y;
  requestAnimationFrame(frame);
}
window.begin = y => { s.scrollTop = y; samples.length = 0; start = undefined; requestAnimationFrame(frame); };
window.taken = () => samples;
</script>"""

HEADER = {"version": 1, "itemCount": 200000, "viewport": {"width": 1200, "height": 900},
          "layout": {"kind": "grid", "itemWidth": 200, "itemHeight": 180, "lineSpacing": 0, "interitemSpacing": 0}}


class Browser:
    def __init__(self, touch):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.driver = subprocess.Popen(["chromedriver", f"--port={port}"], stdout=subprocess.DEVNULL)
        self.base = f"http://127.0.0.1:{port}/session"
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1300,1100",
                     "--enable-smooth-scrolling", "--disable-features=OverlayScrollbar"]
        if touch:
            arguments.append("--touch-events=enabled")
        for _ in range(100):
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/status").read()
                break
            except OSError:
                time.sleep(0.1)
        options = {"browserName": "chrome", "goog:chromeOptions": {"args": arguments, "binary": self.chromium()}}
        self.base += "/" + self.post("", {"capabilities": {"alwaysMatch": options}})["sessionId"]

    @staticmethod
    def chromium():
        for folder in os.environ["PATH"].split(":"):
            if os.path.exists(os.path.join(folder, "chromium")):
                return os.path.join(folder, "chromium")
        raise SystemExit("chromium is not on the PATH")

    def post(self, path, body):
        request = urllib.request.Request(self.base + path, json.dumps(body).encode(),
                                         {"Content-Type": "application/json"})
        return json.load(urllib.request.urlopen(request))["value"]

    def run(self, script, *arguments):
        return self.post("/execute/sync", {"script": script, "args": list(arguments)})

    def cdp(self, command, **parameters):
        return self.post("/goog/cdp/execute", {"cmd": command, "params": parameters})

    def close(self):
        request = urllib.request.Request(self.base, method="DELETE")
        urllib.request.urlopen(request).read()
        self.driver.terminate()
        self.driver.wait()


def wheel(browser):
    for notches, sign, rest in [(3, 1, 1.1), (5, 1, 0.9), (2, 1, 1.4), (4, -1, 0.8), (6, 1, 1.2)]:
        for _ in range(notches):
            browser.cdp("Input.dispatchMouseEvent", type="mouseWheel", x=600, y=450, deltaX=0, deltaY=sign * 100)
            time.sleep(0.09)
        time.sleep(rest)


def touch(browser):
    def swipe(points, interval):
        browser.cdp("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": 600, "y": points[0]}])
        for y in points[1:]:
            time.sleep(interval)
            browser.cdp("Input.dispatchTouchEvent", type="touchMove", touchPoints=[{"x": 600, "y": y}])
        browser.cdp("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
    for distance, rest in [(300, 1.6), (600, 2.2), (700, 2.4), (-500, 1.8), (650, 2.0)]:
        start = 800 if distance > 0 else 150
        swipe([start - distance * i / 8 for i in range(9)], 0.012)
        time.sleep(rest)


def scrollbar(browser):
    x = browser.run("const s = document.getElementById('s'); return s.clientWidth + (s.offsetWidth - s.clientWidth) / 2")
    def thumb():
        return browser.run("const s = document.getElementById('s'); const b = 17;"
                           "return b + (900 - 2 * b) * (s.scrollTop + 450) / s.scrollHeight")
    for travel, steps in [(12, 40), (45, 50), (-20, 30), (90, 60)]:
        y = thumb()
        browser.cdp("Input.dispatchMouseEvent", type="mousePressed", x=x, y=y, button="left", clickCount=1)
        for i in range(1, steps + 1):
            part = i / steps
            at = y + travel * part * part * (3 - 2 * part)
            browser.cdp("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=at, button="left", buttons=1)
            time.sleep(0.016)
        browser.cdp("Input.dispatchMouseEvent", type="mouseReleased", x=x, y=y + travel, button="left")
        time.sleep(1.1)


def record(name, hand, folder):
    with tempfile.NamedTemporaryFile("w", suffix=".html") as page:
        page.write(PAGE)
        page.flush()
        browser = Browser(touch=hand is touch)
        try:
            browser.post("/url", {"url": "file://" + page.name})
            browser.run("begin(1500000)")
            time.sleep(0.7)
            hand(browser)
            samples = browser.run("return taken()")
        finally:
            browser.close()
    samples = [{name: sample[name] for name in ("t", "y", "phase")} for sample in samples]
    with open(os.path.join(folder, f"chromium-{name}.ndjson"), "w") as out:
        for line in [HEADER] + samples:
            out.write(json.dumps(line, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__))
    for name, hand in [("wheel", wheel), ("touch", touch), ("scrollbar", scrollbar)]:
        record(name, hand, folder)
