"""The attacks of Tests/attack.sh, one function for each kind."""
import argparse
import contextlib
import http.client
import io
import json
import os
import random
import re
import select
import shutil
import socket
import sqlite3
import struct
import sys
import tempfile
import threading
import time
import zipfile
import zlib
from concurrent.futures import ThreadPoolExecutor

from victim import Fault, Victim, answers, chunk, eventually, expect, pictures, png, write


def at_once(work, *of, threads=16):
    """Calls `work` with each value, several at the same time. Raises the first fault."""
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(work, *of))


@contextlib.contextmanager
def listening(serve):
    """Runs a TCP server that calls `serve` with each connection. Yields its port, and a list with one element per connection."""
    count = []

    def accept():
        while True:
            try:
                connection = listener.accept()[0]
            except OSError:
                return
            count.append(1)
            threading.Thread(target=quietly, args=(connection,), daemon=True).start()

    def quietly(connection):
        with contextlib.suppress(OSError), connection:
            serve(connection)

    with socket.create_server(("127.0.0.1", 0), backlog=128) as listener:
        threading.Thread(target=accept, daemon=True).start()
        yield listener.getsockname()[1], count
        with contextlib.suppress(OSError):
            listener.shutdown(socket.SHUT_RDWR)


def picture_origin(data, redirect=None):
    """Returns the `serve` function of an origin that sends the same picture, or a redirect, to everybody."""
    def serve(connection):
        connection.recv(1 << 16)
        head = f"302 Found\r\nLocation: {redirect}" if redirect else "200 OK\r\nContent-Type: image/png"
        body = b"" if redirect else data
        connection.sendall(f"HTTP/1.1 {head}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n".encode() + body)
    return serve


def framings(place, brief):
    """Malformed HTTP: each request gets at most one response, and a smuggled second request gets none."""
    folder = pictures(os.path.join(place, "own"))
    with Victim(folder, environment={"LOOKAHEAD_REQUEST_TIMEOUT": "1"}) as victim:
        host = f"Host: 127.0.0.1:{victim.port}\r\n".encode()
        get, post = b"GET /healthz HTTP/1.1\r\n", b"POST /api/v1/sessions HTTP/1.1\r\nContent-Type: application/json\r\n"
        hidden = b"GET /smuggled HTTP/1.1\r\n" + host + b"\r\n"
        chunked, ten = b"Transfer-Encoding: chunked\r\n", b"Content-Length: 10\r\n"
        refused = [get + b"\r\n", get + host + host + b"\r\n", get + host + b"Host: evil.example\r\n\r\n",
                   b"GET /api/v1/galleries HTTP/1.1\r\nHost: evil.example\r\n\r\n", get + host + b" folded: yes\r\n\r\n", get + host + b"no colon\r\n\r\n",
                   get + host + b"Na me: value\r\n\r\n", get + host + b"Name : value\r\n\r\n", get + host + b"Na\0me: v\r\n\r\n",
                   b"GET  /healthz HTTP/1.1\r\n" + host + b"\r\n", b"GET /healthz HTTP/9.9\r\n" + host + b"\r\n",
                   b"GET /../../etc/passwd HTTP/1.1\r\n" + host + b"\r\n", b"GET /%2e%2e/%2e%2e/etc/passwd HTTP/1.1\r\n" + host + b"\r\n",
                   b"X" * 5000 + b" / HTTP/1.1\r\n" + host + b"\r\n", b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\n" + host + b"\r\n",
                   b"CONNECT evil.example:443 HTTP/1.1\r\n" + host + b"\r\n", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
                   post + host + chunked + ten + b"\r\n0\r\n\r\n" + hidden]
        refused += [post + host + b"Content-Length: " + length + b"\r\n\r\n0123456789" + hidden for length in (
            b"+15", b"-1", b"0x10", b"1e1", b"10, 10", b"10 10", b"10;", b"", b"9" * 30, b"10\r\nContent-Length: 11",
            b"10\r\nTransfer-Encoding: chunked", b"18446744073709551626")]
        refused += [post + host + b"Transfer-Encoding: " + coding + b"\r\n\r\n0\r\n\r\n" + hidden for coding in (
            b"xchunked", b"chunked, identity", b"identity, chunked", b"gzip", b"\x0bchunked", b"chunked\r\nTransfer-Encoding: gzip")]
        refused += [post + host + chunked + b"\r\n" + size + b"\r\n" + b"0\r\n\r\n" + hidden for size in (
            b"ffffffffffffffff", b"10000000000000000", b"-1", b"0x5", b"+5", b"5 5", b"zz", b"5;" + b"e" * 5000)]
        # The server may accept or refuse these, but must not treat any as two requests.
        odd = [request.replace(b"\r\n", b"\n") for request in (get + host + b"\r\n", post + host + ten + b"\r\n0123456789")]
        odd += [get + host + b"X: a\rHost: b\r\n\r\n", b"\r\n\r\n" + get + host + b"\r\n", os.urandom(4000),
                b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(500), b"GET /\r\n", b"\0" * 9000, b"",
                post + host + b"Expect: 100-continue\r\nContent-Length: 99999999999\r\n\r\n"]

        def send(request, most=1):
            received = answers(victim.raw(request, 2))
            expect(len(received) <= most, f"{len(received)} responses to {request[:90]!r}")
            return received

        received = at_once(send, refused + odd, threads=len(refused + odd))
        expect(received[0] and received[0][0].status == 400, "a request without Host is not refused")
        for request, answer in zip(refused, received):
            expect(not answer or answer[0].status >= 400, f"{answer and answer[0].status} to {request[:150]!r}")
            # An invalid chunk length must be refused immediately.
            expect(not answer or answer[0].status != 408 or chunked not in request, f"waits for more after {request[-160:]!r}")
        two = send(get + host + b"\r\n" + get + host + b"Connection: close\r\n\r\n", 2)
        expect([one.status for one in two] == [200, 200], "two valid requests do not get two responses")

        def drip(request):
            """Sends a byte each tenth of a second, until the server closes the connection."""
            sent = []

            def bytewise():
                for place in range(len(request)):
                    time.sleep(0.1)
                    sent.append(1)
                    yield request[place:place + 1]
            received = answers(victim.raw(bytewise(), 2))
            expect(len(received) <= 1 and len(sent) < len(request), f"does not end a slow request: {request[:40]!r}")
        head = get + host + b"X-Long: " + b"a" * 100
        drips = [head, post + host + b"Content-Length: 200\r\n\r\n" + b" " * 200][:1 if brief else 2] * (1 if brief else 20)
        endless = [b"%s" % (get + host)] + [b"X-%d: %s\r\n" % (n, b"a" * 1000) for n in range(2000)]
        at_once(lambda work: work(), [lambda d=d: drip(d) for d in drips] + [lambda: send(endless)], threads=48)
        return f"{len(refused) + len(odd) + len(drips) + 1} requests"


