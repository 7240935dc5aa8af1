#!/bin/sh
# Measures what hints save: the time from a press on a label of the scrubber to a full screen, with and without them, and
# the bytes they cost. Needs chromium and chromedriver (.ci/install --tests).
#
#   Tests/Benchmarks/hints.sh [PRESSES]
#
# LOOKAHEAD_BINARY names the executable (default: it is built).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
lookahead=${LOOKAHEAD_BINARY:-$root/.build/release/lookahead}
[ -n "${LOOKAHEAD_BINARY:-}" ] || swift build --package-path "$root" -c release --product lookahead >&2
work=$(mktemp -d)
servers=
trap 'kill $servers 2>/dev/null; rm -rf "$work"' EXIT
for demo in 1 2; do
    "$lookahead" demo --port 0 --items 100000 --cache-directory none >"$work/$demo" 2>/dev/null &
    servers="$servers $!"
    for _ in $(seq 600); do grep -qs Listening "$work/$demo" && break; kill -0 $!; sleep 0.1; done
done
python3 "$here/Python/hints.py" $(sed 's/.*http/http/' "$work/1" "$work/2") --presses "${1:-10}"
