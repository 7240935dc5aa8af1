"""The networks that contenders meet: the simulator's three, and two more ways to the first."""
from dataclasses import dataclass


@dataclass(frozen=True)
class Link:
    name: str
    latency: float  # ms, median
    bandwidth: float  # Mbit/s
    slots: int
    # The browser is this far from the server, there and back, and behind this bandwidth; 0: on the same machine.
    browser_round_trip: float = 0
    browser_bandwidth: float = 0
    # The origin speaks TLS, and all of its latency is the way there and back, which new connections take several times.
    tls: bool = False

    def __str__(self) -> str:
        text = f"{self.latency:g} ms, {self.bandwidth:g} Mbit/s, {self.slots} slots"
        if self.browser_round_trip:
            text += f", the browser {self.browser_round_trip:g} ms away over {self.browser_bandwidth:g} Mbit/s"
        return text + (", over TLS" if self.tls else "")


LINKS = {
    link.name: link
    for link in [
        Link("near", 80, 25, 8),
        Link("wide", 150, 100, 16),
        Link("narrow", 30, 10, 6),
        Link("far", 80, 25, 8, browser_round_trip=40, browser_bandwidth=20),
        Link("tls", 80, 25, 8, tls=True),
    ]
}