def links(place, brief):
    """Links to the outside replace files and folders while the server runs: nothing from outside may be served."""
    folder, outside = pictures(os.path.join(place, "own", "album")), os.path.join(place, "outside")
    secret = png(100, 300, color=(1, 2, 3)) + b"SECRET"
    for number in range(6):
        write(os.path.join(outside, f"{number}.png"), secret)
    asked, stop = [], threading.Event()
    with Victim(os.path.dirname(folder)) as victim:
        def ask(thread):
            while not stop.is_set():
                path = f"galleries/own/items/{random.randrange(6)}"
                answer = victim.api("GET", f"{path}/{('original', 'thumbnail?width=300', 'image?width=400', '')[thread % 4]}".rstrip("/"))
                asked.append(answer.status)
                expect(b"SECRET" not in answer.body, "an original from outside was served")
                if answer.headers.get("content-type") == "image/jpeg":
                    start = max(answer.body.find(b"\xff\xc0"), answer.body.find(b"\xff\xc2"))
                    height, width = struct.unpack(">HH", answer.body[start + 5:start + 9])
                    expect(width >= height, "a picture from outside was served")
                elif not path.endswith("original") and thread % 4 == 3 and answer.status == 200:
                    expect(answer.json.get("height", 0) <= answer.json.get("width", 1), "facts of a picture from outside were served")
        with ThreadPoolExecutor(8) as pool:
            threads = [pool.submit(ask, number) for number in range(8)]
            for swap in range(30 if brief else 400):
                time.sleep(0.02)
                name = os.path.join(folder, f"{swap % 6}.png")
                if swap % 3 == 0:  # the folder itself
                    os.rename(folder, folder + "-away")
                    os.symlink(outside, folder)
                    time.sleep(0.02)
                    os.unlink(folder)
                    os.rename(folder + "-away", folder)
                else:
                    link = os.path.join(place, "link")
                    os.symlink(os.path.join(outside, f"{swap % 6}.png"), link)
                    os.rename(name, os.path.join(place, "kept"))
                    os.rename(link, name)
                    time.sleep(0.02)
                    os.rename(os.path.join(place, "kept"), name)
            stop.set()
            for thread in threads:
                thread.result()
        expect(200 in asked, "nothing was served during the attack")
        return f"{len(asked)} requests, {asked.count(200)} served"


