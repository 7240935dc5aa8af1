"""A bucket that lets in only who signs as AWS Signature Version 4 says (docs.aws.amazon.com, "Create a signed AWS API request").

Written from that text alone, it shares nothing with the client that it judges. Two keys a page; each object is the file named.
    bucket.py FILE KEY...        prints "Listening on http://127.0.0.1:PORT"
"""
import hashlib
import hmac
import http.server
import sys
import urllib.parse
import xml.sax.saxutils

ACCESS, SECRET, REGION, BUCKET = "AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG:bPxRfiCYEXAMPLEKEY", "eu-test-1", "pictures"
PICTURE = open(sys.argv[1], "rb").read()
KEYS = sorted(key.encode() for key in sys.argv[2:])
ETAG = hashlib.md5(PICTURE).hexdigest()


def escape(text, safe=""):
    return urllib.parse.quote(text, safe=safe + "-_.~")


def signature(handler):
    """What the header Authorization should say of this request, and the reason where it cannot be told."""
    word, _, rest = handler.headers.get("Authorization", "").partition(" ")
    fields = dict(part.strip().split("=", 1) for part in rest.split(",") if "=" in part)
    if word != "AWS4-HMAC-SHA256" or not {"Credential", "SignedHeaders", "Signature"} <= fields.keys():
        return None, "no signature"
    digest, stamp = handler.headers.get("x-amz-content-sha256"), handler.headers.get("x-amz-date", "")
    names = fields["SignedHeaders"].split(";")
    if digest != hashlib.sha256(b"").hexdigest() or not {"host", "x-amz-date", "x-amz-content-sha256"} <= set(names):
        return None, "the digest of the body or a header is not signed"
    scope = "/".join([stamp[:8], REGION, "s3", "aws4_request"])
    if fields["Credential"] != f"{ACCESS}/{scope}":
        return None, "another credential"
    path, _, query = handler.path.partition("?")
    path = escape(urllib.parse.unquote_to_bytes(path), safe="/")
    pairs = [part.partition("=")[::2] for part in query.split("&") if part]
    pairs = sorted((escape(urllib.parse.unquote_to_bytes(a)), escape(urllib.parse.unquote_to_bytes(b))) for a, b in pairs)
    headers = "".join(f"{name}:{' '.join(handler.headers.get(name, '').split())}\n" for name in names)
    canonical = "\n".join(
        ["GET", path, "&".join(f"{a}={b}" for a, b in pairs), headers, ";".join(names), digest])
    text = "\n".join(["AWS4-HMAC-SHA256", stamp, scope, hashlib.sha256(canonical.encode()).hexdigest()])
    key = ("AWS4" + SECRET).encode()
    for part in [stamp[:8], REGION, "s3", "aws4_request"]:
        key = hmac.new(key, part.encode(), hashlib.sha256).digest()
    expected = hmac.new(key, text.encode(), hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected, fields["Signature"]), "the signature is another"


def listing(query):
    """Two keys a page, as ListObjectsV2 answers."""
    wanted = dict(urllib.parse.parse_qsl(query, keep_blank_values=True, encoding="latin-1"))
    prefix = wanted.get("prefix", "").encode("latin-1")
    keys = [key for key in KEYS if key.startswith(prefix)]
    start = int(wanted.get("continuation-token", "+/=0").lstrip("+/="))
    page, more = keys[start : start + 2], start + 2 < len(keys)
    contents = "".join(
        f"<Contents><Key>{xml.sax.saxutils.escape(escape(key, safe='/').replace('%20', '+'))}</Key>"
        f"<ETag>&quot;{ETAG}&quot;</ETag><Size>{len(PICTURE)}</Size></Contents>"
        for key in page)
    token = f"<NextContinuationToken>+/={start + 2}</NextContinuationToken>" if more else ""
    return (
        f'<?xml version="1.0"?><ListBucketResult><Name>{BUCKET}</Name><EncodingType>url</EncodingType>'
        f"<IsTruncated>{str(more).lower()}</IsTruncated>{token}{contents}</ListBucketResult>").encode()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        isRight, reason = signature(self)
        path, _, query = self.path.partition("?")
        key = urllib.parse.unquote_to_bytes(path)[len(BUCKET) + 2 :]
        if not isRight:
            self.answer(403, f"<Error><Message>{reason}</Message></Error>".encode())
        elif path == f"/{BUCKET}":
            self.answer(200, listing(query))
        elif key in KEYS:
            self.answer(200, PICTURE, ETag=f'"{ETAG}"')
        else:
            self.answer(404, b"<Error><Code>NoSuchKey</Code></Error>")

    def answer(self, status, body, **headers):
        print(status, self.path, flush=True)
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *words):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(f"Listening on http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
