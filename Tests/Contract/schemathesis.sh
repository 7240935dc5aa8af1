#!/usr/bin/env bash
# Lets Schemathesis loose on a demo: calls made from the API's own description, sound and unsound, each answer held against it.
#   Tests/Contract/schemathesis.sh [EXAMPLES [SEED]]     … of each call, by default 100; other ones each time without a seed
# Needs a release build (or LOOKAHEAD_BINARY to name another), python3 with venv, and PyPI (or SCHEMATHESIS to name one).
set -euo pipefail
cd "$(dirname "$0")/../.."
examples=${1:-100}
seed=${2:+--seed $2}

work=$(mktemp -d)
schemathesis=${SCHEMATHESIS:-$(Tests/Contract/install)}
trap 'kill %1 2>/dev/null || true; wait; rm -rf "$work"' EXIT

# Generous, so that answers come from the call and not from a limit.
"${LOOKAHEAD_BINARY:-.build/release/lookahead}" demo --port 0 --items 1000 --latency 0 --jitter 0 --bandwidth 1000 \
  --max-galleries 10000 --max-sessions 100000 --max-updates 100000 > "$work/demo" 2> "$work/log" &
for _ in $(seq 600); do grep -q Listening "$work/demo" && break; kill -0 %1; sleep 0.1; done
server=$(sed 's/Listening on //' "$work/demo")
session=$(curl -sS "$server/api/v1/sessions" -H 'Content-Type: application/json' \
  -d '{"gallery":"demo","viewport":{"width":1200,"height":900}}' | sed 's/.*"id":"\([^"]*\)".*/\1/')

# It reports an answer with a status or body that is not documented, a crash, any 5xx but 501 (a method that HTTP does not
# know) and those that are documented. Not: that more is taken than the schemas say (null stands for a field that is missing), and
# that names which lead nowhere are refused. Event streams do not end: the tests of the description read them.
config() {
  cat <<CONFIG
[checks.not_a_server_error]
expected-statuses = ["2xx", "3xx", "4xx", "501", "502", "503"]
CONFIG
}
hooks=$PWD/Tests/Contract
run() {
  # Where it runs it leaves things behind.
  (cd "$work" && PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$hooks SCHEMATHESIS_HOOKS=hooks "$schemathesis" \
    --config-file "$work/config.toml" run "$server/api/v1/openapi.json" --url "$server" --max-examples "$examples" \
    $seed --request-timeout 30 --suppress-health-check all --generation-database none --no-color \
    --exclude-checks negative_data_rejection,positive_data_acceptance,unsupported_method "$@")
}

# First with names that mostly lead nowhere, and those that the answers before tell.
config > "$work/config.toml"
run --exclude-path-regex '/events$'

# Then on a gallery and a session that are there; what would end them, or make the origin slow, is left out.
curl -sS "$server/api/v1/demo/origin" -X PATCH -H 'Content-Type: application/json' \
  -d '{"latency":0,"jitter":0,"bandwidth":1000,"failureRate":0}' > "$work/origin"
{
  printf '[parameters]\n"path.g" = "demo"\n"path.s" = "%s"\n' "$session"
  config
} > "$work/config.toml"
run --exclude-path-regex '/events$|/close$|/origin$' --exclude-method DELETE

kill -TERM %1
wait %1
if grep -qi 'crash\|fatal' "$work/log"; then cat "$work/log"; exit 1; fi
