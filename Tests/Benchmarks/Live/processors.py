"""The processors that browser and server have: as the machine is, slowed down, or one core each."""
import functools, os, pathlib, re, subprocess
from dataclasses import dataclass

ALL_CORES = os.sched_getaffinity(0)


@dataclass(frozen=True)
class Processor:
    name: str
    text: str
    slowdown: int = 1  # of the page's main thread, by DevTools
    # Server and origin on one core, the browser on another. Programs inherit the cores of the one that starts them.
    is_split: bool = False

    def place_server(self):
        self._place(min(ALL_CORES))

    def place_browser(self):
        self._place(max(ALL_CORES))

    def place_player(self):
        """For the program that sends the input, which must not wait."""
        os.sched_setaffinity(0, ALL_CORES)

    def _place(self, core: int):
        os.sched_setaffinity(0, {core} if self.is_split else ALL_CORES)


PROCESSORS = {
    processor.name: processor
    for processor in [
        Processor("shared", "server and browser share all cores"),
        Processor("throttled", "the page's main thread four times slower", slowdown=4),
        Processor("split", "server and browser on a core each", is_split=True),
    ]
}


@functools.cache
def machine() -> str:
    """The machine in a line: processor, cores and browser."""
    found = re.search(r"^model name\s*: (.*)$", pathlib.Path("/proc/cpuinfo").read_text(), re.M)
    browser = subprocess.run(["chromium", "--version"], capture_output=True, text=True).stdout.strip()
    return f"{found[1] if found else os.uname().machine}, {len(ALL_CORES)} cores, {browser}"
