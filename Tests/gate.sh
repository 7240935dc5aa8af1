#!/usr/bin/env bash
# Runs .ci/run N times, each in a fresh clone of the last commit, and prints a table of the runs.
#   Tests/gate.sh N [--beside-load]
# --beside-load: keeps each core busy with one other process, so that the tests get half of each core.
set -euo pipefail
cd "$(dirname "$0")/.."
runs=${1:?usage: Tests/gate.sh N [--beside-load]}
counters=()
trap 'kill "${counters[@]}" 2>/dev/null || true' EXIT
if [ "${2:-}" = --beside-load ]; then
  for ((core = 0; core < $(nproc); core++)); do
    while :; do :; done &
    counters+=($!)
  done
fi

checkout=$PWD
commit=$(git rev-parse --short HEAD)
logs=$(mktemp -d)
failures=0
printf '%-4s %-8s %-8s %-8s %s\n' run status seconds tests 'what failed'
for ((run = 1; run <= runs; run++)); do
  clone=$(mktemp -d)
  git clone -q "$checkout" "$clone"
  start=$SECONDS
  status=0
  "$clone/.ci/run" >"$logs/$run" 2>&1 </dev/null || status=$?
  took=$((SECONDS - start))
  tests=$(sed -n 's/^[0-9]* tests, [0-9]* failed, in \([0-9]*\) s$/\1/p' "$logs/$run" | tail -n 1)
  failed=$(grep -aE '^(FAILED|FLAKY|TIMED OUT|Failed with)' "$logs/$run" | tr '\n' ';' || true)
  [ "$status" -eq 0 ] || failures=$((failures + 1))
  printf '%-4s %-8s %-8s %-8s %s\n' "$run" "$status" "$took" "${tests:--}" "${failed:-nothing}"
  rm -rf "$clone"
done
echo "$failures of $runs runs of $commit failed; their output is in $logs"
exit $((failures > 0))
