#!/bin/sh
# Builds the header readers and the renderer with AddressSanitizer, the C among it with UndefinedBehaviorSanitizer too, and
# feeds them mutated pictures. Needs the Swift toolchain and the libraries that Lookahead itself is linked with.
#
#   Tests/Fuzzing/fuzz.sh [--runs COUNT] [--seed SEED] [--container NAME]
#
# By default 5,000 inputs of all containers in turn; of one alone where it is named: JPEG, TIFF, "ISO boxes", PNG, WebP, GIF, BMP
# or XMP. The same ones for the same seed (default 1). Ends with status 0 when none of them crashed, hung or
# leaked.
set -eu
runs=5000 seed=1 container=
while [ $# -gt 0 ]; do
    case $1 in
        --runs) runs=${2:?--runs needs a number} && shift 2 ;;
        --container) container=${2:?--container needs a name} && shift 2 ;;
        --seed) seed=${2:?--seed needs a number} && shift 2 ;;
        *) echo "fuzz.sh: there is no option $1" >&2 && exit 64 ;;
    esac
done
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
codecs=$root/Sources/CImageCodecs
linux=$root/Sources/CLinux
support=$root/Tests/MediaTests/Render/Support
build=$root/.build/fuzz
mkdir -p "$build/module"

# The toolchain's own clang, whose sanitizers fit those of its swiftc; another may stand before it on the PATH.
swiftc=$(command -v swiftc) || { echo "fuzz.sh: there is no swiftc on the PATH" >&2 && exit 69; }
clang=$(dirname "$(readlink -f "$swiftc")")/clang
[ -x "$clang" ] || clang=clang

cat >"$build/module/module.modulemap" <<MAP
module CImageCodecs {
    umbrella header "$codecs/include/CImageCodecs.h"
    export *
}
module CLinux {
    umbrella header "$linux/include/CLinux.h"
    export *
}
MAP
for file in "$codecs"/*.c "$linux"/*.c; do
    "$clang" -g -O1 -DLOOKAHEAD_HEIF -DLOOKAHEAD_AVIF -DLOOKAHEAD_JXL -DLOOKAHEAD_TIFF -fsanitize=address,undefined -fsanitize-trap=undefined -I "$codecs/include" -I "$linux/include" -c "$file" \
        -o "$build/$(basename "$file" .c).o"
done
# One module of what decoding needs: no package, no other dependency.
rm -rf "$build/sources" && mkdir "$build/sources"
for file in "$root"/Sources/PhotoFacts/*.swift "$root"/Sources/PhotoFacts/*/*.swift "$root"/Sources/PhotoFacts/*/*/*.swift \
    "$root"/Sources/Pictures/Thumbnail.swift "$root"/Sources/Pictures/SourceVersion.swift "$root"/Sources/Pictures/ProcessFigures.swift \
    "$root"/Sources/Pictures/Placeholder/*.swift "$root"/Sources/Pictures/Render/*.swift "$root"/Sources/Pictures/Render/*/*.swift \
    "$root"/Sources/Pictures/Render/*/*/*.swift "$root"/Sources/Numbers/*.swift "$root"/Sources/Threads/SystemThread.swift "$support"/CodedPicture.swift \
    "$support"/HEIFFile.swift "$support"/RealTIFFs.swift "$root"/Tests/Support/TestPicture.swift "$support"/TIFFFile.swift; do
    sed -E '/^((public|package) )?import (Numbers|PhotoFacts|Pictures|Threads|TestSupport)$/d' "$file" >"$build/sources/$(basename "$file")"
done
cd "$build" # the compiler leaves a module of the debugger's where it runs
swiftc -g -O -wmo -swift-version 6 -enable-upcoming-feature ExistentialAny -package-name lookahead -module-name fuzz \
    -D Formats \
    -sanitize=address -use-ld=lld -I "$build/module" -I "$codecs/include" -I "$linux/include" \
    "$build"/sources/*.swift "$here/main.swift" "$build"/*.o \
    -lturbojpeg -ljpeg -lpng -lwebp -lwebpdemux -lgif -llcms2 -lheif -lde265 -lavif -ljxl -ltiff -lseccomp -o "$build/fuzz"
# A picture that asks for much memory is refused, not a finding. Leaks are told by what the heap holds: the sanitizer's own
# search for them needs rights that a container lacks.
ASAN_OPTIONS=allocator_may_return_null=1:detect_leaks=0:handle_sigill=1:handle_abort=1 "$build/fuzz" "$runs" "$seed" \
    ${container:+"$container"}
