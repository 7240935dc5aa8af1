#!/usr/bin/env python3
"""Measures the page in Chromium, and ends with status 1 if a figure is over its limit.

  Tests/Benchmarks/page.py [smooth] [memory] [failover]

  smooth    the main thread's work for each frame of flings, and at 6,000 px/s
  memory    heap, nodes and processes after 2,000 and after 20,000 thumbnails
  failover  how long visible pictures are missing after one of two servers is killed, or halted while the page scrolls
            (needs nginx and redis-server)

Without names it measures all three. It needs chromium and chromedriver (.ci/install --tests). LOOKAHEAD_BINARY names the executable
(default: it is built)."""

import contextlib
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE / "Python"))
from chromium import Browser  # noqa: E402

# The visible cells, and whether each shows its picture.
LOOK = """
window.scroller = document.getElementById('scroller');
window.visible = () => {
  const box = scroller.getBoundingClientRect();
  return [...document.querySelectorAll('.row:not([hidden]) .cell:not([hidden])')].filter((cell) => {
    const r = cell.getBoundingClientRect();
    return r.height > 0 && r.bottom > box.top + 0.5 && r.top < box.bottom - 0.5;
  });
};
window.shown = (cell) => {
  const image = cell.querySelector('img');
  return image && image.complete && image.naturalWidth > 0 && getComputedStyle(image).opacity !== '0';
};
window.filled = () => document.documentElement.dataset.connection === 'live' && visible().length > 0 && visible().every(shown);
window.frame = () => new Promise(requestAnimationFrame);
window.until = async (condition) => {
  for (const end = performance.now() + 60000; !(await condition()); await frame())
    if (performance.now() > end) throw new Error(`not within a minute: ${condition}`);
};
"""


def executable():
    if "LOOKAHEAD_BINARY" not in os.environ:
        build = ["swift", "build", "-c", "release", "--product", "lookahead", "--package-path", str(ROOT)]
        subprocess.run(build, check=True, stdout=sys.stderr)
        os.environ["LOOKAHEAD_BINARY"] = str(ROOT / ".build/release/lookahead")
    return os.environ["LOOKAHEAD_BINARY"]


