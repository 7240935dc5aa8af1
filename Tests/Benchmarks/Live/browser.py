"""A headless Chromium, spoken to in the DevTools protocol through a pair of pipes."""
import fcntl, json, os, queue, shutil, signal, subprocess, tempfile, threading

FLAGS = [
    "--headless=new", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-default-apps", "--disable-extensions",
    # Nothing but this machine is ever asked.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    # A wheel that glides, fingers that fling, and a scrollbar with a thumb to take.
    "--enable-smooth-scrolling", "--touch-events=enabled", "--disable-features=OverlayScrollbar",
]


class Refused(Exception):
    """A command that the browser did not take."""


class Browser:
    """One process with a profile of its own, and one page in it."""

    def __init__(self, width: int, height: int, trusted_key: str | None = None):
        self.profile = tempfile.mkdtemp(prefix="live-profile-")
        flags = FLAGS + [f"--user-data-dir={self.profile}", f"--window-size={width},{height}", "--remote-debugging-pipe"]
        if os.getuid() == 0:
            flags.append("--no-sandbox")
        if trusted_key:
            flags.append(f"--ignore-certificate-errors-spki-list={trusted_key}")
        commands, self.outgoing = os.pipe()
        self.incoming, answers = os.pipe()
        # Chromium reads from descriptor 3 and writes to 4: out of the way of each other first.
        high = [fcntl.fcntl(end, fcntl.F_DUPFD, 20) for end in (commands, answers)]

        def place():
            os.dup2(high[0], 3)
            os.dup2(high[1], 4)

        self.process = subprocess.Popen(
            ["chromium", *flags, "about:blank"], preexec_fn=place, pass_fds=(3, 4), start_new_session=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for end in (commands, answers, *high):
            os.close(end)
        self.sent = 0
        self.lock = threading.Lock()
        self.waiting: dict[int, queue.Queue] = {}
        self.session: str | None = None
        threading.Thread(target=self._listen, daemon=True).start()
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Performance"):
            self.call(f"{domain}.enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def _listen(self):
        rest = b""
        while part := os.read(self.incoming, 1 << 20):
            *messages, rest = (rest + part).split(b"\0")
            for message in messages:
                answer = json.loads(message)
                if (waiting := self.waiting.pop(answer.get("id"), None)) is not None:
                    waiting.put(answer)
        for waiting in list(self.waiting.values()):
            waiting.put({"error": {"message": "the browser has ended"}})

    def send(self, method: str, answer: queue.Queue | None = None, **parameters):
        """Sends a command; its answer, if one is wanted, goes to the queue."""
        with self.lock:
            self.sent += 1
            message = {"id": self.sent, "method": method, "params": parameters}
            if self.session:
                message["sessionId"] = self.session
            if answer is not None:
                self.waiting[self.sent] = answer
            data = json.dumps(message).encode() + b"\0"
            while data:
                data = data[os.write(self.outgoing, data):]

    def call(self, method: str, **parameters):
        answer: queue.Queue = queue.Queue()
        self.send(method, answer, **parameters)
        result = answer.get(timeout=60)
        if "error" in result:
            raise Refused(f"{method}: {result['error']['message']}")
        return result["result"]

    def evaluate(self, script: str):
        result = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise Refused(f"{script[:80]}: {result['exceptionDetails'].get('exception', {}).get('description')}")
        return result["result"].get("value")

    def metrics(self) -> dict[str, float]:
        return {metric["name"]: metric["value"] for metric in self.call("Performance.getMetrics")["metrics"]}

    def quit(self):
        try:
            self.session = None
            self.call("Browser.close")
            self.process.wait(10)
        except (Refused, queue.Empty, OSError, subprocess.TimeoutExpired):
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        os.close(self.outgoing)
        shutil.rmtree(self.profile, ignore_errors=True)
