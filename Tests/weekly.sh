#!/usr/bin/env bash
# Runs the checks that take too long for every commit: all tests (with weekly tests and both browsers), the sanitizers, ten minutes of
# fuzzing for each reader of untrusted bytes, many API calls checked against the API's description, all attacks, and a build of the
# Hummingbird peer. The results are passed or failed, without figures to read. Takes about three hours on 2 cores.
#
#   Tests/weekly.sh
#
# The weekly workflow runs the measurements (live.sh, server.sh, nodes.sh, thumbnails.sh, page.py, baseline.py) in separate jobs.
set -uo pipefail
cd "$(dirname "$0")/.."
.ci/install --tests || exit 1
failed=()
part() { # NAME COMMAND…: runs the command and records a failure
  local name=$1 start=$SECONDS
  shift
  printf '\n== %s\n' "$name"
  "$@" || failed+=("$name")
  printf '== %s took %d s\n' "$name" "$((SECONDS - start))"
}
part 'all tests' env LOOKAHEAD_WEEKLY=1 .ci/test --limit 120
part 'sanitizers' Tests/sanitize.sh
part 'fuzzing' Tests/Fuzzing/fuzz.sh --seconds 600
part 'Schemathesis' Tests/Contract/schemathesis.sh
part 'attacks' Tests/attack.sh
part 'Hummingbird peer' swift build --package-path Tests/Benchmarks --scratch-path .build/peers --product hummingbird-peer
if [ ${#failed[@]} -gt 0 ]; then
  printf '\nFailed: %s\n' "${failed[*]}"
  exit 1
fi
printf '\nAll passed.\n'
