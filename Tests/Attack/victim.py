"""The server under attack, and the checks of its responses."""
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
    """The server did something that it must not do."""


def expect(condition, message):
    if not condition:
        raise Fault(message)


def eventually(condition, seconds=20):
    """Waits until a condition holds. Returns False on timeout."""
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
        # Allowed 5xx: a full server says when to retry, a problem document explains what cannot be fetched or read, and 501 and 505
        # refuse an unsupported kind of HTTP. Any other 5xx counts as a crash.
        is_explained = self.headers.get("content-type", "").startswith("application/problem+json") and status != 500
        is_full = status in (503, 504) and "retry-after" in self.headers
        expect(status < 500 or status in (501, 505) or is_explained or is_full, f"unexpected response {text}")
        expect(not body.startswith(b"HTTP/1."), f"the body is a second response: {text}")
        expect(b"worker crashed" not in body, f"a worker crashed: {text}")

    @property
    def json(self):
        return json.loads(self.body)


def answers(data):
    """Parses the responses in the bytes of a connection."""
    found = []
    while data:
        head, mark, rest = data.partition(b"\r\n\r\n")
        match = re.match(rb"HTTP/1\.[01] (\d{3})[ \r]", head + b"\r")
        expect(mark and match, f"not an HTTP response: {data[:60]!r}")
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
    """A server on a free port, with its own cache folder unless `cache` is given."""

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
        expect(match or self.process.poll() is None, f"exited with {self.process.returncode} at start: {self.log()}")
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
        """Returns the start of the log, because a crash is logged first."""
        with open(self.said, errors="replace") as file:
            return " | ".join(file.read(400).strip().split("\n"))

    def memory(self):
        """Returns the peak resident memory, in bytes."""
        with open(f"/proc/{self.process.pid}/status") as file:
            return int(re.search(r"VmHWM:\s+(\d+) kB", file.read())[1]) << 10

    def check(self):
        """Raises a fault if the server has exited, is unhealthy, used too much memory, or logged a crash."""
        expect(self.process.poll() is None, f"exited with {self.process.returncode}: {self.log()}")
        expect(self.get("/healthz").status == 200, "is not healthy")
        expect(self.memory() < MOST_MEMORY, f"used {self.memory() >> 20} MB")
        with open(self.said, errors="replace") as file:
            crash = re.search(r"Fatal error|Crash|worker crashed", file.read())
        expect(not crash, f"logged {crash and crash[0]}: {self.log()}")

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        try:
            status = self.process.wait(5)
        except subprocess.TimeoutExpired:
            raise Fault("does not stop within 5 s") from None
        expect(status == 0, f"exited with {status}: {self.log()}")

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
        """Sends bytes unchanged. Returns all received bytes until the connection ends, or is silent for `patience` seconds."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=patience) as connection:
            received = b""
            try:
                for piece in [pieces] if isinstance(pieces, bytes) else pieces:
                    connection.sendall(piece)
            except OSError:
                pass  # The server closed the connection, perhaps after a response.
            try:
                while data := connection.recv(1 << 16):
                    received += data
            except OSError:
                pass
            return received


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width, height, color=(200, 40, 20), more=b"", data=None, interlaced=0):
    """Returns a PNG of one colour, or with other compressed rows in `data`."""
    rows = zlib.compress((b"\0" + bytes(color) * width) * height) if data is None else data
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, interlaced))
    return b"\x89PNG\r\n\x1a\n" + head + more + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def write(path, data):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(data)


def pictures(folder, count=6):
    """Fills a folder with small pictures, all different. Returns the folder."""
    for number in range(count):
        write(os.path.join(folder, f"{number}.png"), png(300, 100, (200, number % 256, number // 256)))
    return folder
