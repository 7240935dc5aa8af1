#!/usr/bin/env python3
"""Compares what Lookahead costs and foresees now with the figures kept in baseline.json.

    Tests/Benchmarks/baseline.py            prints each figure beside the one kept; status 1 where one is worse than it may be
    Tests/Benchmarks/baseline.py --write    keeps what was measured

Less is better for each figure. Scores come from generated traces in virtual time: the same on every machine. The others are ratios, which
travel better than times; those kept were measured on one machine with 2 cores.
Building aside it takes a few minutes. LOOKAHEAD names a binary to take instead of building one.
"""
import json
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
KEPT = HERE / "baseline.json"

# How much worse than kept a figure may be, in parts of it, and at least. Scores are the same everywhere but for rounding; ratios of
# times, measured in turns on one machine, differ by a tenth.
TOLERANCES = {"score": (0, 0.005), "viewport": (0.15, 0), "thumbnail": (0.15, 0), "file": (0.2, 0)}
SEEDS = "3101-3108"


def lab(*arguments):
    return subprocess.run([binary(), *arguments], check=True, stdout=subprocess.PIPE, text=True).stdout


def binary():
    if "LOOKAHEAD_LAB" not in os.environ:
        root = HERE.parent.parent
        build = ["swift", "build", "-c", "release", "--product", "lookahead-lab", "--package-path", str(root)]
        subprocess.run(build, check=True, stdout=sys.stderr)
        os.environ["LOOKAHEAD_LAB"] = str(root / ".build/release/lookahead-lab")
    return os.environ["LOOKAHEAD_LAB"]


def scores():
    """Slow blank share of `lookahead`, by origin and kind of scroll, and its waste: means over the seeds."""
    origin = None
    for line in lab("score", "--seeds", SEEDS).splitlines():
        words = re.split(r"\s{2,}", line.strip())
        if len(words) > 1 and words[1] == "lookahead":
            # The text after a table in per cent says the same once more.
            origin = None if words[0].startswith("%") else words[0].replace(" at once", "")
        elif origin and len(words) > 1 and "/" not in words[0]:
            yield f"score: {words[0]} at {origin}", float(words[1])


def decisions():
    """Time of a decision at ten million items, in times of one in the grid of ten thousand."""
    times = {(row["layout"], row["items"]): row["median"] for row in results("viewport", "viewport")}
    for layout in ("grid", "justified", "masonry"):
        yield f"viewport: {layout}", times[layout, 10_000_000] / times["grid", 10_000]


def thumbnails():
    """CPU time of a thumbnail, in times of decoding its picture alone."""
    for row in results("thumbnails", "results", "--quick"):
        yield f"thumbnail: {row['set']}", row["cpuMilliseconds"] / row["limitMilliseconds"]


def files():
    """CPU time of a request for a file, in times of nginx's for the same bytes."""
    lookahead = pathlib.Path(binary()).with_name("lookahead")
    measured = subprocess.run(
        [str(HERE / "server.sh"), "--files"], check=True, stdout=subprocess.PIPE, text=True,
        env={**os.environ, **({"LOOKAHEAD_BINARY": str(lookahead)} if lookahead.exists() else {})}).stdout
    for line in measured.splitlines()[2:]:
        yield f"file: {line.split()[0]}", float(line.split()[-1])


def results(name, field, *more):
    return json.loads(lab(name, "--format", "json", *more))[field]


def main():
    figures = {name: round(value, 3) for part in (scores, decisions, thumbnails, files) for name, value in part()}
    if sys.argv[1:] == ["--write"]:
        KEPT.write_text(json.dumps(figures, indent=2) + "\n")
        return 0
    kept = json.loads(KEPT.read_text())
    failed = 0
    print(f"{'kept':>8} {'now':>8}")
    for name in sorted(figures.keys() | kept.keys(), key=list(kept | figures).index):
        was, now = kept.get(name), figures.get(name)
        part, least = TOLERANCES[name.split(":")[0]]
        is_worse = was is not None and (now is None or now > was + max(was * part, least))
        failed += is_worse
        print(f"{'-' if was is None else was:>8} {'-' if now is None else now:>8}  {name}{'  WORSE' if is_worse else ''}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
