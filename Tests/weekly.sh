#!/usr/bin/env bash
# All that is too long for every commit but needs nobody to read figures: every test, the weekly ones and both browsers
# included; then the sanitizers, the API against its document with many calls, and every attack. Takes about an hour on 2 cores.
#
#   Tests/weekly.sh
#
# Measurements (live.sh, server.sh, nodes.sh, thumbnails.sh, page.py, baseline.py) have their own rows in the weekly workflow.
set -uo pipefail
cd "$(dirname "$0")/.."
.ci/install --tests || exit 1
failed=()
part() { # NAME COMMAND…: its end tells how it went
  local name=$1 start=$SECONDS
  shift
  printf '\n== %s\n' "$name"
  "$@" || failed+=("$name")
  printf '== %s took %d s\n' "$name" "$((SECONDS - start))"
}
part 'all tests' env LOOKAHEAD_WEEKLY=1 .ci/test --limit 120
part 'sanitizers' Tests/sanitize.sh
part 'Schemathesis' Tests/Contract/schemathesis.sh
part 'attacks' Tests/attack.sh
part 'Hummingbird peer' swift build --package-path Tests/Benchmarks --scratch-path .build/peers --product hummingbird-peer
if [ ${#failed[@]} -gt 0 ]; then
  printf '\nFailed: %s\n' "${failed[*]}"
  exit 1
fi
printf '\nAll passed.\n'
