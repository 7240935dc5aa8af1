"""A tour: what a hand does for fifty seconds, made from a seed, with the kinds of scrolling labelled in time."""
import math, random
from dataclasses import dataclass, field

FRAME = 1000 / 60  # ms: input comes once a frame
NOTCH = 100  # px of a wheel
SETTLE = 3000  # ms at the beginning, for the first screen


@dataclass(frozen=True)
class Event:
    """One input. `what` is wheel, touch, grab, drag, drop, focus, key, release or jump; `value` what it needs."""
    time: float  # ms since the tour began
    what: str
    value: object = None


@dataclass
class Tour:
    seed: int
    events: list[Event] = field(default_factory=list)
    kinds: list[tuple[float, float, str]] = field(default_factory=list)  # from, to, kind

    @property
    def duration(self) -> float:
        return self.kinds[-1][1]


class Hand:
    """Writes down inputs, one after another."""

    def __init__(self, seed: int):
        self.random = random.Random(seed)
        self.tour = Tour(seed)
        self.time = 0.0

    def do(self, what: str, value: object = None):
        self.tour.events.append(Event(self.time, what, value))

    def rest(self, least: float, most: float | None = None):
        self.time += self.random.uniform(least, most or least)

    def wheel(self, speed, duration: float):
        """`speed(ms)` in px/s, as deltas of a frame each."""
        start = self.time
        while self.time < start + duration:
            self.do("wheel", speed(self.time - start + FRAME / 2) * FRAME / 1000)
            self.time += FRAME

    def notches(self, count: int, gap: float, sign: int = 1):
        for _ in range(count):
            self.do("wheel", sign * NOTCH)
            self.time += gap


def read(hand: Hand):
    for _ in range(3):
        hand.notches(hand.random.randint(2, 4), hand.random.uniform(80, 140), -1 if hand.random.random() < 0.15 else 1)
        hand.rest(900, 1500)


def bursts(hand: Hand):
    for _ in range(3):
        hand.notches(hand.random.randint(6, 10), 50)
        hand.rest(800, 1300)


def flings(hand: Hand):
    for _ in range(2):
        speed, tau = hand.random.uniform(9_000, 16_000), 325
        sign = -1 if hand.random.random() < 0.2 else 1
        hand.wheel(lambda t: sign * speed * math.exp(-t / tau), tau * math.log(speed / 40))
        hand.rest(700, 1200)


def touch_flings(hand: Hand):
    for _ in range(3):
        length, frames = hand.random.uniform(250, 550), hand.random.randint(5, 9)
        sign = -1 if hand.random.random() < 0.2 else 1
        start = sign * length / 2
        hand.do("touch", ("touchStart", start))
        for frame in range(1, frames + 1):
            hand.time += FRAME
            hand.do("touch", ("touchMove", start - sign * length * frame / frames))
        hand.time += 4
        hand.do("touch", ("touchEnd", None))
        hand.rest(1500, 2200)


def reversals(hand: Hand):
    sign = 1
    for _ in range(6):
        speed = hand.random.uniform(1_200, 4_500)
        hand.wheel(lambda t: sign * speed, hand.random.uniform(250, 600))
        hand.rest(40, 250)
        sign = -sign
    hand.rest(600, 900)


def jumps(hand: Hand):
    for _ in range(2):
        hand.do("jump", hand.random.uniform(0.05, 0.9))
        hand.rest(900, 1400)
        hand.notches(hand.random.randint(2, 4), 110)
        hand.rest(800, 1200)


def scan(hand: Hand):
    speed = hand.random.uniform(1_000, 1_500)
    hand.wheel(lambda t: speed, hand.random.uniform(4_500, 5_500))
    hand.rest(600, 900)


def drag(hand: Hand):
    """The scrollbar's thumb, slowly by a few pixels of its track, then farther; a look before it is let go."""
    for least, most in [(6, 16), (25, 90)]:
        way, frames = hand.random.uniform(least, most), hand.random.randint(40, 75)
        hand.do("grab", way)
        for frame in range(1, frames + 1):
            hand.time += FRAME
            part = frame / frames
            hand.do("drag", part * part * (3 - 2 * part))
        hand.rest(150, 500)
        hand.do("drop")
        hand.rest(900, 1400)


def keys(hand: Hand):
    hand.do("focus")
    hand.rest(150)
    for key, presses, gap in [("ArrowDown", hand.random.randint(55, 85), 33), ("PageDown", hand.random.randint(3, 5), 330)]:
        for press in range(presses):
            hand.do("key", (key, key == "ArrowDown" and press > 0))
            # A key that is held repeats after half a second.
            hand.time += 400 if key == "ArrowDown" and press == 0 else gap
        hand.do("release", key)
        hand.rest(600, 900)


KINDS = {
    "read": read, "bursts": bursts, "flings": flings, "touch": touch_flings, "reversals": reversals, "jumps": jumps,
    "scan": scan, "drag": drag, "keys": keys,
}


def make(seed: int, kinds: list[str] | None = None, brief: bool = False) -> Tour:
    """The kinds in an order of the seed's; brief: three notches."""
    hand = Hand(seed)
    hand.time = SETTLE
    hand.tour.kinds.append((0, SETTLE, "first"))
    names = hand.random.sample(sorted(KINDS), len(KINDS))
    for name in ["read"] if brief else names:
        if kinds and name not in kinds:
            continue
        start = hand.time
        if brief:
            hand.notches(3, 100)
            hand.rest(500)
        else:
            KINDS[name](hand)
        hand.tour.kinds.append((start, hand.time, name))
    return hand.tour
