"""nginx as a server of thumbnails: `image_filter` over the origin's pictures, behind HTTP/2."""
import os, pathlib, signal, socket, subprocess, time

import geometry
from programs import HERE, Certificate, end_with_parent

PROGRAM = "/usr/sbin/nginx"
MODULE = pathlib.Path("/usr/lib/nginx/modules/ngx_http_image_filter_module.so")


def is_installed() -> bool:
    return os.access(PROGRAM, os.X_OK) and MODULE.exists()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Nginx:
    """Two workers, as Lookahead has two processes that render. Cached: thumbnails are kept by `proxy_cache`, which fetches a
    picture to its end once it has begun. Uncached: a client that gives up ends the download."""

    def __init__(self, folder: pathlib.Path, origin: str, certificate: Certificate, cached: bool):
        self.folder = folder
        for name in ("temp", "cache"):
            (folder / name).mkdir(parents=True, exist_ok=True)
        self.port, thumbnails = free_port(), free_port()
        (folder / "nginx.conf").write_text(self._configuration(origin, certificate, cached, thumbnails))
        self.process = subprocess.Popen(
            [PROGRAM, "-p", str(folder), "-c", str(folder / "nginx.conf"), "-e", str(folder / "errors.log")],
            start_new_session=True, preexec_fn=end_with_parent)
        for _ in range(100):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            if self.process.poll() is not None:
                break
            time.sleep(0.05)
        self.stop()
        raise SystemExit(f"nginx did not start: {(folder / 'errors.log').read_text()}")

    def _configuration(self, origin: str, certificate: Certificate, cached: bool, thumbnails: int) -> str:
        width, height = geometry.THUMBNAIL
        temporary = " ".join(
            f"{kind}_temp_path {self.folder}/temp;" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        thumbnail = f"""
            image_filter resize {width} {height}; image_filter_buffer 4M; image_filter_jpeg_quality 80;
            rewrite ^/pictures(/.*)$ $1 break;
            proxy_pass {origin.split(":")[0]}://origin; proxy_http_version 1.1; proxy_set_header Connection "";
            proxy_ssl_verify off;"""
        keeping = f"""
            proxy_pass http://127.0.0.1:{thumbnails}; proxy_http_version 1.1;
            proxy_cache thumbnails; proxy_cache_valid 200 1d;"""
        return f"""
            load_module {MODULE};
            {"user root;" if os.getuid() == 0 else ""}
            daemon off; worker_processes 2; pid {self.folder}/nginx.pid; error_log {self.folder}/errors.log error;
            events {{ worker_connections 4096; }}
            http {{
                types {{ text/html html; text/css css; image/jpeg jpg; }}
                access_log off; {temporary} keepalive_requests 100000;
                proxy_cache_path {self.folder}/cache keys_zone=thumbnails:10m;
                upstream origin {{ server {origin.split("//")[1]}; keepalive 64; }}
                server {{
                    listen 127.0.0.1:{self.port} ssl http2;
                    ssl_certificate {certificate.file}; ssl_certificate_key {certificate.key};
                    location / {{ root {HERE}/Pages; }}
                    location /pictures/ {{ expires 1d; {keeping if cached else thumbnail} }}
                }}
                {f"server {{ listen 127.0.0.1:{thumbnails}; location / {{ {thumbnail} }} }}" if cached else ""}
            }}
            """

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
