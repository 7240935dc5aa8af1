#!/usr/bin/env bash
# Generates a client from the API's description and uses the client for a session of a demo. Fails if the description is invalid, or if
# the generator prints a warning.
# Needs a release build (or another binary in LOOKAHEAD_BINARY), and the tools of Tests/Contract/install (CONTRACT_TOOLS: their folder).
set -euo pipefail
cd "$(dirname "$0")/../.."
here=$PWD/Tests/Contract
tools=${CONTRACT_TOOLS:-$(dirname "$("$here/install")")}

work=$(mktemp -d)
trap 'kill %1 2>/dev/null || true; wait; rm -rf "$work"' EXIT

"${LOOKAHEAD_BINARY:-.build/release/lookahead}" demo --port 0 --items 1000 --latency 0 > "$work/demo" 2> "$work/log" &
for _ in $(seq 600); do grep -q Listening "$work/demo" && break; kill -0 %1; sleep 0.1; done
server=$(sed 's/Listening on //' "$work/demo")
curl -sS "$server/api/v1/openapi.json" -o "$work/openapi.json"
"$tools/openapi-spec-validator" "$work/openapi.json"
(cd "$work" && "$tools/openapi-python-client" generate --path openapi.json --output-path client \
  --meta none --config "$here/client.yaml" --fail-on-warning)
"$tools/python3" -m compileall -q "$work/client"
cp "$here/drive.py" "$work"
"$tools/python3" "$work/drive.py" "$server" demo
