#!/usr/bin/env python3
"""Writes the lines of each target of Sources into the table of Architecture.md, rounded to hundreds.

  Tests/ProjectTests/rooms.py            writes them
  Tests/ProjectTests/rooms.py --check    ends with status 1 if a figure is more than a tenth and 100 lines off, and says which"""
import os, re, sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
ARTICLE = os.path.join(ROOT, "Sources/lookahead/lookahead.docc/Architecture.md")
ROW = re.compile(r"^\| (`\w+`(?:, `\w+`)*) \| ([\d,]+) \| (.*)$", re.MULTILINE)


def lines(target: str) -> int:
    """Lines of Swift and C."""
    count = 0
    for folder, _, files in os.walk(f"{ROOT}/Sources/{target}"):
        for name in files:
            if name.endswith((".swift", ".c", ".h")):
                with open(f"{folder}/{name}", encoding="utf-8") as file:
                    count += sum(1 for _ in file)
    return count


def main() -> int:
    with open(ARTICLE, encoding="utf-8") as file:
        article = file.read()
    stale = []

    def row(match: re.Match) -> str:
        count = sum(lines(target) for target in re.findall(r"\w+", match[1]))
        told = int(match[2].replace(",", ""))
        if abs(told - count) > 100 + count / 10:
            stale.append(f"{match[1]}: {count} lines, not {told}")
        return f"| {match[1]} | {round(count, -2) or count:,} | {match[3]}"

    written = ROW.sub(row, article)
    if "--check" in sys.argv[1:]:
        print("\n".join(stale + ["run Tests/ProjectTests/rooms.py"]) if stale else "", end="")
        return len(stale) > 0
    with open(ARTICLE, "w", encoding="utf-8") as file:
        file.write(written)
    return 0


if __name__ == "__main__":
    sys.exit(main())
