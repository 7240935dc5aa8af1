"""Scrolls a gallery and saves the pictures that the server pushes: python3 client.py SERVER GALLERY FOLDER [COUNT]"""
import base64
import json
import pathlib
import sys
import time
import urllib.request

if len(sys.argv) < 4:
    sys.exit(__doc__)
server, gallery, folder, count = (sys.argv[1:] + ["20"])[:4]
PATIENCE = 60  # seconds, for each response and for all pictures together


def call(method, path, body=None):
    data = None if body is None else json.dumps(body).encode()
    headers = {"Content-Type": "application/json"}
    return urllib.request.urlopen(urllib.request.Request(f"{server}{path}", data, headers, method=method), timeout=PATIENCE)


session = json.load(call("POST", "/api/v1/sessions", {"gallery": gallery, "viewport": {"width": 800, "height": 600}}))
path = f"/api/v1/sessions/{session['id']}"
events = call("GET", f"{path}/events?only=thumbnail")
for step in range(1, 4):
    plan = json.load(call("POST", f"{path}/viewport", {"seq": session["seq"] + step, "time": step * 100, "scrollTop": step * 600}))
    print("visible:", plan["visible"], "fetched ahead:", plan["prefetch"][:8])
saved = set()
deadline = time.monotonic() + PATIENCE
while len(saved) < int(count):
    if time.monotonic() > deadline:  # keep-alive comments arrive every 15 seconds
        sys.exit(f"only {len(saved)} of {count} pictures arrived within {PATIENCE} seconds")
    line = events.readline()
    if not line.startswith(b'data: {"item"'):
        continue
    picture = json.loads(line.removeprefix(b"data: "))
    if picture["tier"] == "full":
        saved.add(picture["item"])
        name = f"{picture['item']}.{picture['mediaType'].removeprefix('image/')}"
        pathlib.Path(folder, name).write_bytes(base64.b64decode(picture["data"]))
call("DELETE", path)
print(len(saved), "pictures saved")
