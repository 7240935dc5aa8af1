#!/bin/sh
# Measures Lookahead's thumbnails beside libvips, OpenCV, Pillow and Pillow-SIMD, on the same pictures in one run, and prints
# the ratios. Installs what it needs: libvips by apt (root or sudo), the others by pip into a folder of its own.
#
#   Tests/Benchmarks/thumbnails.sh [ROUNDS]
#
# Engines take turns, ROUNDS times (default 3); the best of each counts, by CPU time, one thread each. WORK keeps pictures
# and results (default: a temporary folder), LOOKAHEAD names the executable (default: it is built).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
rounds=${1:-3}
width=384
work=${WORK:-$(mktemp -d)}
mkdir -p "$work/corpus"

if ! pkg-config --exists vips || ! python3 -c "import ensurepip"; then
    as_root=$([ "$(id -u)" = 0 ] || echo sudo)
    $as_root apt-get update -qq >&2
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
        pkg-config libvips-dev python3-venv python3-dev libjpeg-dev zlib1g-dev >&2
fi
python() { "$work/$1/bin/python" "$here/Python/$2" "$3" "$work/corpus" $width 1 "$work/$4"; }
for engine in opencv pillow pillow-simd; do
    [ -x "$work/env-$engine/bin/python" ] && continue
    python3 -m venv "$work/env-$engine" >&2
    case $engine in
        opencv) packages="opencv-python-headless numpy" ;;
        pillow) packages="pillow" ;;
        # Built here, for this machine's vectors, where its libraries' headers are at hand.
        pillow-simd) packages="pillow-simd" ;;
    esac
    CC="cc -mavx2" "$work/env-$engine/bin/pip" install --quiet $packages >&2 || {
        echo "$engine cannot be installed here; it is left out" >&2
        rm -rf "$work/env-$engine"
    }
done

[ -n "${LOOKAHEAD:-}" ] || swift build --package-path "$root" -c release --product lookahead >&2
swift build --package-path "$here" -c release --product vips-thumbnails >&2
lookahead=${LOOKAHEAD:-$root/.build/release/lookahead}
vips=$here/.build/release/vips-thumbnails

rm -f "$work"/*.jsonl "$work"/lookahead*.json
round=1
while [ "$round" -le "$rounds" ]; do
    "$lookahead" bench thumbnails --format json --quick --rounds 1 --width $width --corpus "$work/corpus" \
        --output "$work/lookahead" >"$work/lookahead$round.json"
    "$vips" "$work/corpus" $width 1 "$work/libvips" >>"$work/libvips.jsonl"
    for engine in opencv pillow pillow-simd; do
        [ -d "$work/env-$engine" ] || continue
        python "env-$engine" peers.py "${engine%-simd}" "$engine" >>"$work/$engine.jsonl"
    done
    round=$((round + 1))
done
"$lookahead" bench thumbnails --width $width --corpus "$work/corpus" --rounds "$rounds"
[ -d "$work/env-opencv" ] || { echo "the comparison needs OpenCV, for SSIM too: is PyPI within reach?" >&2 && exit 1; }
echo
"$work/env-opencv/bin/python" "$here/Python/table.py" "$work"
