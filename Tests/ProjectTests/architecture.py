#!/usr/bin/env python3
"""Draws which target of Package.swift imports which, as SVG on standard output.

  Tests/ProjectTests/architecture.py > Sources/lookahead/lookahead.docc/architecture.svg

A target stands above all that it imports. A line that others imply is left out: where A imports B and B imports C, none goes
from A to C. C libraries and packages of others are not drawn; a target that reaches none of them but swift-collections, and no
thread, is pure."""
import json, os, subprocess, tempfile

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
COLLECTIONS = {"DequeModule", "HeapModule"}
WIDTH, ROW, BOX_HEIGHT, MARGIN = 960, 78, 34, 24
STYLE = """
  text { font: 14px system-ui, sans-serif; text-anchor: middle; fill: #1d1d1f }
  .legend { font-size: 12px; text-anchor: start; fill: #6e6e73 }
  rect { fill: #e8e8ed; stroke: #86868b } rect.pure { fill: #d7ebff; stroke: #0066cc }
  path { fill: none; stroke: #86868b; stroke-width: 1.2 }
  @media (prefers-color-scheme: dark) {
    text { fill: #f5f5f7 } .legend { fill: #a1a1a6 }
    rect { fill: #3a3a3c; stroke: #8e8e93 } rect.pure { fill: #12304f; stroke: #4da3ff } path { stroke: #8e8e93 }
  }"""


def imports() -> dict[str, list[str]]:
    """Of each target of Sources, all that it depends on by name."""
    # In a folder of its own: a build of the checkout may be under way.
    with tempfile.TemporaryDirectory() as scratch:
        package = json.loads(subprocess.run(
            ["swift", "package", "--package-path", ROOT, "--scratch-path", scratch, "dump-package"],
            check=True, capture_output=True).stdout)
    found = {}
    for target in package["targets"]:
        if target["type"] not in ("regular", "executable") or (target.get("path") or "").startswith("Tests"):
            continue
        names = [next(iter(dependency.values()))[0] for dependency in target["dependencies"]]
        links = any(setting["kind"].get("linkedLibrary") for setting in target["settings"])
        found[target["name"]] = names + (["a C library"] if links else [])
    return found


def main():
    every = imports()
    swift = {name: [other for other in others if other in every] for name, others in every.items()
             if os.path.isdir(f"{ROOT}/Sources/{name}") and not os.path.isdir(f"{ROOT}/Sources/{name}/include")}
    graph = {name: [other for other in others if other in swift] for name, others in swift.items()}

    def reached(name: str) -> set[str]:
        return {name}.union(*(reached(other) for other in every.get(name, [])))

    def rank(name: str) -> int:
        return 1 + max((rank(other) for other in graph[name]), default=-1)

    def is_pure(name: str) -> bool:
        return reached(name) <= (graph.keys() - {"Threads"}) | COLLECTIONS

    edges = [(name, other) for name, others in graph.items() for other in others
             if not any(other in reached(between) for between in others if between != other)]
    rows: list[list[str]] = [[] for _ in range(1 + max(map(rank, graph)))]
    for name in graph:
        rows[rank(name)].append(name)
    # A target that few need stands right below the first that does.
    for name in graph:
        above = [rank(other) for other, below in edges if below == name]
        if above and min(above) - 1 > rank(name):
            rows[rank(name)].remove(name)
            rows[min(above) - 1].append(name)
    # In each row by the middle of what it is joined to, a few times up and down.
    place = {name: (at + 0.5) / len(row) for row in rows for at, name in enumerate(row)}
    for _ in range(8):
        for row in (*rows, *reversed(rows)):
            def middle(name: str) -> float:
                joined = [place[b if a == name else a] for a, b in edges if name in (a, b)]
                return sum(joined) / len(joined) if joined else place[name]
            row.sort(key=lambda name: (round(middle(name), 6), name))
            for at, name in enumerate(row):
                place[name] = (at + 0.5) / len(row)

    height = MARGIN * 2 + ROW * (len(rows) - 1) + BOX_HEIGHT + 28
    top = {name: MARGIN + ROW * (len(rows) - 1 - at) for at, row in enumerate(rows) for name in row}
    center = {name: MARGIN + place[name] * (WIDTH - 2 * MARGIN) for name in graph}
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" aria-label="Which target '
             f'imports which">', f"<style>{STYLE}\n</style>"]
    for above, below in edges:
        x1, y1, x2, y2 = center[above], top[above] + BOX_HEIGHT, center[below], top[below]
        bend = min(ROW, y2 - y1) * 0.6
        lines.append(f'<path d="M{x1:.0f} {y1} C{x1:.0f} {y1 + bend:.0f} {x2:.0f} {y2 - bend:.0f} {x2:.0f} {y2}"/>')
    for name in graph:
        width = 9 * len(name) + 24
        kind = ' class="pure"' if is_pure(name) else ""
        lines.append(f'<rect{kind} x="{center[name] - width / 2:.0f}" y="{top[name]}" width="{width}" height="{BOX_HEIGHT}" rx="7"/>')
        lines.append(f'<text x="{center[name]:.0f}" y="{top[name] + 22}">{name}</text>')
    foot = height - MARGIN
    lines += [f'<rect class="pure" x="{MARGIN}" y="{foot - 11}" width="22" height="14" rx="3"/>',
              f'<text class="legend" x="{MARGIN + 30}" y="{foot}">pure: values in, values out</text>',
              f'<rect x="{MARGIN + 230}" y="{foot - 11}" width="22" height="14" rx="3"/>',
              f'<text class="legend" x="{MARGIN + 260}" y="{foot}">threads, files, sockets or a C library</text>', "</svg>"]
    print("\n".join(lines))


main()
