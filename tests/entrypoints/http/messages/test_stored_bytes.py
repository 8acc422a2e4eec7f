"""The stored bytes of a send stay in proportion to its body (C-94)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.entrypoints.caller import Caller
from tests.entrypoints.conftest import EVERY_STORE
from watchword.entrypoints.settings import Settings

STORES = EVERY_STORE

RECIPIENTS, CALLS = 250, 6
# The bytes of an entry beside its content: two events, a row, a person who is new, their places in indexes.
ENTRY = 5_120
# Nearly 32 KiB, as the size of a content is counted.
TEXT = "Oolong" * 100
SECTIONS = [{"title": "Tea", "product_items": [{"product_retailer_id": TEXT * 53}]}]
CATALOGUE: Mapping[str, Any] = {
    "type": "product_list",
    "header": {"type": "text", "text": "The house"},
    "body": {"text": "Tea?"},
    "action": {"catalog_id": "tea", "sections": SECTIONS},
}


def wa(call: int, recipients: int, **content: Any) -> dict[str, Any]:
    """Write one WhatsApp object for many numbers, none of which ever wrote."""
    return {
        "messaging_product": "whatsapp",
        "recipient_type": "individual",
        "sender": "+15550100",
        "recipient": [f"+4477{call:02}{n:06}" for n in range(recipients)],
        **content,
    }


def session(call: int, recipients: int = 50) -> dict[str, Any]:
    """Write a session message: every entry is rejected without a try."""
    return {"wa": [wa(call, recipients, type="interactive", interactive=CATALOGUE)]}


def template(call: int, recipients: int = 50) -> dict[str, Any]:
    """Write a template message, which is sent, with a link of each recipient's own."""
    texts = ("Tea at https://tea.example/menu.", TEXT)
    parameters = [{"type": "text", "text": text} for text in texts]
    components = [{"type": "body", "parameters": parameters}]
    demo = {"name": "demo", "language": {"code": "en"}, "components": components}
    links = [{"longUrl": "https://tea.example/menu", "track_user": 1}]
    return {
        "wa": [wa(call, recipients, type="template", template=demo)],
        "urlShortener": {"flag": 1, "urlDetails": links},
    }


@pytest.mark.parametrize(("write", "stored"), [(session, 0), (template, 2)])
async def test_a_content_is_in_the_log_once_a_call(caller: Caller, write: Any, stored: int) -> None:
    """On every store; the content of an entry rejected without a try is absent."""
    for call in range(2):
        assert 200 == (await caller.send(**write(call))).status
    log = json.dumps(await caller.operated("GET", "/events?limit=1000&mask=false"))

    assert 100 == log.count('"MessageSubmitted"')
    assert stored == log.count(TEXT)


@pytest.mark.stores("sqlite")
async def test_a_database_grows_with_what_came_in(caller: Caller, settings: Settings) -> None:
    """The reviewer's six requests: 217 KB added 48 MB, and every entry was rejected."""
    before = size_of(settings)
    came_in = 0
    for call in range(CALLS):
        body = session(call, RECIPIENTS)
        came_in += len(json.dumps(body))
        reply = await caller.send(**body)
        assert 200 == reply.status
        assert {"rejected"} == {entry["status"] for entry in reply.json["data"]}

    assert size_of(settings) - before <= came_in + RECIPIENTS * CALLS * ENTRY


def size_of(settings: Settings) -> int:
    """Return the bytes of a SQLite store: its file and its write-ahead log."""
    assert settings.store is not None
    path = Path(settings.store.removeprefix("sqlite:///"))
    return sum(each.stat().st_size for each in path.parent.glob(f"{path.name}*"))
