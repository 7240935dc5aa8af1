"""The figures of all rounds as tables: the median, and every value."""
import json, statistics

import contenders
from links import LINKS
from processors import PROCESSORS
from waits import WAITS

# Title, how to find it in a run's figures, and digits after the point.
COLUMNS = [
    ("blank", lambda f: f["blank"], 3),
    ("slow blank", lambda f: f["slowBlank"], 3),
    ("grey", lambda f: f.get("grey"), 4),
    ("settle p50, ms", lambda f: f["settleP50"], 0),
    ("p95, ms", lambda f: f["settleP95"], 0),
    ("first screen, ms", lambda f: f["firstScreen"], 0),
    ("session asked, ms", lambda f: f["sessionAsked"], 0),
    ("waste", lambda f: f["waste"], 2),
    ("requests", lambda f: f["requests"], 0),
    ("aborts", lambda f: f["aborts"], 0),
    ("connections", lambda f: f["connections"], 0),
    ("paint to screen, ms", lambda f: f.get("presentation"), 0),
    ("main thread, ms a frame", lambda f: f["mainThread"], 1),
    ("server CPU, s", lambda f: f["serverCPU"], 1),
]


def report(rows: list[dict], form: str) -> str:
    """`rows`: contender, link, processor, machine, round, seed and the figures of every run."""
    # Rows kept by earlier versions name neither.
    rows = [{"processor": "shared", "machine": "an unknown machine"} | row for row in rows]
    links, processors = [*LINKS], [*PROCESSORS]
    rows = sorted(rows, key=lambda row: (
        links.index(row["link"]), processors.index(row["processor"]), contenders.ALL.index(row["contender"]), row["round"], row["seed"]))
    if form == "json":
        return json.dumps(rows, indent=1)
    parts = []
    for link, processor in dict.fromkeys((row["link"], row["processor"]) for row in rows):
        runs = [row for row in rows if (row["link"], row["processor"]) == (link, processor)]
        of = {name: [row for row in runs if row["contender"] == name] for name in contenders.ALL}
        of = {name: figures for name, figures in of.items() if figures}
        seeds = ", ".join(str(seed) for seed in dict.fromkeys(row["seed"] for row in runs))
        machines = " and ".join(dict.fromkeys(row["machine"] for row in runs))
        parts.append(f"{link}: {LINKS[link]}; {PROCESSORS[processor].text}; tours of the seeds {seeds}; on {machines}")
        parts.append(_table([title for title, _, _ in COLUMNS], of, [(find, digits) for _, find, digits in COLUMNS], form))
        kinds = sorted({kind for figures in of.values() for one in figures for kind in one["byKind"]} - {"first"})
        for title, key in [("Slow blank", "slowBlank"), ("Blank", "blank"), ("Grey", "grey")]:
            parts.append(f"{title} share by kind of scroll")
            parts.append(_table(kinds, of, [(_of_kind(kind, key), 3) for kind in kinds], form))
        parts.append("What blank cells waited for, as shares of all cells' time")
        parts.append(_table(WAITS, of, [(_of_wait(wait), 3) for wait in WAITS], form))
    return "\n\n".join(parts)


def _of_kind(kind: str, key: str):
    return lambda figures: figures["byKind"].get(kind, {}).get(key)


def _of_wait(wait: str):
    return lambda figures: figures["waits"]["all"][wait]


def _value(value: float, digits: int) -> str:
    text = f"{value:.{digits}f}"
    return text[1:] if text.startswith("0.") else text


def _cell(values: list, digits: int) -> str:
    values = [value for value in values if value is not None]
    if not values:
        return "-"
    median = _value(statistics.median(values), digits)
    return median if len(values) == 1 else f"{median} ({' '.join(_value(value, digits) for value in values)})"


def _table(titles: list[str], of: dict[str, list[dict]], finds: list, form: str) -> str:
    lines = [["contender", *titles]]
    for name, figures in of.items():
        label = f"Lookahead, {name}" if name in contenders.POLICIES else name
        lines.append([label, *(_cell([find(one) for one in figures], digits) for find, digits in finds)])
    if form == "markdown":
        head, *body = ["| " + " | ".join(line) + " |" for line in lines]
        return "\n".join([head, "| " + " | ".join("---" for _ in lines[0]) + " |", *body])
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    return "\n".join(
        "  ".join(text.ljust(width) if column == 0 else text.rjust(width)
                  for column, (text, width) in enumerate(zip(line, widths))) for line in lines)
