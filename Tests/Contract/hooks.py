"""How Schemathesis writes a body that it has no writer for."""

import json

import schemathesis


@schemathesis.serializer("application/x-ndjson")
def lines(ctx, value):
    """Lines of items; what is no text is written as the JSON it is."""
    return value.encode("utf-8", "replace") if isinstance(value, str) else json.dumps(value).encode()
