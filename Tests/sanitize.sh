#!/bin/sh
# Runs tests under ThreadSanitizer, then under AddressSanitizer, and fails on any report.
#
#   Tests/sanitize.sh [--all] [thread|address]...
#
# Runs the tests of the HTTP server and of the task pool. --all adds the tests of the whole server, including child processes. WORK is
# the folder for the builds (default: .build/sanitize).
#
# ThreadSanitizer reports the critical sections of the standard library's Mutex as races, so its tests run on a copy of the tree with
# Tests/Sanitizers/Mutex.swift instead. They run without optimisation: optimised, ThreadSanitizer sees reads of an array that was copied
# under a lock, but not the reference counts of the runtime that order the reads.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
work=${WORK:-$root/.build/sanitize}
package=$root/Tests/Sanitizers/Package.swift
rooms='MicroHTTPTests|TaskPoolTests'
if [ "${1:-}" = --all ]; then
    shift
    package=$root/Package.swift
    rooms="$rooms|ThreadsTests|ThumbnailsTests|GalleryTests|WebTests"
fi

for kind in ${*:-thread address}; do
    configuration=release
    [ "$kind" = address ] || configuration=debug
    tree=$work/$kind/tree reports=$work/$kind/reports
    mkdir -p "$tree" "$reports"
    rm -rf "$tree/Sources" "$tree/Tests" "$tree/Public" "$reports"/*
    cp -Rp "$package" "$root/Sources" "$root/Tests" "$root/Public" "$root/README.md" "$tree"
    rm -rf "$tree/Tests/Sanitizers" "$tree/Tests/Fuzzing"
    find "$tree/Tests/Benchmarks" -mindepth 1 -maxdepth 1 ! -name Lab ! -name Scoring -exec rm -rf {} +
    if [ "$kind" = thread ]; then
        # A target is a folder of Sources or Tests. Exceptions are the laboratory, and the servers in Tests/Support/Server.
        (cd "$tree" && grep -lrE --include='*.swift' 'Mutex[<(]' Sources Tests |
            sed -E 's,^(Tests/Benchmarks/[^/]+|Tests/Support/Server|[^/]+/[^/]+)/.*,\1,' | sort -u) |
            while read -r target; do cp -p "$root/Tests/Sanitizers/Mutex.swift" "$tree/$target/"; done
    fi
    echo "== $kind"
    # Child processes would look for the page next to their binary, so LOOKAHEAD_PUBLIC_DIRECTORY names its folder. AddressSanitizer
    # holds back 32 MB of freed memory instead of 256 MB, because tests limit the memory of a server.
    LOOKAHEAD_PUBLIC_DIRECTORY="$tree/Public" \
        TSAN_OPTIONS="log_path=$reports/report" ASAN_OPTIONS="log_path=$reports/report detect_leaks=0 quarantine_size_mb=32" \
        swift test -c "$configuration" --package-path "$tree" --scratch-path "$work/$kind/build" --sanitize "$kind" --no-parallel \
        --filter "^($rooms)\."
    if [ -n "$(ls "$reports")" ]; then
        head -n 60 "$reports"/* >&2
        echo "$kind: the sanitizer reported errors, see $reports" >&2
        exit 1
    fi
done
