"""Who takes part, and what each runs: a server over the origin, and the address of its page."""
import pathlib, subprocess
from dataclasses import dataclass

import geometry
from nginx import Nginx
from programs import Certificate, Child

POLICIES = ["lookahead", "collection-view", "texture", "operation-queue", "chromium-lazy"]
PEERS = ["virtual-abort", "virtual", "lazy"]
ALL = POLICIES + PEERS

# Trusts one more certificate, in this process alone.
TRUSTING = 'mount --bind "$0" /etc/ssl/certs/ca-certificates.crt && exec "$@"'


@dataclass
class Served:
    """A contender that is ready: its process, its port, and the page's path on it."""
    server: Child | Nginx
    scheme: str
    path: str

    @property
    def process(self) -> int:
        return self.server.process.pid


def serve(
    name: str, folder: pathlib.Path, origin: str, certificate: Certificate, lookahead: str,
    pictures: pathlib.Path | None = None, is_stored: bool = False) -> Served:
    """`pictures`: a folder in place of the origin's; `is_stored`: what is rendered is kept on the disk."""
    if name in POLICIES:
        cache = folder / "cache" if is_stored else "none"
        return Served(_lookahead(folder, origin, certificate, lookahead, pictures, cache), "http", f"/?policy={name}")
    if pictures:
        raise SystemExit(f"live.sh: {name} shows no folder")
    page = {"virtual": "/virtual.html", "virtual-abort": "/virtual.html#abort", "lazy": "/lazy.html"}[name]
    return Served(Nginx(folder, origin, certificate, cached=name != "virtual-abort"), "https", page)


def _lookahead(
    folder: pathlib.Path, origin: str, certificate: Certificate, program: str, pictures: pathlib.Path | None, cache) -> Child:
    if pictures is None:
        pictures = folder / "pictures.ndjson"
        pictures.write_text("".join(f'{{"url":"{origin}/{item}.jpg"}}\n' for item in range(geometry.ITEMS)))
    command = [
        program, "serve", pictures, "--port", "0", "--cache-directory", cache,
        "--allow-origin", origin.split("//")[1], "--allow-address", "127.0.0.0/8"]
    if origin.startswith("https"):
        trusted = folder / "trusted.pem"
        trusted.write_text(certificate.file.read_text())
        command = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", TRUSTING, trusted, *command]
    return Child(*command, errors=(folder / "lookahead.log").open("w"))


def can_trust() -> bool:
    """Whether a process may be shown another list of certificates, as Lookahead needs for an origin of our own over TLS."""
    return subprocess.run(["unshare", "--user", "--map-root-user", "--mount", "true"], capture_output=True).returncode == 0
