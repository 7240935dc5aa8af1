#!/usr/bin/env bash
# Serves camera files that others have collected, asks for the facts of each, and compares them with exiftool's, fact by fact. Ends
# with status 1 where less than 98 % of a kind of fact agree. Takes about five minutes, most of them downloads (100 MB).
#
#   Tests/exiftool.sh [FOLDER]     FOLDER: files to compare instead, such as one's own photographs
#
# The files are the samples of Debian's source packages of exiftool, exiv2, libexif, libheif and Pillow, of pillow-heif from PyPI, and
# those that samples.py writes.
# Needs a release build (or LOOKAHEAD_BINARY to name another), python3 with pip, and root to install exiftool where it is missing.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'kill "${server:-}" 2>/dev/null || true; rm -rf "$work"' EXIT

if ! command -v exiftool >/dev/null; then
  apt-get update -qq
  apt-get install -y -qq --no-install-recommends libimage-exiftool-perl >/dev/null
fi

folder=${1:-}
if [ -z "$folder" ]; then
  folder=$work/samples
  mkdir -p "$work/archives" "$work/lists/partial" "$folder"
  # The same archive of Debian's that packages come from, with its sources.
  apt-get indextargets --format 'deb-src $(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' |
    grep -v -e '-security ' | sort -u >"$work/sources.list" # fixes come and go there; the samples are the same
  apt=(apt-get -qq -o "Dir::Etc::SourceList=$work/sources.list" -o Dir::Etc::SourceParts=/dev/null
    -o "Dir::State::Lists=$work/lists" -o APT::Sandbox::User=root)
  # Other people's archives may have no sources, or another key: what is missing then, the next step says.
  "${apt[@]}" update || true
  (cd "$work/archives" && "${apt[@]}" source --download-only libimage-exiftool-perl exiv2 libexif libheif pillow)
  echo 'pillow-heif==1.8.1 --hash=sha256:521ebffb8a181d56c3904e5a61f20903edee0d9d3275967b8fb345f866215c06' >"$work/wanted"
  python3 -m pip download -q --disable-pip-version-check --no-deps --no-binary :all: --require-hashes \
    --dest "$work/archives" -r "$work/wanted" || echo 'exiftool: pillow-heif could not be had; its samples are left out' >&2
  for archive in "$work"/archives/*.orig.tar.* "$work"/archives/pillow*heif*.tar.gz; do
    if [ -f "$archive" ]; then tar -xf "$archive" -C "$folder"; fi
  done
  PYTHONDONTWRITEBYTECODE=1 python3 Tests/Exiftool/samples.py "$folder/own"
fi

# exiftool shows the times of films in UTC.
TZ=UTC "${LOOKAHEAD_BINARY:-.build/release/lookahead}" serve "$folder" --port 0 >"$work/server.txt" &
server=$!
for _ in $(seq 600); do address=$(grep -o -m 1 'http://[^ ]*' "$work/server.txt") && break; sleep 0.1; done
PYTHONDONTWRITEBYTECODE=1 python3 Tests/Exiftool/compare.py "$folder" "$address"
