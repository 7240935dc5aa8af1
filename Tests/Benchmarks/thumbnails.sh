#!/bin/sh
# Measures Lookahead's thumbnails beside libvips, OpenCV, Pillow and Pillow-SIMD, on the same pictures in one run, and prints
# the ratios. Installs what it needs: libvips by apt (root or sudo), the others by pip into a folder of its own.
#
#   Tests/Benchmarks/thumbnails.sh [--brief] [ROUNDS]
#
# Engines take turns, ROUNDS times (default 3); the best of each counts, by CPU time, one thread each. --brief tries all of
# it in seconds rather than measure: one round of the small pictures; it installs and builds nothing, and leaves out the
# engines that are not there. WORK names a folder that keeps pictures, results and engines. LOOKAHEAD_BINARY names the
# executable of Lookahead, beside which lookahead-lab is (default: it is built).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
brief='' default=3
if [ "${1:-}" = --brief ]; then
    brief=yes default=1
    shift
fi
rounds=${1:-$default}
width=384
work=${WORK:-$(mktemp -d)}
trap '[ -n "${WORK:-}" ] || rm -rf "$work"' EXIT
mkdir -p "$work/corpus"
only=${brief:+--only 1200x800}

install_engines() {
    if ! pkg-config --exists vips || ! python3 -c "import ensurepip"; then
        as_root=$([ "$(id -u)" = 0 ] || echo sudo)
        $as_root apt-get update -qq >&2
        $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
            pkg-config libvips-dev python3-venv python3-dev libjpeg-dev zlib1g-dev >&2
    fi
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
    [ -n "${LOOKAHEAD_BINARY:-}" ] || swift build --package-path "$root" -c release --product lookahead-lab >&2
    swift build --package-path "$here" -c release --product vips-thumbnails >&2
}
[ -n "$brief" ] || install_engines
lab=$(dirname "${LOOKAHEAD_BINARY:-$root/.build/release/lookahead}")/lookahead-lab
vips=$here/.build/release/vips-thumbnails
[ -x "$vips" ] || echo "vips-thumbnails is not built; it is left out" >&2
engines=
for engine in opencv pillow pillow-simd; do
    if [ -d "$work/env-$engine" ]; then engines="$engines $engine"; else echo "$engine is not there; it is left out" >&2; fi
done

rm -f "$work"/*.jsonl "$work"/lookahead*.json
round=1
while [ "$round" -le "$rounds" ]; do
    "$lab" thumbnails --format json --quick --rounds 1 --width $width --corpus "$work/corpus" \
        --output "$work/lookahead" $only >"$work/lookahead$round.json"
    [ ! -x "$vips" ] || "$vips" "$work/corpus" $width 1 "$work/libvips" >>"$work/libvips.jsonl"
    for engine in $engines; do
        "$work/env-$engine/bin/python" "$here/Python/peers.py" "${engine%-simd}" "$work/corpus" $width 1 "$work/$engine" \
            >>"$work/$engine.jsonl"
    done
    round=$((round + 1))
done
"$lab" thumbnails --width $width --corpus "$work/corpus" --rounds "$rounds" $only ${brief:+--quick}
echo
# OpenCV's, which SSIM needs.
python=$work/env-opencv/bin/python
[ -x "$python" ] || python=python3
PYTHONDONTWRITEBYTECODE=1 "$python" "$here/Python/table.py" "$work"
