#!/bin/sh
# Measures what several servers save each other: 1, 2 and 4 of them behind nginx, sharing through a real Redis, and one origin of
# 100 ms (the demo's). Four viewers ask for the same pictures at the same moment, each picture of whichever server nginx picks.
# Then, how many viewers scroll at once, 30 updates of the viewport a second each, with one server and with two that share, on all
# processors, with what the load takes of them.
# Installs nginx, redis-server and curl by apt where they are missing (root or sudo).
#
#   Tests/Benchmarks/nodes.sh [--brief] [PICTURES]
#
# PICTURES is 600 by default. --brief tries all of it rather than measure: 1 and 2 servers and 40 pictures; it installs and builds
# nothing. LOOKAHEAD_BINARY names the executable (default: it is built), WORK a folder that keeps what is written.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
brief='' default=600 counts='1 2 4'
if [ "${1:-}" = --brief ]; then
    brief=yes default=40 counts='1 2'
    shift
fi
pictures=${1:-$default}
viewers=4
work=${WORK:-$(mktemp -d)}
mkdir -p "$work/temp"
origin='' redis='' nginx='' nodes=''
stop() {
    [ -z "$1" ] || kill $1 2>/dev/null || true
    for process in $1; do tail --pid="$process" -f /dev/null; done
}
trap 'stop "$nginx $nodes $redis $origin"; [ -n "${WORK:-}" ] || rm -rf "$work"' EXIT

lookahead=${LOOKAHEAD_BINARY:-$root/.build/release/lookahead}
missing=
command -v curl >/dev/null || missing="$missing curl"
[ -x /usr/sbin/nginx ] || missing="$missing nginx-light"
[ -x /usr/bin/redis-server ] || missing="$missing redis-server"
if [ -z "$brief" ]; then
    if [ -n "$missing" ]; then
        as_root=$([ "$(id -u)" = 0 ] || echo sudo)
        $as_root apt-get install -y --no-install-recommends $missing >&2
    fi
    for product in lookahead lookahead-lab; do
        [ -n "${LOOKAHEAD_BINARY:-}" ] || swift build --package-path "$root" -c release --product $product >&2
    done
elif [ -n "$missing" ]; then
    echo "not installed:$missing; nothing is measured" >&2
    exit 0
fi

listening() { # FILE PROCESS: the address that a server says it listens on
    for _ in $(seq 600); do grep -sq Listening "$1" && break; kill -0 "$2"; sleep 0.1; done
    sed -n 's/.*\(http[^ ]*\).*/\1/p' "$1" | head -1
}
number() { sed -n "s/.*\"$1\":\([0-9]*\).*/\1/p"; }

# The demo's origin, of which only the latency counts.
"$lookahead" demo --port 0 --items 10 --latency 100 --jitter 0 --bandwidth 1000 --cache-directory none \
    >"$work/origin" 2>/dev/null &
origin=$!
demo=$(listening "$work/origin" "$origin")
images=$(curl -s "$demo/api/v1/demo/origin" | sed 's/.*"address":"\([^"]*\)".*/\1/')
requests() { curl -s "$demo/api/v1/demo/origin" | number requests; }

