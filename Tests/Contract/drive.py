"""Tests a session with a generated client: opens the session, scrolls, fetches a picture, and ends the session.

    python3 drive.py SERVER GALLERY
"""
import sys

from client import Client
from client.api.galleries import get_gallery, get_thumbnail, list_items
from client.api.sessions import delete_session, get_session, open_session, update_viewport
from client.models import NewSession, NewSessionViewport, Update

server, name = sys.argv[1:]
with Client(base_url=server, raise_on_unexpected_status=True) as client:
    gallery = get_gallery.sync(name, client=client)
    session = open_session.sync(
        client=client, body=NewSession(gallery=name, viewport=NewSessionViewport(width=800, height=600)))
    assert session.item_count == gallery.item_count > 0
    plan = update_viewport.sync(
        session.id, client=client, body=Update(seq=session.seq + 1, time=100, scroll_top=2000, width=800, height=600))
    assert plan.scroll_top == 2000 and plan.visible.from_ > 0
    assert get_session.sync(session.id, client=client).visible == plan.visible
    items = list_items.sync(name, client=client, from_=plan.visible.from_, count=3).items
    picture = get_thumbnail.sync_detailed(name, items[0].item, client=client, width=128).content
    assert picture.startswith((b"\xff\xd8\xff", b"\x89PNG", b"RIFF")), picture[:8]
    assert delete_session.sync_detailed(session.id, client=client).status_code == 204
    assert get_session.sync_detailed(session.id, client=client).status_code == 404
print(f"{session.item_count} items, {len(picture)} bytes of {items[0].title!r}")
