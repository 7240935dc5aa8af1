#!/usr/bin/env bash
# Makes the documentation of the libraries from the modules of a build, and fails at the first warning.
#   Tests/ProjectTests/docc.sh [FOLDER [BUILD]]
# FOLDER gets Viewport.doccarchive and the others (to be served by any web server, or `docc preview`); by default it is
# .build/documentation. BUILD is where the modules are, by default .build/release.
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=${1:-.build/documentation}
build=${2:-.build/release}

symbols=$(mktemp -d)
trap 'rm -rf "$symbols"' EXIT
mkdir -p "$folder"
# docc copies the owner of its page's folders, too, and gives up where that is another than who runs it: so a copy of one's own.
cp -r "$(dirname "$(readlink -f "$(command -v docc)")")/../share/docc/render" "$symbols/render"
export DOCC_HTML_DIR="$symbols/render"
for module in Viewport TaskPool MicroHTTP; do
  mkdir "$symbols/$module"
  swift symbolgraph-extract -module-name "$module" -output-dir "$symbols/$module" -minimum-access-level public \
    -target "$(swiftc -print-target-info | sed -n 's/^ *"triple": "\(.*\)",/\1/p')" \
    -I "$build/Modules" -I Sources/CMicroHTTPD/include -Xcc -fmodule-map-file="$build/CMicroHTTPD.build/module.modulemap" \
    -I Sources/CEpoll/include -Xcc -fmodule-map-file="$build/CEpoll.build/module.modulemap"
  docc convert "Sources/$module/$module.docc" --additional-symbol-graph-dir "$symbols/$module" --warnings-as-errors \
    --fallback-display-name "$module" --fallback-bundle-identifier "lookahead.$module" \
    --output-path "$folder/$module.doccarchive"
done
# Articles alone: for those who run the server, and how it works.
docc convert Sources/lookahead/lookahead.docc --warnings-as-errors --fallback-display-name lookahead \
  --fallback-bundle-identifier lookahead.lookahead --output-path "$folder/lookahead.doccarchive"
