#!/bin/sh
# Runs tests under ThreadSanitizer, then under AddressSanitizer, and fails on any report.
#
#   Tests/sanitize.sh [--all] [thread|address]...
#
# The tests are those of the HTTP server and of the task pool; with --all also those of the whole server, the processes
# that they start included. WORK keeps the builds (default: .build/sanitize).
#
# ThreadSanitizer takes the critical sections of the standard library's Mutex for races; so it runs on a copy of the tree
# in which Tests/Sanitizers/Mutex.swift stands in for it. It runs without optimisation: with it, the reading of an array that
# was copied under a lock is in sight, and the runtime's counting of references, which orders it, is not.
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
        # A target is a folder of Sources or Tests, but for the laboratory and the servers of several test targets.
        (cd "$tree" && grep -lrE --include='*.swift' 'Mutex[<(]' Sources Tests |
            sed -E 's,^(Tests/Benchmarks/[^/]+|Tests/Support/Server|[^/]+/[^/]+)/.*,\1,' | sort -u) |
            while read -r target; do cp -p "$root/Tests/Sanitizers/Mutex.swift" "$tree/$target/"; done
    fi
    echo "== $kind"
    # The processes that tests start look for the page beside themselves, which is not where they were built. Of what was
    # freed AddressSanitizer keeps 32 MB instead of 256: tests bound the memory of a server.
    LOOKAHEAD_PUBLIC_DIRECTORY="$tree/Public" \
        TSAN_OPTIONS="log_path=$reports/report" ASAN_OPTIONS="log_path=$reports/report detect_leaks=0 quarantine_size_mb=32" \
        swift test -c "$configuration" --package-path "$tree" --scratch-path "$work/$kind/build" --sanitize "$kind" --no-parallel \
        --filter "^($rooms)\."
    if [ -n "$(ls "$reports")" ]; then
        head -n 60 "$reports"/* >&2
        echo "$kind: reports in $reports" >&2
        exit 1
    fi
done
