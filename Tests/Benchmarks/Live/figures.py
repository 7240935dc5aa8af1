"""What a run comes to. Shares, speeds and stops mean what they mean in `lookahead replay`."""
from collections import defaultdict
from itertools import pairwise

from run import NOTHING, SHOWN, Run
from waits import waits

SLOW = 1500  # px/s, under which a person can make out pictures
STOP = 150  # ms at rest that make a stop


def figures(run: Run) -> dict:
    by_kind: dict[str, dict] = defaultdict(lambda: dict.fromkeys(("cells", "blank", "grey", "slowCells", "slowBlank"), 0.0))
    for frame, after in pairwise(run.in_tour()):
        duration, cells = after[0] - frame[0], len(frame[3])
        blank = cells - frame[3].count(SHOWN)
        kind = by_kind[run.kind_at(frame[0])]
        kind["cells"] += cells * duration
        kind["blank"] += blank * duration
        kind["grey"] += frame[3].count(NOTHING) * duration
        if abs(after[1] - frame[1]) / duration * 1000 < SLOW:
            kind["slowCells"] += cells * duration
            kind["slowBlank"] += blank * duration
    tour = {kind: sums for kind, sums in by_kind.items() if kind != "first"}
    settle = settles(run)
    return {
        # Of the whole trace, the first screen included, as a replay of it counts.
        "blankShare": share(by_kind.values(), "blank", "cells"),
        "slowBlankShare": share(by_kind.values(), "slowBlank", "slowCells"),
        # Of what the hand did once the first screen had its time.
        "blank": share(tour.values(), "blank", "cells"),
        "slowBlank": share(tour.values(), "slowBlank", "slowCells"),
        "grey": share(tour.values(), "grey", "cells"),
        "byKind": {
            kind: {
                "blank": share([sums], "blank", "cells"), "grey": share([sums], "grey", "cells"), "slowBlank": share([sums], "slowBlank", "slowCells"),
                "cellTime": round(sums["cells"]), "slowCellTime": round(sums["slowCells"]),
            } for kind, sums in by_kind.items()
        },
        "settleP50": quantile(settle, 0.5), "settleP95": quantile(settle, 0.95),
        "firstScreen": first_screen(run), "sessionAsked": run.session_asked,
        **traffic(run),
        "presentation": quantile(run.presentation, 0.5),
        "mainThread": run.task_seconds * 1000 / max(1, len(run.frames)), "serverCPU": run.server_cpu,
        "waits": waits(run),
    }


def share(sums, part: str, whole: str) -> float:
    sums = list(sums)
    total = sum(one[whole] for one in sums)
    return round(sum(one[part] for one in sums) / total, 5) if total else 0.0


def quantile(values: list[float], q: float) -> float | None:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * q))] if ordered else None


def settles(run: Run) -> list[float]:
    """From the last movement before each stop to the last picture in view."""
    found, moved, settled = [], None, None
    previous = None
    for frame in run.in_tour():
        if previous is not None and frame[1] != previous[1]:
            if moved is not None and frame[0] - moved >= STOP:
                found.append((settled if settled is not None else frame[0]) - moved)
            moved, settled = frame[0], None
        if settled is None and set(frame[3]) <= {SHOWN}:
            settled = frame[0]
        previous = frame
    if moved is not None:
        found.append((settled if settled is not None else previous[0]) - moved)
    return found


def first_screen(run: Run) -> float | None:
    # Until a page's stylesheet is there, less than a screen of cells may be in view.
    cells = max((len(states) for time, _, _, states, _ in run.frames if run.kind_at(time) == "first"), default=0)
    for time, _, _, states, _ in run.frames:
        if states and len(states) == cells and set(states) == {SHOWN}:
            return round(time, 1)
    return None


def traffic(run: Run) -> dict:
    """What the origin sent, and for what. What is under way at the end is cut off by it, not by the contender."""
    seen = set()
    for _, _, first, states, _ in run.frames:
        seen.update(first + index for index, state in enumerate(states) if state == SHOWN)
    sent = sum(request["bytes"] for request in run.requests)
    whole = {request["item"]: request["bytes"] for request in run.requests if request["whole"]}
    shown = sum(size for item, size in whole.items() if item in seen)
    return {
        "waste": round(1 - shown / sent, 5) if sent else 0.0,
        "requests": len(run.requests),
        "aborts": sum(not request["whole"] and request["over"] < run.end for request in run.requests),
        "connections": sum(request["new"] for request in run.requests),
        "bytes": round(sent),
    }
