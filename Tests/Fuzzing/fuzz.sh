#!/bin/sh
# Builds the header readers and the renderer with AddressSanitizer, the C among it with UndefinedBehaviorSanitizer too, and feeds them mutated pictures:
#
#   Tests/Fuzzing/fuzz.sh [COUNT [SEED]]
#
# A minute or so for the default of 5,000 inputs; the same ones for the same seed (default 1).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
build=$root/.build/fuzz
codecs=$root/Sources/CImageCodecs
mkdir -p "$build/module"
cat >"$build/module/module.modulemap" <<MAP
module CImageCodecs {
    umbrella header "$codecs/include/CImageCodecs.h"
    export *
}
MAP
for file in "$codecs"/*.c; do
    clang -g -O1 -fsanitize=address,undefined -fsanitize-trap=undefined -I "$codecs/include" -c "$file" \
        -o "$build/$(basename "$file" .c).o"
done
# One module of what decoding needs: no package, no other dependency.
swiftc -g -O -wmo -swift-version 6 -enable-upcoming-feature ExistentialAny -package-name lookahead -module-name fuzz \
    -sanitize=address -use-ld=lld -I "$build/module" -I "$codecs/include" \
    "$root"/Sources/Pipeline/Thumbnail.swift "$root"/Sources/Pipeline/ProcessFigures.swift \
    "$root"/Sources/Pipeline/Placeholder/*.swift "$root"/Sources/Pipeline/Render/*.swift "$here/main.swift" "$build"/*.o \
    -lturbojpeg -ljpeg -lpng -lwebp -lwebpdemux -lgif -llcms2 -o "$build/fuzz"
# A picture that asks for much memory is refused, not a finding; what is kept to the end is no leak.
ASAN_OPTIONS=allocator_may_return_null=1:detect_leaks=0 "$build/fuzz" "${1:-5000}" "${2:-1}"
