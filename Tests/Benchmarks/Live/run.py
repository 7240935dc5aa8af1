"""One run: one contender, one tour, one link, everything cold."""
import json, pathlib, tempfile
from dataclasses import dataclass, field

import geometry
from browser import Browser
from contenders import serve
from links import Link
from processors import Processor
from player import Player
from pictures import painted_folder, wait_until_indexed
from programs import HERE, Certificate, Child, cpu_seconds
from tour import Tour


VISITS = ["first", "second", "folder"]

# States of a cell in a frame, as Pages/sampler.js writes them.
SHOWN, UNPAINTED, SMALLER, PLACEHOLDER, NOTHING = "2", "u", "1", "h", "0"


@dataclass
class Tools:
    """What all runs share."""
    origin: pathlib.Path
    relay: pathlib.Path
    certificate: Certificate
    lookahead: str


@dataclass
class Run:
    """What was seen; times in ms since the navigation began."""
    contender: str
    link: Link
    processor: Processor
    tour: Tour
    round: int = 0
    navigation: float = 0  # when that was, in ms of the monotonic clock
    began: float = 0  # when the tour did
    frames: list = field(default_factory=list)  # [time, scrollTop, first item, states, phase]
    wanted: dict = field(default_factory=dict)  # item: times at which the page or the server's plan asked for it
    arrived: dict = field(default_factory=dict)  # item: times at which its picture came to the page
    session_asked: float | None = None
    presentation: list = field(default_factory=list)  # ms from the paint of each picture to its presentation
    requests: list = field(default_factory=list)  # the origin's log
    task_seconds: float = 0  # of the page's main thread, during the tour
    server_cpu: float = 0  # seconds, during the tour

    @property
    def end(self) -> float:
        return self.began + self.tour.duration

    def in_tour(self) -> list:
        return [frame for frame in self.frames if frame[0] <= self.end]

    def kind_at(self, time: float) -> str:
        for _, until, kind in self.tour.kinds:
            if time - self.began < until:
                return kind
        return self.tour.kinds[-1][2]


def sampler(visit: str) -> str:
    settings = {
        "items": geometry.ITEMS, "columns": geometry.COLUMNS, 
        "inset": geometry.TITLE if visit == "folder" else geometry.INSET, "cellHeight": geometry.CELL_HEIGHT,
        "pitch": geometry.CELL_HEIGHT + geometry.GAP, "fullWidth": int(geometry.CELL_WIDTH),
    }
    return f"const geometry = {json.dumps(settings)};\n" + (HERE / "Pages/sampler.js").read_text()


def measure(
    contender: str, link: Link, processor: Processor, tour: Tour, tools: Tools, watch=None, visit: str = "first") -> Run:
    """`watch(browser)`, if given, returns a function that is called in rests. `visit`: one of VISITS."""
    with tempfile.TemporaryDirectory(prefix="live-") as name:
        folder = pathlib.Path(name)
        log = folder / "origin.ndjson"
        started = []
        try:
            processor.place_server()
            origin = _origin(link, tools, log, started)
            pictures = painted_folder(folder, tools) if visit == "folder" else None
            served = serve(contender, folder, origin, tools.certificate, tools.lookahead, pictures, visit != "first")
            started.append(served.server)
            port = served.server.port
            if link.browser_round_trip:
                started.append(Child(tools.relay, port, link.browser_round_trip / 2, link.browser_bandwidth))
                port = started[-1].port
            url = f"{served.scheme}://127.0.0.1:{port}{served.path}"
            if pictures:
                wait_until_indexed(served.server.port)
            for _ in range(2 if visit == "second" else 1):
                processor.place_browser()
                browser = Browser(*geometry.WINDOW, tools.certificate.pin)
                processor.place_player()
                try:
                    if processor.slowdown > 1:
                        browser.call("Emulation.setCPUThrottlingRate", rate=processor.slowdown)
                    run = Run(contender, link, processor, tour)
                    _tour(run, browser, url, served.process, sampler(visit), watch)
                finally:
                    browser.quit()
        finally:
            for child in reversed(started):
                child.stop()
        navigation = run.navigation
        for line in log.read_text().splitlines():
            request = json.loads(line)
            for key in ("asked", "started", "first", "over"):
                request[key] = request[key] - navigation if request[key] else None
            if request["asked"] >= 0:  # not of a visit before
                run.requests.append(request)
    return run


def _origin(link: Link, tools: Tools, log: pathlib.Path, started: list) -> str:
    command = [
        tools.origin, "--latency", link.latency, "--bandwidth", link.bandwidth, "--slots", link.slots, "--log", log]
    if not link.tls:
        started.append(Child(*command))
        return f"http://127.0.0.1:{started[-1].port}"
    started.append(Child(
        *command, "--certificate", tools.certificate.file, "--key", tools.certificate.key, "--way", link.latency))
    started.append(Child(tools.relay, started[-1].port, link.latency / 2, 0))
    return f"https://127.0.0.1:{started[-1].port}"


def _tour(run: Run, browser: Browser, url: str, server: int, script: str, watch):
    browser.call("Page.addScriptToEvaluateOnNewDocument", source=script)
    before = cpu_seconds(server)
    browser.call("Page.navigate", url=url)
    first, meanwhile = browser.metrics(), watch(browser) if watch else None
    began = Player(browser).play(run.tour, meanwhile)
    run.server_cpu = cpu_seconds(server) - before
    last = browser.metrics()
    run.task_seconds = last["TaskDuration"] - first["TaskDuration"]
    run.navigation = last["NavigationStart"] * 1000
    run.began = began - run.navigation
    seen = browser.evaluate("live.finish()")
    if seen["scroller"] != [geometry.TOP, geometry.WIDTH, geometry.HEIGHT]:
        raise SystemExit(f"{run.contender} shows its cells elsewhere than geometry.py says: {seen['scroller']}")
    run.frames, run.session_asked, run.presentation = seen["frames"], seen["sessionAsked"], seen["presentation"]
    run.wanted = {int(item): times for item, times in seen["wanted"].items()}
    run.arrived = {int(item): times for item, times in seen["arrived"].items()}
