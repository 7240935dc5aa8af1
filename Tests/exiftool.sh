#!/usr/bin/env bash
# Compares the server's facts about camera files with those of exiftool, fact by fact. Exits with status 1 if less than 98 % of any kind
# of fact agree. Takes about five minutes, mostly for downloads (100 MB).
#
#   Tests/exiftool.sh [FOLDER]     FOLDER: files to compare instead, such as your own photographs
#
# The files are the samples in Debian's source packages of exiftool, exiv2, libexif, libheif and Pillow, the samples of pillow-heif from
# PyPI, and the files of samples.py.
# Needs a release build (or another binary in LOOKAHEAD_BINARY), python3 with pip, and root if exiftool must be installed.
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
  # Uses the Debian archive that this machine installs packages from, with its sources.
  apt-get indextargets --format 'deb-src $(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' |
    grep -v -e '-security ' | sort -u >"$work/sources.list" # The security archive changes often and has the same samples.
  apt=(apt-get -qq -o "Dir::Etc::SourceList=$work/sources.list" -o Dir::Etc::SourceParts=/dev/null
    -o "Dir::State::Lists=$work/lists" -o APT::Sandbox::User=root)
  # Third-party archives may have no sources, or another key. The next step reports missing packages.
  "${apt[@]}" update || true
  (cd "$work/archives" && "${apt[@]}" source --download-only libimage-exiftool-perl exiv2 libexif libheif pillow)
  echo 'pillow-heif==1.8.1 --hash=sha256:521ebffb8a181d56c3904e5a61f20903edee0d9d3275967b8fb345f866215c06' >"$work/wanted"
  python3 -m pip download -q --disable-pip-version-check --no-deps --no-binary :all: --require-hashes \
    --dest "$work/archives" -r "$work/wanted" || echo 'exiftool: cannot download pillow-heif, its samples are skipped' >&2
  for archive in "$work"/archives/*.orig.tar.* "$work"/archives/pillow*heif*.tar.gz; do
    if [ -f "$archive" ]; then tar -xf "$archive" -C "$folder"; fi
  done
  PYTHONDONTWRITEBYTECODE=1 python3 Tests/Exiftool/samples.py "$folder/own"
fi

# exiftool shows times of videos in UTC.
TZ=UTC "${LOOKAHEAD_BINARY:-.build/release/lookahead}" serve "$folder" --port 0 >"$work/server.txt" &
server=$!
for _ in $(seq 600); do address=$(grep -o -m 1 'http://[^ ]*' "$work/server.txt") && break; sleep 0.1; done
PYTHONDONTWRITEBYTECODE=1 python3 Tests/Exiftool/compare.py "$folder" "$address"