port=$((20000 + $$ % 9000))
start_redis() {
    rm -f "$work/redis"
    /usr/bin/redis-server --port "$port" --bind 127.0.0.1 --save '' --appendonly no >"$work/redis" &
    redis=$!
    for _ in $(seq 600); do grep -sq "Ready to accept" "$work/redis" && break; kill -0 "$redis"; sleep 0.1; done
}
start_node() { # NAME: its process is $node, its address $address
    rm -f "$work/node-$1"
    "$lookahead" serve "$work/list.txt" --port 0 --cache-directory none --redis "redis://127.0.0.1:$port" --node "$1" \
        --allow-origin "${images#http://}" --trusted-proxy 127.0.0.1 >"$work/node-$1" 2>/dev/null &
    node=$!
    nodes="$nodes $node"
    address=$(listening "$work/node-$1" "$node")
    for _ in $(seq 600); do curl -s "$address/metrics" | grep -q 'shared_servers 1' && break; sleep 0.1; done
}
start_nginx() { # ADDRESSES
    cat >"$work/nginx.conf" <<CONF
worker_processes 1; pid $work/nginx.pid; error_log stderr error;
events { worker_connections 1024; }
http {
    access_log off;
    client_body_temp_path $work/temp; proxy_temp_path $work/temp; fastcgi_temp_path $work/temp;
    uwsgi_temp_path $work/temp; scgi_temp_path $work/temp;
    upstream nodes { $(for one in $1; do printf 'server %s; ' "${one#http://}"; done) keepalive 64; }
    server {
        listen 127.0.0.1:$((port + 1));
        location / { proxy_pass http://nodes; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_set_header Host 127.0.0.1; }
    }
}
CONF
    [ "$(id -u)" != 0 ] || sed -i '1i user root;' "$work/nginx.conf"
    /usr/sbin/nginx -p "$work" -c "$work/nginx.conf" -e stderr
    nginx=$(cat "$work/nginx.pid")
}

cpu() { # FILES schedstat: milliseconds that these threads ran
    cat $1 2>/dev/null | awk '{ ns += $1 } END { printf "%.3f", ns / 1e6 }'
}
redis_threads() { # of the servers: the threads that speak with Redis
    for process in $nodes; do grep -lx redis /proc/"$process"/task/*/comm | sed 's/comm$/schedstat/'; done
}
render_threads() { # of the servers: the processes that render
    for process in $nodes; do for child in $(pgrep -P "$process"); do echo /proc/"$child"/task/*/schedstat; done; done
}
sharing() { cpu "$(redis_threads) $(echo /proc/"$redis"/task/*/schedstat)"; }
rendering() { cpu "$(render_threads)"; }

path="api/v1/galleries/list/items/[0-$((pictures - 1))]/thumbnail?width=256"
view() { # ADDRESS AT-ONCE: seconds that each picture took, a line each; no picture is missing
    curl -s --no-progress-meter -Z --parallel-max "$2" -o /dev/null -w '%{time_total} %{http_code}\n' "$1/$path" 2>/dev/null
}
median() { sort -n | awk '{ v[NR] = $1 } END { printf "%.1f", 1e3 * v[int((NR + 1) / 2)] }'; }

echo "Lookahead on several servers: $pictures pictures, $viewers viewers who ask for all of them at once, origin of 100 ms"
printf '%7s %9s %7s %6s %8s %13s %10s %11s %13s %6s\n' servers requests 'of one' alone 'p50 ms' 'Redis hit ms' \
    'memory ms' 'sharing ms' 'rendering ms' share
run=0 alone=
for count in $counts; do
    # Other addresses each time, so that nothing is remembered.
    run=$((run + 1))
    seq 1 "$pictures" | sed "s|.*|$images/960x640?text=food+$run&|" >"$work/list.txt"
    start_redis
    addresses=
    for place in $(seq 1 "$count"); do
        start_node "n$place"
        addresses="$addresses $address"
    done
    start_nginx "$addresses"
    before=$(requests) shared=$(sharing) rendered=$(rendering)
    watching=
    for viewer in $(seq 1 "$viewers"); do
        view "http://127.0.0.1:$((port + 1))" 16 >"$work/viewer-$viewer" &
        watching="$watching $!"
    done
    for viewer in $watching; do wait "$viewer"; done
    asked=$(($(requests) - before))
    shared=$(echo "$(sharing) $shared" | awk '{ print $1 - $2 }')
    rendered=$(echo "$(rendering) $rendered" | awk '{ print $1 - $2 }')
    cat "$work"/viewer-* >"$work/seen"
    if grep -vq ' 200$' "$work/seen"; then
        echo "a picture is missing" >&2
        exit 1
    fi
    rm "$work"/viewer-*
    # Made without asking the others, for want of an answer of Redis within 100 ms.
    unshared=$(for one in $addresses; do curl -s "$one/metrics"; done |
        awk '/^lookahead_shared_claims_total.result="alone"/ { n += $2 } END { print n }')
    # A server that has nothing in memory, one request after the other; then the same from its memory.
    start_node late
    hit=$(view "$address" 1 | median)
    memory=$(view "$address" 1 | median)
    alone=${alone:-$asked}
    echo "$count $asked $alone $unshared $(median <"$work/seen") $hit $memory $shared $rendered" | awk '{
        printf "%7d %9d %7.2f %6d %8.1f %13.1f %10.1f %11.0f %13.0f %5.0f%%\n", $1, $2, $2 / $3, $4, $5, $6, $7, $8, $9, 100 * $8 / $9 }'
    stop "$nginx $nodes $redis"
    nginx='' nodes='' redis='' port=$((port + 2))
done

# Of the highest rates of updates.
viewers_of() { # SERVERS
    start_redis
    "$(dirname "$lookahead")/lookahead-lab" http --streams 0 --rounds 1 --pages 64 --seconds "$seconds" --format json --servers "$1" \
        --redis "redis://127.0.0.1:$port" 2>/dev/null | sed -n 's/.*"rate":\([0-9]*\).*/\1/p' | awk '{ print int($1 / 30) }'
    stop "$redis"
    redis='' port=$((port + 2))
}
rounds='1 2 3' seconds=5
[ -z "$brief" ] || rounds=1 seconds=1
: >"$work/viewers-1"
: >"$work/viewers-2"
for round in $rounds; do
    for count in 1 2; do viewers_of "$count" >>"$work/viewers-$count"; done
done
middle() { sort -n "$1" | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }
echo "viewers who scroll: $(middle "$work/viewers-1") with one server, $(middle "$work/viewers-2") with two"
