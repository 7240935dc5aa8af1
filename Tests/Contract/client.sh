#!/usr/bin/env bash
# Makes a client from the API's description and drives a session of a demo with it. Fails where the description is not sound, or
# the generator warns of anything in it.
# Needs a release build (or LOOKAHEAD_BINARY to name another), and what Tests/Contract/install brings (CONTRACT_TOOLS: its folder).
set -euo pipefail
cd "$(dirname "$0")/../.."
here=$PWD/Tests/Contract
tools=${CONTRACT_TOOLS:-$(dirname "$("$here/install")")}

work=$(mktemp -d)
trap 'kill %1 2>/dev/null || true; wait; rm -rf "$work"' EXIT

"${LOOKAHEAD_BINARY:-.build/release/lookahead}" demo --port 0 --items 1000 --latency 0 > "$work/demo" 2> "$work/log" &
"$tools/openapi-spec-validator" Public/openapi.json
(cd "$work" && "$tools/openapi-python-client" generate --path "$OLDPWD/Public/openapi.json" --output-path client \
  --meta none --config "$here/client.yaml" --fail-on-warning)
"$tools/python3" -m compileall -q "$work/client"
for _ in $(seq 600); do grep -q Listening "$work/demo" && break; kill -0 %1; sleep 0.1; done
cp "$here/drive.py" "$work"
"$tools/python3" "$work/drive.py" "$(sed 's/Listening on //' "$work/demo")" demo
