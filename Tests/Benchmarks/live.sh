#!/bin/sh
# Measures galleries as a person meets them: plays tours of real input (wheel, fingers, the scrollbar's thumb, keys) in
# headless Chromium to Lookahead under its policies and to pages made as people make them, over one shaped origin, and prints
# blank shares, times and costs. Installs Chromium, nginx with image_filter and what its own programs are compiled with, by
# apt, where they are missing (root or sudo).
#
#   Tests/Benchmarks/live.sh [--rounds N] [--link NAME]… [--contenders A,B] [--seeds N,N] [--format text|json|markdown]
#                            [--kinds A,B] [--keep FOLDER] [--tables FOLDER] [--verify] [--brief]
#
# Every run is cold: a new browser, a new server, nothing stored. Five rounds of all eight contenders over all five links
# take three and a half hours; README.md beside this says what each of them is. --brief tries it in seconds rather than
# measure: it installs and builds nothing, and leaves out what is not there. LOOKAHEAD_BINARY names the executable (default:
# it is built).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
brief=''
for argument in "$@"; do [ "$argument" != --brief ] || brief=yes; done

if [ -z "$brief" ]; then
    missing=
    for package in libnginx-mod-http-image-filter libjpeg-dev libssl-dev openssl python3; do
        dpkg-query -W -f='${db:Status-Status}\n' $package 2>/dev/null | grep -qx installed || missing="$missing $package"
    done
    [ -x /usr/sbin/nginx ] || missing="$missing nginx-light"
    command -v chromium >/dev/null || missing="$missing chromium"
    command -v cc >/dev/null || missing="$missing gcc libc6-dev"
    if [ -n "$missing" ]; then
        as_root=$([ "$(id -u)" = 0 ] || echo sudo)
        $as_root apt-get update -qq >&2
        $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >&2
    fi
    [ -n "${LOOKAHEAD_BINARY:-}" ] || swift build --package-path "$root" -c release --product lookahead >&2
else
    for tool in chromium cc openssl python3; do
        command -v $tool >/dev/null || { echo "$tool is not installed; Lookahead is not measured here" && exit 0; }
    done
    for header in jpeglib.h openssl/ssl.h; do
        echo "#include <stdio.h>
#include <$header>" | cc -E - >/dev/null 2>&1 || { echo "$header is not installed; Lookahead is not measured here" && exit 0; }
    done
fi
PYTHONDONTWRITEBYTECODE=1 exec python3 "$here/Live" --lookahead "${LOOKAHEAD_BINARY:-$root/.build/release/lookahead}" "$@"
