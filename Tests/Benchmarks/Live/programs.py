"""Programs of this folder and of others: built, started, stopped, and what CPU they took."""
import base64, ctypes, hashlib, os, pathlib, signal, subprocess

HERE = pathlib.Path(__file__).parent
LIBRARIES = {"Origin": ["-ljpeg", "-lssl", "-lcrypto", "-lm"], "Relay": []}


libc = ctypes.CDLL(None)


def end_with_parent():
    """For `preexec_fn`: the kernel ends the program when the one that started it is gone, however it went."""
    set_parent_death_signal = 1
    libc.prctl(set_parent_death_signal, signal.SIGTERM)


def build(name: str, folder: pathlib.Path) -> pathlib.Path:
    """Compiles the C program in the folder of that name."""
    program = folder / name.lower()
    sources = sorted(str(source) for source in (HERE / name).glob("*.c"))
    subprocess.run(
        ["cc", "-std=gnu11", "-O2", "-Wall", "-D_GNU_SOURCE", *sources, "-o", str(program), *LIBRARIES[name]], check=True)
    return program


class Certificate:
    """For 127.0.0.1, made for the occasion."""

    def __init__(self, folder: pathlib.Path):
        self.file, self.key = folder / "certificate.pem", folder / "key.pem"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
             "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", self.key, "-out", self.file],
            check=True, capture_output=True)

    @property
    def pin(self) -> str:
        """What Chromium is told to trust: the hash of the public key."""
        public = subprocess.run(
            ["openssl", "x509", "-in", self.file, "-pubkey", "-noout"], check=True, capture_output=True).stdout
        key = base64.b64decode(b"".join(public.split(b"\n")[1:-2]))
        return base64.b64encode(hashlib.sha256(key).digest()).decode()


class Child:
    """A program that says in its first line where it listens."""

    def __init__(self, *command, errors=None):
        self.process = subprocess.Popen(
            [str(word) for word in command], stdout=subprocess.PIPE, stderr=errors, text=True, start_new_session=True,
            preexec_fn=end_with_parent)
        line = self.process.stdout.readline().strip()
        if not line.startswith("Listening on "):
            self.process.kill()
            raise SystemExit(f"{command[0]} did not start: {line}")
        self.port = int(line.rsplit(":", 1)[1])

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def cpu_seconds(root: int) -> float:
    """Of a process and its children."""
    parents, ticks = {}, {}
    for entry in os.listdir("/proc"):
        if not entry.isdigit():
            continue
        try:
            fields = pathlib.Path(f"/proc/{entry}/stat").read_text().rsplit(")", 1)[1].split()
        except (OSError, IndexError):
            continue
        parents[int(entry)] = int(fields[1])
        # With those of its children that have ended.
        ticks[int(entry)] = sum(int(field) for field in fields[11:15])
    total = 0
    for process in ticks:
        ancestor = process
        while ancestor not in (root, 0, 1):
            ancestor = parents.get(ancestor, 0)
        if ancestor == root:
            total += ticks[process]
    return total / os.sysconf("SC_CLK_TCK")
