#!/bin/sh
# Fuzzes the readers of untrusted bytes with libFuzzer: those of each container, the renderer behind them, and the server's side of the
# workers' protocol. Everything is built with AddressSanitizer, the C also with UndefinedBehaviorSanitizer.
#
#   Tests/Fuzzing/fuzz.sh [--seconds N] [NAME]…
#
# Without names, all folders of Corpus take turns, each for N seconds (default 20). New inputs that reach new code are saved below
# .build/fuzz/corpus. An input that crashes, hangs or uses too much memory is saved as .build/fuzz/NAME-crash-…, and the exit status is 1.
# Run that input again with: .build/fuzz/fuzz FILE
set -eu
here=$(cd "$(dirname "$0")" && pwd)
seconds=20 names=
while [ $# -gt 0 ]; do
    case $1 in
        --seconds) seconds=${2:?--seconds needs a number} && shift 2 ;;
        -*) echo "fuzz.sh: there is no option $1" >&2 && exit 64 ;;
        *) [ -d "$here/Corpus/$1" ] || { echo "fuzz.sh: there is no corpus $1" >&2 && exit 64; }
           names="$names $1" && shift ;;
    esac
done
[ -n "$names" ] || names=$(ls "$here/Corpus")
root=$(cd "$here/../.." && pwd)
codecs=$root/Sources/CImageCodecs
linux=$root/Sources/CLinux
build=$root/.build/fuzz
mkdir -p "$build/module"

# The toolchain's own clang: another clang's sanitizers may not fit those of its swiftc.
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
module CZlib {
    umbrella header "$root/Sources/CZlib/include/CZlib.h"
    export *
}
MAP
for file in "$codecs"/*.c "$linux"/*.c "$root"/Sources/CZlib/*.c; do
    "$clang" -g -O1 -DLOOKAHEAD_HEIF -DLOOKAHEAD_AVIF -DLOOKAHEAD_JXL -DLOOKAHEAD_TIFF \
        -fsanitize=fuzzer-no-link,address,undefined -fsanitize-trap=undefined -I "$codecs/include" -I "$linux/include" \
        -I "$root/Sources/CZlib/include" -c "$file" -o "$build/$(basename "$file" .c).o"
done
# One module of the readers and the renderer, without the package.
rm -rf "$build/sources" && mkdir "$build/sources"
find "$root/Sources/Media" "$root/Sources/Numbers" "$root/Sources/Threads/BlockingThreads.swift" \
    "$root/Sources/Threads/Promise.swift" "$root/Sources/Threads/SystemThread.swift" "$root/Sources/Threads/Duration+Units.swift" \
    "$root/Sources/Catalog/Index/FactCoding.swift" "$here" -name '*.swift' | while read -r file; do
    sed -E '/^((public|package) )?import (Numbers|Media|Threads)$/d' "$file" >"$build/sources/$(basename "$file")"
done
cd "$build" # the compiler leaves a module of the debugger's where it runs
swiftc -g -O -wmo -parse-as-library -swift-version 6 -enable-upcoming-feature ExistentialAny -package-name lookahead \
    -module-name fuzz -D Formats -D LOOKAHEAD_JXL -sanitize=fuzzer,address -use-ld=lld \
    -I "$build/module" -I "$codecs/include" -I "$linux/include" "$build"/sources/*.swift "$build"/*.o \
    -lturbojpeg -ljpeg -lpng -lwebp -lwebpdemux -lgif -llcms2 -lheif -lde265 -lavif -ljxl -ltiff -lseccomp -lz -o "$build/fuzz"
failed=
for name in $names; do
    echo "== $name"
    mkdir -p "$build/corpus/$name"
    target=file
    [ "$name" != replies ] || target=replies
    # A picture that needs much memory is refused, which is not a finding. A leak makes the process exceed its memory.
    FUZZ_TARGET=$target ASAN_OPTIONS=allocator_may_return_null=1:detect_leaks=0:handle_sigill=1:handle_abort=1 \
        "$build/fuzz" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=1500 -max_len=65536 -detect_leaks=0 \
        -verbosity=0 -artifact_prefix="$build/$name-" "$build/corpus/$name" "$here/Corpus/$name" || failed="$failed $name"
done
[ -z "$failed" ] || { echo "fuzz.sh: found in$failed" >&2 && exit 1; }
