#!/bin/sh
# Measures when the first screen of the demo is there, with the browser 0, 40 and 100 ms away over 20 Mbit/s. Needs chromium
# and chromedriver (.ci/install --tests).
#
#   Tests/Benchmarks/first-screen.sh [ROUNDS]
#
# LOOKAHEAD_BINARY names the executable (default: it is built).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
lookahead=${LOOKAHEAD_BINARY:-$root/.build/release/lookahead}
[ -n "${LOOKAHEAD_BINARY:-}" ] || swift build --package-path "$root" -c release --product lookahead >&2
python3 "$here/Python/first_screen.py" "$lookahead" --rounds "${1:-3}"
