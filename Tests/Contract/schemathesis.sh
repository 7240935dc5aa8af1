#!/usr/bin/env bash
# Lets Schemathesis loose on a demo: calls made from the API's own description, sound and unsound, each answer held against it.
#   Tests/Contract/schemathesis.sh [EXAMPLES]     … of each call, by default 100
# Needs a release build, python3 with venv, and PyPI.
set -euo pipefail
cd "$(dirname "$0")/../.."
examples=${1:-100}

work=$(mktemp -d)
trap 'kill %1 2>/dev/null || true; wait; rm -rf "$work"' EXIT
if [ -z "${SCHEMATHESIS:-}" ]; then
  python3 -m venv "$work/venv"
  "$work/venv/bin/pip" install --quiet --disable-pip-version-check 'schemathesis==4.32.5'
  SCHEMATHESIS=$work/venv/bin/schemathesis
fi

# Generous, so that answers come from the call and not from a limit.
.build/release/lookahead demo --port 0 --items 1000 --latency 0 --jitter 0 --bandwidth 1000 \
  --max-galleries 10000 --max-sessions 100000 --max-updates 100000 > "$work/demo" 2> "$work/log" &
until grep -q Listening "$work/demo"; do kill -0 %1; sleep 0.1; done
server=$(sed 's/Listening on //' "$work/demo")
session=$(curl -sS "$server/api/v1/sessions" -H 'Content-Type: application/json' \
  -d '{"gallery":"demo","viewport":{"width":1200,"height":900}}' | sed 's/.*"id":"\([^"]*\)".*/\1/')

# Event streams do not end: the tests of the description read them.
run() {
  "$SCHEMATHESIS" --config-file "$work/config.toml" run "$server/api/v1/openapi.json" --url "$server" \
    --max-examples "$examples" --exclude-path-regex '/events$' --request-timeout 30 --suppress-health-check all \
    --generation-database none --no-color "$@"
}

# First with names that mostly lead nowhere, and those that the answers before tell.
: > "$work/config.toml"
run

# Then on a gallery and a session that are there; what would end them is left out.
cat > "$work/config.toml" <<CONFIG
[parameters]
"path.g" = "demo"
"path.s" = "$session"
CONFIG
run --exclude-method DELETE --exclude-path-regex '/events$|/close$'

kill -TERM %1
wait %1
if grep -qi 'crash\|fatal' "$work/log"; then cat "$work/log"; exit 1; fi
