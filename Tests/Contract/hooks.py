"""Serializer for a kind of body that Schemathesis cannot write."""

import json

import schemathesis


@schemathesis.serializer("application/x-ndjson")
def lines(ctx, value):
    """Returns lines of items. Writes values that are not text as JSON."""
    return value.encode("utf-8", "replace") if isinstance(value, str) else json.dumps(value).encode()
