"""Plays a tour in a browser: every input at its time."""
import time

from browser import Browser
from geometry import HEIGHT, TOP
from tour import Tour

MIDDLE = (632, TOP + HEIGHT / 2)
BAR = 1272.5  # px from the left: the middle of the scrollbar
BUTTON, THUMB = 17, 19  # px of the scrollbar's height; on so long a content the thumb is as short as it gets
REST = 0.45  # seconds
KEYS = {"ArrowDown": 40, "PageDown": 34}

# How far the content has gone, of all of its way.
WAY = """(() => {
  const s = document.getElementById('scroller')
  return s.scrollTop / (s.scrollHeight - s.clientHeight)
})()"""


class Player:
    def __init__(self, browser: Browser):
        self.browser = browser
        self.due = self.offset = 0.0  # when the next input is due; from the monotonic clock to the wall's
        self.grabbed = (0.0, 0.0)  # where the thumb was taken, and how far it is to go

    def play(self, tour: Tour, meanwhile=None) -> float:
        """Returns when it began, in ms of the monotonic clock; `meanwhile()` is called in the rests between inputs."""
        start = time.monotonic()
        self.offset = time.time() - time.monotonic()
        for event in tour.events:
            self.due = start + event.time / 1000
            self._wait(meanwhile)
            getattr(self, "_" + event.what)(event.value)
        self.due = start + tour.duration / 1000
        self._wait(meanwhile)
        return start * 1000

    def _wait(self, meanwhile):
        while meanwhile and self.due - time.monotonic() > REST:
            meanwhile()
            time.sleep(0.1)
        time.sleep(max(0.0, self.due - time.monotonic()))

    def _wheel(self, delta: float):
        x, y = MIDDLE
        self.browser.send("Input.dispatchMouseEvent", type="mouseWheel", x=x, y=y, deltaX=0, deltaY=delta)

    def _touch(self, value):
        kind, offset = value
        points = [] if offset is None else [{"x": MIDDLE[0], "y": MIDDLE[1] + offset}]
        # As if it had come when it was due: how fast the finger is decides how far it flings.
        self.browser.send(
            "Input.dispatchTouchEvent", type=kind, touchPoints=points, timestamp=self.due + self.offset)

    def _mouse(self, kind: str, x: float, y: float, buttons: int):
        pressed = {} if kind == "mouseMoved" else {"clickCount": 1}
        self.browser.send(
            "Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", buttons=buttons, **pressed)

    def _grab(self, way: float):
        part = self.browser.evaluate(WAY)
        y = thumb(part)
        self.grabbed = (y, way if part < 0.5 else -way)
        self._mouse("mouseMoved", BAR, y, 0)
        self._mouse("mousePressed", BAR, y, 1)

    def _drag(self, part: float):
        y, way = self.grabbed
        self._mouse("mouseMoved", BAR, y + way * part, 1)

    def _drop(self, _):
        y, way = self.grabbed
        self._mouse("mouseReleased", BAR, y + way, 0)
        self._mouse("mouseMoved", *MIDDLE, 0)

    def _focus(self, _):
        """Keys then scroll as the browser does, in every page alike; in Lookahead's grid they would go from cell to cell."""
        self.browser.send("Runtime.evaluate", expression="""{
            const s = document.getElementById('scroller')
            s.tabIndex = -1
            s.focus({ preventScroll: true })
        }""")

    def _key(self, value):
        key, is_repeat = value
        self.browser.send(
            "Input.dispatchKeyEvent", type="rawKeyDown", key=key, code=key, windowsVirtualKeyCode=KEYS[key],
            autoRepeat=is_repeat)

    def _release(self, key: str):
        self.browser.send("Input.dispatchKeyEvent", type="keyUp", key=key, code=key, windowsVirtualKeyCode=KEYS[key])

    def _jump(self, part: float):
        self.browser.send("Runtime.evaluate", expression=f"""{{
            const s = document.getElementById('scroller')
            s.scrollTop = Math.round({part} * (s.scrollHeight - s.clientHeight))
        }}""")


def thumb(part: float) -> float:
    """The middle of the scrollbar's thumb, in px of the window, with the content at this part of its way."""
    return TOP + BUTTON + THUMB / 2 + (HEIGHT - 2 * BUTTON - THUMB) * part
