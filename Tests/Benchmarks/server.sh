#!/bin/sh
# Measures Lookahead's server beside Hummingbird 2 (event streams, viewport updates) and nginx (static files), each pair by
# the same clients in one run, in turns, and prints the ratios. Installs nginx, wrk and curl by apt where they are
# missing (root or sudo).
#
#   Tests/Benchmarks/server.sh [--brief | --files] [ROUNDS]
#
# The median of ROUNDS (default 3) counts. --brief tries all of it in a minute rather than measure: one round, few
# connections, a second each; it installs and builds nothing, and leaves out the peers that are not there. --files measures
# only static files.
# LOOKAHEAD_BINARY names the executable, beside which lookahead-lab is (default: both are built), WORK a folder that keeps what is written.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
brief='' files='' default=3 duration=3
case ${1:-} in
--brief) brief=yes default=1 duration=1 && shift ;;
--files) files=yes && shift ;;
esac
rounds=${1:-$default}
work=${WORK:-$(mktemp -d)}
mkdir -p "$work/temp"
nginx='' server=''
trap 'kill $nginx $server 2>/dev/null && tail --pid=${nginx:-$server} -f /dev/null; [ -n "${WORK:-}" ] || rm -rf "$work"' EXIT

lookahead=${LOOKAHEAD_BINARY:-$root/.build/release/lookahead}
lab=$(dirname "$lookahead")/lookahead-lab
peer=$here/.build/release/hummingbird-peer
if [ -z "$brief" ]; then
    missing=
    for tool in curl wrk; do command -v $tool >/dev/null || missing="$missing $tool"; done
    [ -x /usr/sbin/nginx ] || missing="$missing nginx-light"
    if [ -n "$missing" ]; then
        as_root=$([ "$(id -u)" = 0 ] || echo sudo)
        $as_root apt-get install -y --no-install-recommends $missing >&2
    fi
    for product in lookahead lookahead-lab; do
        [ -n "${LOOKAHEAD_BINARY:-}" ] || swift build --package-path "$root" -c release --product $product >&2
    done
    [ -n "$files" ] || swift build --package-path "$here" -c release --product hummingbird-peer >&2
fi
measure_updates() {
    beside=
    if [ -x "$peer" ]; then beside="--peer $peer"; else echo "hummingbird-peer is not built; it is left out" >&2; fi

    echo "Event streams${beside:+, beside Hummingbird 2}"
    "$lab" events --rounds "$rounds" $beside ${brief:+--streams 50 --seconds 1}
    echo
    echo "Viewport updates${beside:+, beside Hummingbird 2 decoding and encoding the same bodies}"
    "$lab" http --rounds "$rounds" $beside ${brief:+--pages 4 --streams 20 --seconds 1}
    echo
}
[ -n "$files" ] || measure_updates

if [ ! -x /usr/sbin/nginx ] || ! command -v curl >/dev/null || ! command -v wrk >/dev/null; then
    echo "nginx, curl or wrk is not installed; static files are left out" >&2
    exit 0
fi
# Static files: one worker each, the same bytes with the same headers, from memory or the page cache. nginx serves what
# Lookahead sends: its index.html has addresses with versions, preloads and the gallery, and it writes openapi.json itself.
"$lookahead" demo --port 0 --items 100 --cache-directory none >"$work/listening" &
server=$!
for _ in $(seq 600); do grep -q Listening "$work/listening" && break; kill -0 $server; sleep 0.1; done
own=$(sed 's/.*http/http/' "$work/listening")
mkdir -p "$work/site/js" "$work/site/api/v1"
for file in index.html js/main.js api/v1/openapi.json; do curl -s "$own/$file" -o "$work/site/$file"; done
headers=$(curl -sI "$own/" | tr -d '\r' | grep -iE '^(cache-control|content-security|cross-origin|referrer|x-)' |
    sed 's/: /  "/; s/$/";/; s/^/add_header /')
port=$((20000 + $$ % 10000))
start_nginx() {
    cat >"$work/nginx.conf" <<CONF
worker_processes 1; pid $work/nginx.pid; error_log stderr error;
events { worker_connections 1024; }
http {
    include /etc/nginx/mime.types; access_log off; sendfile on; tcp_nopush on; keepalive_requests 100000000;
    client_body_temp_path $work/temp; proxy_temp_path $work/temp; fastcgi_temp_path $work/temp;
    uwsgi_temp_path $work/temp; scgi_temp_path $work/temp;
    open_file_cache max=100; open_file_cache_valid 60s;
    $headers
    server { listen 127.0.0.1:$port; root $work/site; }
}
CONF
    [ "$(id -u)" != 0 ] || sed -i '1i user root;' "$work/nginx.conf"
    # It goes to the background once it listens, and fails where the port is taken.
    /usr/sbin/nginx -p "$work" -c "$work/nginx.conf" -e stderr
}
until start_nginx; do
    port=$((port + 1))
    [ "$port" -lt 30010 ]
done
nginx=$(cat "$work/nginx.pid")

cpu() { # ticks of a process and its children
    total=0
    for id in $1 $(pgrep -P "$1"); do
        ticks=$(sed 's/.*) //' "/proc/$id/stat" | awk '{print $12 + $13}')
        total=$((total + ticks))
    done
    echo $total
}
one() { # URL PROCESS: requests a second, and microseconds of CPU a request
    before=$(cpu "$2")
    wrk -t1 -c64 -d${duration}s "$1" >"$work/wrk"
    after=$(cpu "$2")
    awk -v ticks=$((after - before)) -v hz="$(getconf CLK_TCK)" '
        /requests in/ { n = $1 } /^Requests\/sec/ { rate = $2 } /Non-2xx/ { bad = 1 }
        END { if (bad) exit 1; printf "%d %.2f\n", rate, 1e6 * ticks / hz / n }' "$work/wrk"
}
echo "Static files, beside nginx (one worker each, 64 connections)"
printf '%-26s %10s %10s %6s %8s %8s %6s\n' file "Lookahead/s" nginx/s ratio "own µs" "nginx µs" ratio
for file in index.html js/main.js api/v1/openapi.json; do
    rm -f "$work/static"
    round=0
    while [ "$round" -lt "$rounds" ]; do
        echo "$(one "$own/$file" "$server") $(one "http://127.0.0.1:$port/$file" "$nginx")" >>"$work/static"
        round=$((round + 1))
    done
    # The round whose ratio of rates is the median: neighbours in time have the same machine.
    awk '{ print $1 / $3, $0 }' "$work/static" | sort -n | awk -v file=$file '{ line[NR] = $0 } END {
        split(line[int((NR + 1) / 2)], v, " ")
        printf "%-26s %10d %10d %6.2f %8.2f %8.2f %6.2f\n", file, v[2], v[4], v[1], v[3], v[5], v[3] / v[5] }'
done