@contextlib.contextmanager
def server(*arguments):
    """A server on a port that the system picks: its process and its address."""
    process = subprocess.Popen(
        [executable(), *arguments, "--port", "0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        found = re.search(r"http://\S+", process.stdout.readline())
        if not found:
            raise RuntimeError(f"{arguments} does not start")
        yield process, found[0].rstrip("/").replace("localhost", "127.0.0.1") + "/"
    finally:
        process.send_signal(signal.SIGCONT)
        process.terminate()
        process.wait()


@contextlib.contextmanager
def page(address, tracing=False):
    """A browser at an address, with all visible pictures."""
    browser = Browser(tracing)
    try:
        browser.call("/url", {"url": address})
        browser.run(LOOK)
        browser.wait("await until(filled);")
        yield browser
    finally:
        browser.quit()


def demo(items, latency, bandwidth):
    return server("demo", "--items", str(items), "--latency", str(latency), "--bandwidth", str(bandwidth))


failed = []


def at_most(name, value, limit):
    if value > limit:
        failed.append(f"{name}: {value:.1f}, over {limit:.1f}")


def percentile(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(len(values) * share))]


def scroll(browser, distance, speed):
    browser.devtools(
        "Input.synthesizeScrollGesture", x=500, y=450, yDistance=-round(distance), speed=round(speed),
        gestureSourceType="mouse", preventFling=True)


def work_of_frames(events):
    """Milliseconds of the main thread's processor time for each frame between two marks, and the number of tasks over 50 ms."""
    marks = {e["args"]["data"]["message"]: e for e in events if e["name"] == "TimeStamp"}
    begin, end = marks["begin"], marks["end"]
    here = [e for e in events if (e["pid"], e["tid"]) == (begin["pid"], begin["tid"]) and begin["ts"] <= e["ts"] < end["ts"]]
    # Work after the hand-over of one frame belongs to the next frame.
    starts = sorted(e["ts"] for e in here if e["name"] == "Commit")
    frames, long_tasks = [0.0] * max(0, len(starts) - 1), 0
    for task in (e for e in here if e["name"] == "RunTask"):
        took = task.get("tdur", 0) / 1000
        long_tasks += took > 50
        frame = next((i for i, start in enumerate(starts) if start > task["ts"]), len(starts)) - 1
        if 0 <= frame < len(frames):
            frames[frame] += took
    return frames, long_tasks


def smooth():
    def flings(browser):
        for _ in range(2):  # the browser does not keep all of the trace of three
            # After the finger lets go at 6,000 px a second, the speed falls as on a phone: by 0.998 a millisecond.
            for when in range(0, 2300, 150):
                speed = 6000 * 0.998**when
                scroll(browser, max(8, speed * 0.15), speed)

    def rush(browser):
        scroll(browser, 30_000, 6000)

    for name, movement, limit in (("flings", flings, 8), ("at 6,000 px/s", rush, None)):
        with demo(1_000_000, 20, 1000) as (_, address):
            # The first time slowly: the demo then need not paint the same pictures on the same processors.
            with page(address) as browser:
                scroll(browser, 32_000, 3000)
            with page(address, tracing=True) as browser:
                browser.run("console.timeStamp('begin');")
                movement(browser)
                browser.run("console.timeStamp('end');")
                frames, long_tasks = work_of_frames(browser.trace())
        if len(frames) < 50:
            raise RuntimeError(f"{name}: only {len(frames)} frames, which are too few to judge; is the machine busy?")
        middle, most = percentile(frames, 0.5), percentile(frames, 0.95)
        print(f"{name}: {len(frames)} frames, ms each p50 {middle:.1f}, p95 {most:.1f}, most {max(frames):.1f}; {long_tasks} long tasks")
        at_most(f"{name}, long tasks", long_tasks, 0)
        if limit:
            at_most(f"{name}, ms a frame at 95 in 100", most, limit)


def resident(process):
    """Bytes of a process and its descendants, shared ones by their share."""
    children = {}
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            children.setdefault(parent, []).append(int(folder.name))
    total, waiting = 0, [process]
    while waiting:
        number = waiting.pop()
        waiting += children.get(number, [])
        with contextlib.suppress(OSError):
            total += int(re.search(r"^Pss:\s+(\d+)", pathlib.Path(f"/proc/{number}/smaps_rollup").read_text(), re.M)[1]) * 1024
    return total


def memory():
    figures = []
    with demo(1_000_000, 0, 10_000) as (_, address), page(address) as browser:
        browser.devtools("Performance.enable")
        browser.run("""
            window.count = 0;
            new MutationObserver((changes) => {
              for (const { target } of changes) if (target.dataset.state === 'ready') window.count += 1;
            }).observe(document.getElementById('grid'), { subtree: true, attributeFilter: ['data-state'] });
            """)
        for goal in (2_000, 5_000, 10_000, 20_000):
            browser.wait(f"""
                while (window.count < {goal}) {{
                  scroller.scrollTop += scroller.clientHeight;
                  await frame(); await frame();
                  await until(() => visible().length && visible().every((cell) => cell.dataset.state === 'ready'));
                }}
                const session = document.documentElement.dataset.session;
                await until(async () => {{
                  const {{ counts }} = await (await fetch(`/api/v1/sessions/${{session}}`)).json();
                  return !counts.queued && !counts.loading;
                }});
                for (let count = 0; count < 60; count++) await frame();
                """)
            browser.devtools("HeapProfiler.collectGarbage")
            metrics = {m["name"]: m["value"] for m in browser.devtools("Performance.getMetrics")["metrics"]}
            usage = browser.devtools("Runtime.getHeapUsage")
            figures.append({
                # The data URLs of pictures lie in the heap, or beside it once an image has taken them.
                "heap": usage["usedSize"] + usage["backingStorageSize"], "processes": resident(browser.process),
                "nodes": metrics["Nodes"], "listeners": metrics["JSEventListeners"]})
            print(f"{goal} thumbnails: heap {figures[-1]['heap'] / 1e6:.1f} MB, processes {figures[-1]['processes'] / 1e6:.0f} MB")
    for name, early in figures[0].items():
        at_most(f"{name} after 20,000 thumbnails", figures[-1][name], early * 1.1)


@contextlib.contextmanager
def pair(folder):
    """Two servers of one folder, which share through Redis, behind nginx as .packaging/nginx.conf has it."""
    def free():
        with socket.socket() as place:
            place.bind(("127.0.0.1", 0))
            return place.getsockname()[1]

    redis_port, port = free(), free()
    redis = subprocess.Popen(
        ["redis-server", "--port", str(redis_port), "--bind", "127.0.0.1", "--save", ""], cwd=folder, stdout=subprocess.DEVNULL)
    with contextlib.ExitStack() as stack:
        stack.callback(redis.wait)
        stack.callback(redis.terminate)
        (folder / "own").mkdir()
        with demo(4000, 0, 10_000) as (_, address):
            picture = urllib.request.urlopen(f"{address}api/v1/galleries/demo/items/0/thumbnail?width=300", timeout=60).read()
        for number in range(4000):
            (folder / f"own/{number}.webp").write_bytes(picture)
        ports = [free(), free()]

        def start(index):
            name = "ab"[index]
            process = subprocess.Popen(
                [executable(), "serve", str(folder / "own"), "--port", str(ports[index]), "--node", name, "--redis",
                 f"redis://127.0.0.1:{redis_port}", "--trusted-proxy", "127.0.0.1", "--cache-directory", str(folder / name)],
                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
            process.stdout.readline()
            return process

        servers = [start(0), start(1)]
        stack.callback(lambda: [(s.send_signal(signal.SIGCONT), s.kill(), s.wait()) for s in servers])
        text = (ROOT / ".packaging/nginx.conf").read_text().replace("listen 80", f"listen 127.0.0.1:{port}")
        text = text.replace("server a:8080", f"server 127.0.0.1:{ports[0]}").replace("server b:8080", f"server 127.0.0.1:{ports[1]}")
        temporary = " ".join(f"{name}_temp_path {folder}/temp;" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        (folder / "nginx.conf").write_text(
            f"daemon off; master_process off; pid {folder}/pid; error_log stderr;\nevents {{ worker_connections 256; }}\n"
            f"http {{ access_log off; {temporary}\n{text}\n}}")
        nginx = subprocess.Popen(["/usr/sbin/nginx", "-p", str(folder), "-c", str(folder / "nginx.conf")], stderr=subprocess.DEVNULL)
        stack.callback(nginx.wait)
        stack.callback(nginx.terminate)
        yield servers, start, f"http://127.0.0.1:{port}/"


def failover():
    if not shutil.which("redis-server") or not pathlib.Path("/usr/sbin/nginx").exists():
        print("failover: redis-server or nginx is not installed; nothing is measured", file=sys.stderr)
        return
    for name, speed, limit in (("kill", 0, 500), ("halt", 10, 4000)):
        took = []
        with tempfile.TemporaryDirectory() as folder, pair(pathlib.Path(folder)) as (servers, start, address):
            with page(address + "?layout=justified") as browser:
                for _ in range(20):
                    # Both servers run, and the stream has lasted.
                    browser.wait("await until(filled); for (const end = performance.now() + 3000; performance.now() < end; ) await frame();")
                    session = browser.run("return document.documentElement.dataset.session;")
                    index = "ab".index(session[0])
                    browser.run(f"""
                        window.back = 0;
                        const state = document.documentElement, former = state.dataset.session;
                        const look = () => {{
                          if (state.dataset.session !== former && filled()) window.back = Date.now();
                          else requestAnimationFrame(look);
                        }};
                        // After the page hears of the end it goes on to a place whose pictures it cannot have.
                        const wait = () => {{
                          const isHere = state.dataset.connection === 'live' && state.dataset.session === former;
                          scroller.scrollTop += isHere ? {speed} : 6000;
                          requestAnimationFrame(isHere ? wait : look);
                        }};
                        wait();
                        """)
                    ended = time.time() * 1000
                    servers[index].send_signal(signal.SIGKILL if name == "kill" else signal.SIGSTOP)
                    browser.wait("await until(() => window.back);")
                    took.append(browser.run("return window.back;") - ended)
                    if name == "kill":
                        servers[index].wait()
                        servers[index] = start(index)
                    else:
                        servers[index].send_signal(signal.SIGCONT)
        print(f"all visible pictures after a {name}, ms: p50 {percentile(took, .5):.0f}, p95 {percentile(took, .95):.0f}, most {max(took):.0f}")
        at_most(f"failover, ms after a {name} at 95 in 100", percentile(took, 0.9), limit)


def main():
    parts = {"smooth": smooth, "memory": memory, "failover": failover}
    names = sys.argv[1:] or list(parts)
    if unknown := [name for name in names if name not in parts]:
        sys.exit(f"page.py: unknown part {unknown[0]}; there are {', '.join(parts)}")
    for name in names:
        parts[name]()
    print("\n".join(failed), end="\n" if failed else "", file=sys.stderr)
    return len(failed) > 0


if __name__ == "__main__":
    sys.exit(main())
