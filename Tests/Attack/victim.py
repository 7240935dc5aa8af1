"""The server under attack, and how its answers are judged."""
import http.client
import json
import os
import re
import signal
import socket
import struct
import subprocess
import tempfile
import time
import zlib

BINARY = os.environ.get("LOOKAHEAD_BINARY") or ".build/release/lookahead"
MOST_MEMORY = 512 << 20


class Fault(Exception):
    """What must not happen."""


def expect(condition, message):
    if not condition:
        raise Fault(message)


def eventually(condition, seconds=20):
    """Waits until a condition holds; returns whether it does."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


class Answer:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, {k.lower(): v for k, v in headers}, body
        text = f"{status}, {body[:80]!r}"
        # A server that is full says when to come again, and what it cannot get or read it says why; 501 and 505 refuse a kind
        # of HTTP. All else is a crash.
        is_told = self.headers.get("content-type", "").startswith("application/problem+json") and status != 500
        is_full = status in (503, 504) and "retry-after" in self.headers
        expect(status < 500 or status in (501, 505) or is_told or is_full, f"answered {text}")
        expect(not body.startswith(b"HTTP/1."), f"a second head as body: {text}")
        expect(b"worker crashed" not in body, f"a worker crashed: {text}")

    @property
    def json(self):
        return json.loads(self.body)


def answers(data):
    """The answers in the bytes that came over a connection."""
    found = []
    while data:
        head, mark, rest = data.partition(b"\r\n\r\n")
        match = re.match(rb"HTTP/1\.[01] (\d{3})[ \r]", head + b"\r")
        expect(mark and match, f"no answer: {data[:60]!r}")
        status = int(match[1])
        headers = [tuple(part.strip() for part in line.split(":", 1)) for line in head.decode("latin-1").split("\r\n")[1:]]
        fields = {name.lower(): value for name, value in headers}
        body, data = rest, b""
        if status < 200 or status in (204, 304):
            body, data = b"", rest
        elif "content-length" in fields:
            length = int(fields["content-length"])
            body, data = rest[:length], rest[length:]
        if status >= 200:
            found.append(Answer(status, headers, body))
    return found


class Victim:
    """A server on a free port, with a cache folder of its own unless it is given one."""

    def __init__(self, *arguments, cache=None, environment=None):
        self.place = tempfile.TemporaryDirectory(prefix="attack-")
        self.cache = cache or os.path.join(self.place.name, "cache")
        self.said = os.path.join(self.place.name, "said")
        command = [BINARY, "serve", *arguments, "--port", "0", "--cache-directory", self.cache]
        with open(self.said, "wb") as said, open(os.path.join(self.place.name, "address"), "wb") as address:
            self.process = subprocess.Popen(
                command, stdout=address, stderr=said, stdin=subprocess.DEVNULL, env={**os.environ, **(environment or {})})
        self.port = 0
        expect(eventually(self._is_listening), f"does not start: {self.log()}")

    def _is_listening(self):
        with open(os.path.join(self.place.name, "address"), "rb") as file:
            match = re.search(rb"Listening on http://[^:]+:(\d+)\n", file.read())
        self.port = int(match[1]) if match else 0
        expect(match or self.process.poll() is None, f"ended with {self.process.returncode} at its start: {self.log()}")
        return bool(match)

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        try:
            if kind is None and self.process.poll() != -signal.SIGKILL:
                self.check()
                self.stop()
        finally:
            if self.process.poll() is None:
                self.process.kill()
            self.process.wait()
            self.place.cleanup()

    def log(self):
        """The beginning of what it said: a crash is told first."""
        with open(self.said, errors="replace") as file:
            return " | ".join(file.read(400).strip().split("\n"))

    def memory(self):
        """Resident bytes, at their highest."""
        with open(f"/proc/{self.process.pid}/status") as file:
            return int(re.search(r"VmHWM:\s+(\d+) kB", file.read())[1]) << 10

    def check(self):
        """Whether it is as well as before."""
        expect(self.process.poll() is None, f"ended with {self.process.returncode}: {self.log()}")
        expect(self.get("/healthz").status == 200, "is not healthy")
        expect(self.memory() < MOST_MEMORY, f"took {self.memory() >> 20} MB")
        with open(self.said, errors="replace") as file:
            crash = re.search(r"Fatal error|Crash|worker crashed", file.read())
        expect(not crash, f"says {crash and crash[0]}: {self.log()}")

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        try:
            status = self.process.wait(5)
        except subprocess.TimeoutExpired:
            raise Fault("does not stop within 5 s") from None
        expect(status == 0, f"ended with {status}: {self.log()}")

    def kill(self):
        self.process.kill()
        self.process.wait()

    def call(self, method, path, body=None, headers=None, patience=30):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=patience)
        try:
            if isinstance(body, (dict, list)):
                body, headers = json.dumps(body), {"Content-Type": "application/json", **(headers or {})}
            connection.request(method, path, body, headers or {})
            answer = connection.getresponse()
            return Answer(answer.status, answer.getheaders(), answer.read())
        finally:
            connection.close()

    def get(self, path, headers=None):
        return self.call("GET", path, headers=headers)

    def api(self, method, path, body=None, headers=None):
        return self.call(method, f"/api/v1/{path}", body, headers)

    def thumbnail(self, gallery, item, size=64):
        return self.api("GET", f"galleries/{gallery}/items/{item}/thumbnail?width={size}")

    def raw(self, pieces, patience):
        """Sends bytes as they are; returns all that comes until the end or a silence."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=patience) as connection:
            came = b""
            try:
                for piece in [pieces] if isinstance(pieces, bytes) else pieces:
                    connection.sendall(piece)
            except OSError:
                pass  # it has hung up, perhaps with an answer
            try:
                while data := connection.recv(1 << 16):
                    came += data
            except OSError:
                pass
            return came


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width, height, color=(200, 40, 20), more=b"", data=None, interlaced=0):
    """A PNG of one colour, or with other data."""
    rows = zlib.compress((b"\0" + bytes(color) * width) * height) if data is None else data
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, interlaced))
    return b"\x89PNG\r\n\x1a\n" + head + more + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def write(path, data):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(data)


def pictures(folder, count=6):
    """A folder of small pictures, all different."""
    for number in range(count):
        write(os.path.join(folder, f"{number}.png"), png(300, 100, (200, number % 256, number // 256)))
    return folder
