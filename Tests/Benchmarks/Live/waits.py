"""What blank cells waited for: the origin's log and the page's own times, on one clock."""
from bisect import bisect_right
from collections import defaultdict
from itertools import pairwise

from run import SHOWN, Run

WAITS = ["not requested", "queued", "downloading", "rendering", "not painted", "aborted"]


def waits(run: Run) -> dict[str, dict[str, float]]:
    """The share of all cells' time that was blank for each reason: of each kind of scroll, and of `all` but the first
    screen. `queued`: wanted, but the origin has not begun; `rendering`: from the origin's last byte until the page has the
    picture; `not painted`: the page has it; `aborted`: given up, and not asked for again."""
    requests = defaultdict(list)
    for request in sorted(run.requests, key=lambda request: request["asked"]):
        requests[request["item"]].append(request)
    sums: dict = defaultdict(lambda: dict.fromkeys(WAITS, 0.0))
    totals: dict = defaultdict(float)
    for (time, _, first, states, _), after in pairwise(run.in_tour()):
        duration, kind = after[0] - time, run.kind_at(time)
        of = [kind] if kind == "first" else [kind, "all"]
        for name in of:
            totals[name] += len(states) * duration
        for item in (first + index for index, state in enumerate(states) if state != SHOWN):
            reason = wait(time, requests[item], run.wanted.get(item, []), run.arrived.get(item, []))
            for name in of:
                sums[name][reason] += duration
    return {
        name: {reason: round(sums[name][reason] / total, 5) for reason in WAITS} for name, total in totals.items() if total
    }


def wait(time: float, requests: list, wanted: list, arrived: list) -> str:
    last = bisect_right([request["asked"] for request in requests], time) - 1
    came = max((moment for moment in arrived if moment <= time), default=None)
    if last < 0:
        if came is not None:
            return "not painted"
        return "queued" if any(moment <= time for moment in wanted) else "not requested"
    request = requests[last]
    if came is not None and came >= request["asked"]:
        return "not painted"
    if request["over"] <= time:
        if not request["whole"]:
            return "queued" if any(request["over"] < moment <= time for moment in wanted) else "aborted"
        return "rendering"
    return "queued" if not request["started"] or request["started"] > time else "downloading"
