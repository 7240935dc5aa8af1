"""Keeps what was scrolled, as traces that `lookahead replay` reads, and what was measured beside them."""
import json, pathlib

import geometry
from processors import machine
from run import Run


def keep(run: Run, measured: dict, folder: pathlib.Path):
    """One trace a run; `measured.json` has one row a run."""
    folder.mkdir(parents=True, exist_ok=True)
    name = f"{run.link.name}-{run.processor.name}-{run.round}-{run.tour.seed}-{run.contender}.ndjson"
    start = run.frames[0][0]
    header = {
        "version": 1, "itemCount": geometry.ITEMS, "viewport": {"width": geometry.WIDTH, "height": geometry.HEIGHT},
        "layout": geometry.LAYOUT,
        # From when to when the hand did what, in ms of the samples' time.
        "kinds": [
            {"from": max(0, round(run.began + begin - start, 1)), "to": round(run.began + end - start, 1), "kind": kind}
            for begin, end, kind in run.tour.kinds
        ],
    }
    samples = [
        {"t": round(time - start, 1), "y": round(top, 2), "phase": phase}
        for time, top, _, _, phase in run.in_tour()
    ]
    lines = [json.dumps(line, separators=(",", ":")) for line in [header, *samples]]
    (folder / name).write_text("\n".join(lines) + "\n")
    rows = folder / "measured.json"
    table = json.loads(rows.read_text()) if rows.exists() else []
    table = [row for row in table if row["trace"] != name]
    link = run.link
    row = {
        "trace": name, "contender": run.contender, "link": link.name, "processor": run.processor.name,
        "machine": machine(), "round": run.round, "seed": run.tour.seed,
        # As `lookahead replay` calls them; from browser to server and back is the round trip.
        "origin": {
            "latency": link.latency, "jitter": 0.35, "bandwidth": link.bandwidth, "concurrency": link.slots,
            "roundTrip": link.browser_round_trip, "tls": link.tls,
        },
    }
    if run.requests:
        # Of the origin, in ms of the samples' time; negative where the page had not drawn its first screen.
        row["firstAsked"] = round(min(request["asked"] for request in run.requests) - start, 1)
    table.append(row | measured)
    rows.write_text("[\n" + ",\n".join(json.dumps(row) for row in table) + "\n]\n")
