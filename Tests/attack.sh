#!/usr/bin/env bash
# Attacks a server as a stranger would, kind by kind, each against a server of its own, and prints a line of each. Ends with
# status 1 where one got anything, or took the server down. Takes about two minutes.
#
#   Tests/attack.sh [--brief] [KIND…]     --brief: a few seconds of those kinds that every commit is tried with
#
# Needs a release build (or LOOKAHEAD_BINARY to name another), python3, and nothing else.
set -euo pipefail
cd "$(dirname "$0")/.."
PYTHONDONTWRITEBYTECODE=1 exec python3 Tests/Attack/attack.py "$@"