def bombs(place):
    """Yields names and bytes of pictures that claim to be huge."""
    def jpeg(marker):
        return b"\xff\xd8\xff" + bytes([marker]) + struct.pack(">HBHHB", 17, 8, 65500, 65500, 3) + b"\1\x22\0\2\x11\1\3\x11\1\xff\xda"
    inflating = zlib.compress(bytes(64 << 20), 9)
    yield "wide.png", png(60_000, 60_000, data=inflating)
    yield "interlaced.png", png(19_000, 19_000, data=inflating, interlaced=1)
    yield "longer.png", png(500, 500, data=inflating)
    yield "text.png", png(8000, 8001, data=inflating)
    yield "giant.gif", b"GIF89a\xff\xff\xff\xff\x80\0\0" + bytes(6) + b",\0\0\0\0\xff\xff\xff\xff\0\2\1\0\0;"
    yield "giant.bmp", b"BM" + struct.pack("<IIIIiiHHIIIIII", 100, 0, 54, 40, 2_000_000_000, -2_000_000_000, 1, 24, 0, 0, 0, 0, 0, 0)
    yield "giant.webp", b"RIFF" + struct.pack("<I", 26) + b"WEBPVP8L" + struct.pack("<I", 14) + b"\x2f" + struct.pack("<I", 16382 | 16382 << 14) + bytes(9)
    yield "giant.jpg", jpeg(0xC0)
    yield "scans.jpg", jpeg(0xC2) * 1000
    yield "loop.tif", b"II*\0\x08\0\0\0" + struct.pack("<H", 1) + struct.pack("<HHII", 0x14A, 4, 1, 8) + struct.pack("<I", 8)
    zipped = io.BytesIO()
    with zipfile.ZipFile(zipped, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("0.jpg", bytes(16 << 20))
    yield "archive.jpg", zipped.getvalue()
    yield "archive.webp", b"RIFF\xff\xff\xff\xffWEBP" + zipped.getvalue()
    yield "nothing.jpg", b""


def archives(place, brief):
    """Bombs as pictures and as request bodies. Then clients that do not read their archives, while another client gets one."""
    own = os.path.join(place, "own")
    big = pictures(os.path.join(place, "big"), 2)
    for name in os.listdir(big):
        os.truncate(os.path.join(big, name), 30 << 20)
    with Victim(own := pictures(own, 1), big, "--trusted-proxy", "127.0.0.1") as victim:
        names = dict(bombs(place))
        for name, data in names.items():
            write(os.path.join(own, name), data)
        items = "galleries/own/items?from=0&count=100"
        expect(eventually(lambda: any(i["file"] == "0.png" for i in victim.api("GET", items).json["items"])), "nothing listed")

        def try_bomb(item):
            answer = victim.thumbnail("own", item["item"])
            expect(answer.status != 200 or item["file"] in ("0.png", "longer.png", "text.png"), f"{item['file']} is shown")
            return item["file"]
        expect("0.png" in at_once(try_bomb, victim.api("GET", items).json["items"], threads=4), "the valid picture is not shown")

        deep = (b"[" * 200_000, b'{"a":' * 100_000, b'{"gallery":' + b"[" * 50_000 + b"]" * 50_000 + b"}", b'"' + b"\\u0000" * 100_000)
        zipped = zlib.compressobj(9, zlib.DEFLATED, 31)
        bomb = zipped.compress(bytes(64 << 20)) + zipped.flush()
        bodies = [("sessions", body, {}) for body in deep] + [("galleries", body, {}) for body in deep]
        bodies += [("galleries", bomb, {"Content-Encoding": coding}) for coding in ("gzip", "deflate", "br")]
        for path, body, headers in bodies:
            for kind in ("application/json", "application/x-ndjson"):
                answer = victim.api("POST", path, body, {"Content-Type": kind, **headers})
                expect(400 <= answer.status < 500, f"{answer.status} to {body[:20]!r} as {kind} {headers}")

        body = json.dumps({"ranges": [{"from": 0, "to": 2}]}).encode()
        head = f"POST /api/v1/galleries/big/archive HTTP/1.1\r\nHost: 127.0.0.1:{victim.port}\r\nContent-Type: application/json\r\n" \
               f"Content-Length: {len(body)}\r\nX-Forwarded-For: 198.51.100.7\r\n\r\n"
        with contextlib.ExitStack() as stack:
            for _ in range(12):
                reader = stack.enter_context(socket.create_connection(("127.0.0.1", victim.port), timeout=20))
                reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                reader.sendall(head.encode() + body)
                reader.recv(12)
            other = victim.api("POST", "galleries/big/archive", {"items": [0]}, {"X-Forwarded-For": "203.0.113.9"})
            expect(other.status == 200, f"clients of one address block all archives: {other.status} for another address")
            expect(len(zipfile.ZipFile(io.BytesIO(other.body)).namelist()) >= 1, "an archive without files")
        return f"{len(names)} bombs, {2 * len(bodies)} bodies, 12 readers"


def addresses(place, brief):
    """Forged Host, Origin and forwarding headers. Then lists with addresses of the internal network."""
    inside = png(50, 50)
    with listening(picture_origin(inside)) as (canary, reached), \
            listening(picture_origin(b"", f"http://127.0.0.1:{canary}/secret.png")) as (redirecting, _), \
            Victim(pictures(os.path.join(place, "own")), "--allow-origin", f"127.0.0.1:{redirecting}") as victim:
        port, wanted = victim.port, {"gallery": "own", "viewport": {"width": 800, "height": 600}}
        for host in ("evil.example", f"127.0.0.1:{port}@evil.example", f"evil.example:{port}", "localhost.evil.example", "[::1",
                     "127.0.0.1:99999", "0177.0.0.1", "127.1", "169.254.169.254", f"127.0.0.1:{port}, evil.example"):
            for path in ("/", "/api/v1/galleries", "/api/v1/galleries/own/items/0/thumbnail?width=64"):
                expect(victim.get(path, {"Host": host}).status in (400, 403), f"{path} is served to {host}")
        for origin in ("https://evil.example", "null", f"http://127.0.0.1:{port}.evil.example", f"http://evil.example:{port}", "file://"):
            answer = victim.api("POST", "sessions", wanted, {"Origin": origin})
            expect(answer.status == 403, f"{answer.status} to a page of {origin}")
            expect("access-control-allow-origin" not in answer.headers, f"{origin} may read")
        for name, value in (("X-Forwarded-Host", "evil.example"), ("X-Forwarded-Proto", "https"), ("Forwarded", "for=1.2.3.4;host=evil"),
                            ("X-Forwarded-For", "127.0.0.1, 1.2.3.4"), ("X-Forwarded-For", "a" * 9000), ("X-Original-URL", "/metrics")):
            answer = victim.api("POST", "sessions", wanted, {name: value})
            expect(answer.status == 201 and "evil" not in str(answer.headers), f"{answer.status} with {name}: {value[:30]}")
        shapes = ["127.0.0.1", "localhost", "0.0.0.0", "2130706433", "0x7f000001", "0177.0.0.1", "127.1", "[::1]", "[::ffff:127.0.0.1]",
                  "[::ffff:7f00:1]", "[::]", "user@127.0.0.1", "127.0.0.1.", "LOCALHOST", "%31%32%37.0.0.1", "①②⑦.0.0.1", "localhost%00.example"]
        urls = [f"http://{shape}:{canary}/a.png" for shape in shapes] + [f"http://127.0.0.1:{redirecting}/a.png"]
        urls += ["file:///etc/passwd", "gopher://127.0.0.1/", "http://169.254.169.254/latest/meta-data", "http://[fe80::1]/a.png"]
        shown = 0
        for url in urls:
            listed = victim.api("POST", "galleries", {"title": "inside", "items": [{"url": url}]})
            if listed.status == 201:
                shown += 1
                expect(victim.thumbnail(listed.json["id"], 0).status != 200, f"{url} is shown")
        expect(not reached, f"{len(reached)} connections reached the internal network")
        return f"{len(urls)} addresses, {shown} of them listed"


def foreign_databases():
    """Yields kinds of foreign files in a cache folder: a description, and a function that writes such a file with a marker."""
    def database(path, marker, version=0, wal=False):
        with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as made:
            made.executescript(f"pragma user_version = {version}; create table mine (note); insert into mine values ('{marker}')")
            if wal:
                made.executescript(f"pragma journal_mode = wal; insert into mine values ('{marker} in the wal')")
                for end in ("", "-wal"):  # Copies the files as a killed program leaves them.
                    shutil.copyfile(path + end, path + ".copy" + end)
        if wal:
            for end in ("", "-wal"):
                os.replace(path + ".copy" + end, path + end)
    yield "of another program", database
    yield "of a newer version", lambda path, marker: database(path, marker, version=999_999)
    yield "with a journal", lambda path, marker: database(path, marker, wal=True)
    yield "no database", lambda path, marker: write(path, marker.encode() * 500)
    yield "a broken one", lambda path, marker: write(path, b"SQLite format 3\0" + marker.encode() * 500)
    yield "a folder", lambda path, marker: write(os.path.join(path, "note"), marker.encode())


def databases(place, brief):
    """Foreign and broken files with the names of the server's databases: the server starts, and their bytes still exist."""
    folder = pictures(os.path.join(place, "own"))

    def try_one(number, what, make):
        cache = os.path.join(place, f"cache{number}")
        os.makedirs(cache)
        names = ("index.sqlite", "thumbnails.sqlite")
        for name in names:
            make(os.path.join(cache, name), f"MARKER-{name}-{what}")
        for _ in range(2):
            with Victim(folder, cache=cache) as victim:
                expect(victim.thumbnail("own", 0).status == 200, f"{what}: no thumbnail")
        kept = b"".join(open(os.path.join(at, file), "rb").read() for at, _, files in os.walk(cache) for file in files)
        for name in names:
            expect(f"MARKER-{name}-{what}".encode() in kept, f"{name} ({what}) was lost")
    kinds = list(foreign_databases())
    at_once(lambda number: try_one(number, *kinds[number]), range(len(kinds)), threads=2)
    return f"{2 * len(kinds)} files"


def kills(place, brief):
    """kill -9 while thumbnails are rendered: the folder is unchanged, and the server starts again."""
    folder, cache = pictures(os.path.join(place, "own"), 40), os.path.join(place, "cache")
    def files():
        return {name: open(os.path.join(folder, name), "rb").read() for name in os.listdir(folder)}
    before = files()
    for round in range(2 if brief else 15):
        with Victim(folder, cache=cache) as victim:
            def press(number):
                with contextlib.suppress(OSError, EOFError, ConnectionError, http.client.HTTPException):
                    victim.thumbnail("own", number % 40, 32 + 8 * round)
            with ThreadPoolExecutor(8) as pool:
                for number in range(400):
                    pool.submit(press, number)
                time.sleep(random.uniform(0.1, 0.6))
                victim.kill()
                pool.shutdown(cancel_futures=True)
    with Victim(folder, cache=cache) as victim:
        expect(all(answer.status == 200 for answer in at_once(lambda i: victim.thumbnail("own", i), range(40))), "thumbnails are missing")
    expect(files() == before, "the folder has changed")
    return f"{round + 1} kills"


def streams(place, brief):
    """Clients that scroll but do not read their event streams: a client that reads is still served."""
    folder = pictures(os.path.join(place, "own"), 300)
    with Victim(folder, "--max-updates", "100000") as victim, contextlib.ExitStack() as stack:
        def session():
            opened = victim.api("POST", "sessions", {"gallery": "own", "viewport": {"width": 900, "height": 600}})
            expect(opened.status == 201, f"no session: {opened.status}")
            return opened.json["id"]

        def listen(name, buffer):
            reader = socket.socket()
            stack.enter_context(reader)
            reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
            reader.settimeout(20)
            reader.connect(("127.0.0.1", victim.port))
            reader.sendall(f"GET /api/v1/sessions/{name}/events HTTP/1.1\r\nHost: 127.0.0.1:{victim.port}\r\n\r\n".encode())
            return reader
        stuck = [session() for _ in range(10 if brief else 80)]
        for name in stuck:
            listen(name, 4096)
        end = time.monotonic() + (2 if brief else 20)

        def scroll(name):
            count = 0
            while time.monotonic() < end:
                count += 1
                victim.api("POST", f"sessions/{name}/viewport", {
                    "seq": count + 1, "time": count * 16, "scrollTop": random.randrange(20_000), "phase": "wheel"})
            return count
        posts = sum(at_once(scroll, stuck))
        attentive = listen(session(), 1 << 20)
        received = b""
        while received.count(b"event: thumbnail") < 5:
            data = attentive.recv(1 << 16)
            expect(data, "the stream of a reading client ends")
            received += data
        return f"{posts} scrolls by {len(stuck)} clients that do not read"


def hosts(place, brief):
    """A list with 5,000 unknown hosts and one working host: pictures of the working host are still served."""
    nowhere = "x" * 64 + ".invalid"  # The label is too long, so no name server is asked.
    with listening(picture_origin(png(300, 100))) as (origin, reached), \
            Victim(pictures(os.path.join(place, "own")), "--allow-origin", f"127.0.0.1:{origin}", "--max-downloads", "256") as victim:
        lines = [json.dumps({"url": f"http://n{number}.{nowhere}/a.png"}) for number in range(5000)]
        lines += [json.dumps({"url": f"http://127.0.0.1:{origin}/{number}.png"}) for number in range(20)]
        listed = victim.api("POST", "galleries", "\n".join(lines).encode(), {"Content-Type": "application/x-ndjson"})
        expect(listed.status == 201, f"not listed: {listed.status}")
        name = listed.json["id"]

        def ask(items):
            """Requests each item over one connection."""
            connection = http.client.HTTPConnection("127.0.0.1", victim.port, timeout=20)
            for item in items:
                connection.request("GET", f"/api/v1/galleries/{name}/items/{item}/thumbnail?width=64")
                connection.getresponse().read()
            connection.close()
        at_once(ask, [range(first, 5000, 64) for first in range(64)], threads=64)
        refused = [answer.status for answer in (victim.thumbnail(name, item) for item in range(5000, 5020)) if answer.status != 200]
        expect(not refused, f"pictures of a working host are refused, {len(refused)} of 20 times, with {refused[:1]}")
        return f"5000 unknown hosts, {len(reached)} downloads from the working host"


def redis(place, brief):
    """Servers with replies that Redis would not send: in the worst case, Redis counts as unavailable."""
    folder = pictures(os.path.join(place, "own"))
    flood = 24 << 20 if brief else 600 << 20
    said = {
        "nothing": b"", "an unasked OK": b"+OK\r\n", "an unasked empty array": b"*0\r\n", "two billion elements": b"*2147483647\r\n",
        "half a gigabyte": b"$536870912\r\n", "a negative length": b"$-5\r\n", "a negative array": b"*-7\r\n", "deep arrays": b"*1\r\n" * 100_000,
        "HTTP": b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n", "noise": random.Random(7).randbytes(5000), "numbers": b":1\r\n" * 5000,
        "RESP3": b"%2\r\n+a\r\n:1\r\n+b\r\n_\r\n>2\r\n+message\r\n+x\r\n", "an endless line": b"+" + b"a" * (1 << 20), "errors": b"-ERR no\r\n" * 50,
        "loading": b"-LOADING Redis is loading the dataset in memory\r\n",
    }

    def try_one(what):
        def serve(connection):
            if what.startswith("an unasked"):  # Valid replies until the connection is idle.
                while select.select([connection], [], [], 0.1)[0] and (data := connection.recv(1 << 16)):
                    connection.sendall(b"+OK\r\n" * len(re.findall(rb"\*\d+\r\n", data)))
            connection.sendall(said[what])
            if what == "half a gigabyte":
                for _ in range(flood >> 20):
                    connection.sendall(bytes(1 << 20))
            while not select.select([connection], [], [], 0.1)[0] or connection.recv(1 << 16):
                connection.sendall(said[what])  # As a reply, or unasked.
        try:
            with listening(serve) as (port, reached), \
                    Victim(folder, "--redis", f"redis://127.0.0.1:{port}", "--node", "a") as victim:
                expect(eventually(lambda: reached, 5), "the server does not connect to it")
                for item in range(6):
                    expect(victim.thumbnail("own", item).status == 200, "no thumbnail")
                time.sleep(0.4 if brief else 3)
        except (Fault, OSError, http.client.HTTPException) as fault:
            raise Fault(f"{what}: {fault}") from fault
    tried = list(said)[:8 if brief else None]
    at_once(try_one, tried, threads=3)
    return f"{len(tried)} servers"


def boxes(kind, *contents, version=None):
    """Returns a box of ISO base media. With a version, the box is a full box."""
    data = (b"" if version is None else struct.pack(">I", version << 24)) + b"".join(contents)
    return struct.pack(">I", len(data) + 8) + kind + data


def hostile_metadata(number):
    """Yields names and bytes of files with metadata that take long to read."""
    digits = zlib.compress(b"\nexif\n 524288\n" + b"0" * ((1 << 20) - 40), 9)
    texts = chunk(b"zTXt", b"Raw profile type exif\0\0" + digits) * 1000
    yield f"texts-{number}.png", png(8, 8, more=texts)
    both = struct.pack(">I", 2000) + (struct.pack(">HB", 2, 255) + b"\1" * 255) * 2000 + struct.pack(">HBB", 1, 1, 1)
    size = boxes(b"ispe", struct.pack(">II", 64, 64), version=0)
    properties = boxes(b"iprp", boxes(b"ipco", size), boxes(b"ipma", both, version=0))
    auxiliaries = boxes(b"iref", boxes(b"auxl", struct.pack(">HHH", 2, 1, 1)) * 30_000, version=0)
    places = boxes(b"iloc", struct.pack(">HH", 0, 60_000) + struct.pack(">HHHH", 1, 0, 0, 65_535) * 60_000, version=1)
    first = boxes(b"pitm", struct.pack(">H", 1), version=0)
    kind = boxes(b"ftyp", b"heic\0\0\0\0mif1heic")
    yield f"lists-{number}.heic", kind + boxes(b"meta", first, properties, auxiliaries, version=0)
    yield f"places-{number}.heic", kind + boxes(b"meta", first, properties, places, version=0)
    large = boxes(b"iprp", boxes(b"ipco", boxes(b"ispe", struct.pack(">II", 0xFFFFFFFF, 0xFFFFFFFF), version=0)),
                  boxes(b"ipma", struct.pack(">IHBB", 1, 1, 1, 1), version=0))
    yield f"sides-{number}.heic", kind + boxes(b"meta", first, large, version=0)
    yield f"pieces-{number}.gif", b"GIF89a\x08\0\x08\0\0\0\0" + (b"!\xfe" + b"\1\0" * 1000 + b"\0") * 1000 + b";"
    yield f"boxes-{number}.mp4", kind.replace(b"heic", b"isom") + boxes(b"moov", boxes(b"trak", boxes(b"mdia")) * 50_000)


def metadata(place, brief):
    """Files with metadata that take long to read, in a folder and from the network: no other request waits, and the server stops
    in time."""
    own = pictures(os.path.join(place, "own"))
    for number in range(1 if brief else 340):
        for name, data in hostile_metadata(number):
            target = os.path.join(own, name)
            if number:
                os.link(os.path.join(own, name.replace(f"-{number}.", "-0.")), target)
            else:
                write(target, data)
    bomb = dict(hostile_metadata(0))["texts-0.png"]
    with listening(picture_origin(bomb)) as (origin, _), Victim(own, "--allow-origin", f"127.0.0.1:{origin}") as victim:
        count = len(os.listdir(own))
        listed = victim.api("POST", "galleries", json.dumps({"url": f"http://127.0.0.1:{origin}/a.png"}).encode(),
                            {"Content-Type": "application/x-ndjson"}).json["id"]
        expect(eventually(lambda: victim.api("GET", "galleries/own").json["itemCount"] == count), "not listed")
        slowest = {}

        def timed(what, most, work):
            begin = time.monotonic()
            answer = work()
            took = time.monotonic() - begin
            slowest[what] = max(took, slowest.get(what, 0))
            expect(took < most, f"{what} takes {took:.1f} s")
            return answer

        def ask(number):
            name = listed if number < 8 else "own"
            what = "video" if number % 2 else "thumbnail?width=64"
            with contextlib.suppress(OSError, http.client.HTTPException):
                victim.api("GET", f"galleries/{name}/items/{0 if number < 8 else number % count}/{what}")

        asking = [threading.Thread(target=ask, args=(number,), daemon=True) for number in range(40)]
        for thread in asking:
            thread.start()
        end = time.monotonic() + (3 if brief else 60)
        while time.monotonic() < end:
            timed("health", 1, lambda: victim.get("/healthz"))
            timed("a list of items", 1, lambda: victim.api("GET", "galleries/own/items?from=0&count=4"))
            answer = timed("facts", 5, lambda: victim.api("GET", "galleries/own/items/0"))
            expect(answer.status == 200, f"{answer.status} for the facts of a valid picture")
            answer = timed("a thumbnail", 5, lambda: victim.thumbnail("own", 0, random.randrange(64, 4096, 64)))
            expect(answer.status == 200, f"{answer.status} for a valid picture")
        times = ", ".join(f"{what} {1e3 * took:.0f} ms" for what, took in slowest.items())
        return f"{count} files, maximum times: {times}"


def numbers(place, brief):
    """Numbers that do not fit an integer or a time, from clients, origins and files."""
    own = pictures(os.path.join(place, "own"))
    for number, seconds in enumerate((-11_644_473_600, -(1 << 33), 0, 9_300_000_000, 15_000_000_000)):
        with contextlib.suppress(OSError):  # The file system may refuse the time.
            os.utime(os.path.join(own, f"{number}.png"), (seconds, seconds))
    data = png(1500, 900, data=zlib.compress(random.Random(3).randbytes(900 * 4501), 1))
    most = 1 << 63
    totals = ["-1", f"-{most}", f"{most - 1}", f"{most}", "0", "1", "x", ""]

    def serve(connection):
        head = connection.recv(1 << 16).decode("latin-1")
        part = re.search(r"range: bytes=(\d+)-", head, re.I)
        total = totals[int(re.search(r"GET /(\d+)", head)[1])]
        start = int(part[1]) if part else 0
        status = f"206 Partial Content\r\nContent-Range: bytes {start}-{len(data) - 1}/{total}" if part else "200 OK"
        connection.sendall(f"HTTP/1.1 {status}\r\nETag: \"a\"\r\nAccept-Ranges: bytes\r\nAge: {most}\r\nCache-Control: max-age={most}9\r\n"
                           f"Retry-After: {most}\r\nContent-Length: {len(data) - start}\r\nConnection: close\r\n\r\n".encode())
        # Sends half of the bytes first. The server then requests the missing range.
        connection.sendall(data[start:] if part and start else data[:len(data) // 2])

    with listening(serve) as (origin, _), Victim(own, "--allow-origin", f"127.0.0.1:{origin}") as victim:
        lines = "\n".join(json.dumps({"url": f"http://127.0.0.1:{origin}/{number}.png"}) for number in range(len(totals)))
        listed = victim.api("POST", "galleries", lines.encode(), {"Content-Type": "application/x-ndjson"}).json["id"]
        at_once(lambda item: victim.thumbnail(listed, item), range(len(totals)), threads=4)
        posts = 0
        values = [-1e300, -float(most), -2e12, -1, -0.0, 0.5, 2e12, 2.0 ** 53, float(most), 1e300]
        for policy in ["lookahead"] if brief else ["lookahead", "collection-view", "immich", "operation-queue", "photo-kit"]:
            session = victim.api("POST", "sessions", {"gallery": "own", "viewport": {"width": 600, "height": 400}, "policy": policy})
            if session.status != 201:
                continue
            for field in ("seq", "time", "scrollTop", "width", "height"):
                for value in values:
                    posts += 1
                    body = {"seq": posts, "time": posts, "scrollTop": posts, "hint": {"kind": "scrubber", "scrollTop": 1e300}, field: value}
                    answer = victim.api("POST", f"sessions/{session.json['id']}/viewport", body)
                    expect(answer.status in (200, 409, 422), f"{answer.status} to {body}")
        return f"{posts} posts, {len(totals)} totals, 5 times"


def names(place, brief):
    """File names that contain log lines or control characters for a terminal."""
    own = pictures(os.path.join(place, "own"))
    for number, mark in enumerate("\n\r\x1b\x7f\u0085\u009b\u2028\u202e"):
        write(os.path.join(own, f"{number}{mark}2026-01-01T00:00:00+0000 critical lookahead: [Web] all is lost.png"), b"\x89PNG")
        os.symlink("/etc/passwd", os.path.join(own, f"link{number}{mark}[Web] all is lost.png"))
    with Victim(own, environment={"LOOKAHEAD_LOG_LEVEL": "debug"}) as victim:
        expect(eventually(lambda: victim.api("GET", "galleries/own").json["itemCount"] >= 6), "not listed")
        items = victim.api("GET", "galleries/own/items?from=0&count=100").json["items"]
        at_once(lambda item: victim.thumbnail("own", item["item"]), items, threads=4)
        with open(victim.said, "rb") as file:
            said = file.read().decode("utf-8", "replace")
        forged = [line for line in said.split("\n") if line.startswith(("2026-01-01", "[Web]"))]
        expect(not forged, f"a file name forged a log line: {forged[:1]}")
        found = re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e]", said)
        expect(not found, f"{found and found[0]!r} in the log")
        return f"{len(items)} names, {said.count(chr(10))} lines"


KINDS = [framings, links, archives, metadata, numbers, names, addresses, databases, kills, streams, hosts, redis]
BRIEF = [framings, archives, metadata, numbers, names, databases, hosts, redis]


def main():
    parser = argparse.ArgumentParser(prog="Tests/attack.sh")
    parser.add_argument("--brief", action="store_true")
    parser.add_argument("kinds", nargs="*", metavar="KIND")
    options = parser.parse_args()
    names = [kind.__name__ for kind in KINDS]
    if unknown := set(options.kinds) - set(names):
        parser.error(f"unknown kind {', '.join(unknown)}, choose from {', '.join(names)}")
    chosen = [kind for kind in KINDS if kind.__name__ in options.kinds] or (BRIEF if options.brief else KINDS)
    failed = 0
    for kind in chosen:
        start = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="attack-") as place:
            try:
                verdict = f"passed  {kind(place, options.brief)}"
            except Exception as fault:
                failed += 1
                verdict = f"FAILED  {'' if isinstance(fault, Fault) else type(fault).__name__ + ': '}{fault}"
        print(f"{kind.__name__:10} {verdict} ({time.monotonic() - start:.1f} s)", flush=True)
    print(f"Lookahead withstood {len(chosen) - failed} of {len(chosen)} kinds of attack")
    sys.exit(failed > 0)


main()
