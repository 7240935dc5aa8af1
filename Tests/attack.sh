#!/usr/bin/env bash
# Attacks a server as a stranger could. Runs several kinds of attack, each against its own server, and prints one line for each.
# Exits with status 1 if an attack reached a secret or stopped the server. Takes about two minutes.
#
#   Tests/attack.sh [--brief] [KIND…]     --brief: each kind for a short time, a minute in all
#
# Needs only a release build (or another binary in LOOKAHEAD_BINARY) and python3.
set -euo pipefail
cd "$(dirname "$0")/.."
PYTHONDONTWRITEBYTECODE=1 exec python3 Tests/Attack/attack.py "$@"
