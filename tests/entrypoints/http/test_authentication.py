"""Authentication: keys, scopes, expiry, revocation (C-6, C-8, C-35)."""

import asyncio
from typing import Any

import pytest

from tests.entrypoints.caller import Caller, Reply

CALLS = [
    ("POST", "/v1/pins"),
    ("POST", "/v1/pins/pin_1/resend"),
    ("POST", "/v1/pins/pin_1/verify"),
    ("GET", "/v1/templates"),
]


async def new_key(caller: Caller, **options: object) -> dict[str, Any]:
    """Make a key for the demo account."""
    body = {"name": "web shop", **options}
    made: dict[str, Any] = await caller.operated("POST", "/api-keys", body)
    return made


@pytest.mark.parametrize(("method", "path"), CALLS)
@pytest.mark.parametrize(
    "said",
    ["", "Bearer", "Bearer ", "Basic sandbox-key", "sandbox-key", "Bearer sandbox", "Bearer é"],
)
async def test_without_a_valid_key_it_is_401(
    caller: Caller, method: str, path: str, said: str
) -> None:
    """A missing, malformed or unknown key: unauthorized, with WWW-Authenticate (C-8)."""
    reply = await caller.using(None).ask(method, path, headers={"Authorization": said})

    assert (401, "unauthorized") == reply.refusal
    assert "Authorization: Bearer <API_KEY>" in reply.error["message"]
    assert "Bearer" == reply.headers["WWW-Authenticate"]


async def raw(caller: Caller, head: bytes) -> Reply:
    """Send bytes that no client library would send, and read the answer."""
    url = caller.endpoint.make_url("/")
    reader, writer = await asyncio.open_connection(url.host, url.port)
    writer.write(head + b"\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    first, _, rest = (await reader.read()).partition(b"\r\n")
    writer.close()
    await writer.wait_closed()
    lines, _, body = rest.partition(b"\r\n\r\n")
    headers = dict(line.split(": ", 1) for line in lines.decode().split("\r\n"))
    return Reply(int(first.split()[1]), headers, body)


@pytest.mark.parametrize("path", [b"/v1/templates", b"/admin/v1/accounts"])
async def test_a_key_of_bytes_that_are_no_text_is_401(caller: Caller, path: bytes) -> None:
    """Bytes that are no UTF-8 are no key, for callers and operators."""
    head = b"GET " + path + b" HTTP/1.1\r\nAuthorization: Bearer \xff\xfe"

    assert (401, "unauthorized") == (await raw(caller, head)).refusal


@pytest.mark.parametrize("path", [b"/v1/templates", b"/admin/v1/accounts"])
async def test_two_keys_are_no_key(caller: Caller, path: bytes) -> None:
    """A proxy may have checked either of two Authorization headers, so neither counts."""
    head = b"GET " + path + b" HTTP/1.1"
    for key in (b"sandbox-key", b"sandbox-admin"):
        head += b"\r\nAuthorization: Bearer " + key

    assert (401, "unauthorized") == (await raw(caller, head)).refusal


async def test_the_apikey_header_is_for_messaging(caller: Caller) -> None:
    """Under /v1 the key comes as a bearer token, and in no other header (C-6)."""
    reply = await caller.using(None).get("/v1/templates", headers={"apikey": "sandbox-key"})

    assert (401, "unauthorized") == reply.refusal


@pytest.mark.parametrize(("method", "path"), CALLS)
async def test_a_key_without_the_scope_is_403(caller: Caller, method: str, path: str) -> None:
    """A key for messaging alone opens nothing of the PIN service (C-8)."""
    made = await new_key(caller, scopes=["messaging"])
    reply = await caller.using(made["key"]).ask(method, path)

    assert (403, "forbidden") == reply.refusal


async def test_a_key_with_the_scope_opens(caller: Caller) -> None:
    """The scope `pins` is enough, and a new key has all scopes by default (C-35)."""
    narrow = await new_key(caller, scopes=["pins"])
    wide = await new_key(caller)

    assert 200 == (await caller.using(narrow["key"]).templates()).status
    assert 200 == (await caller.using(wide["key"]).templates()).status
    assert ["messaging", "pins"] == wide["scopes"]


async def test_a_key_expires(caller: Caller) -> None:
    """It opens nothing from its expiry on (C-6)."""
    now = (await caller.post("/sandbox/clock/advance", {"seconds": 1})).json["now"]
    year = int(now[:4]) + 1
    made = await new_key(caller, expiresAt=f"{year}{now[4:]}")
    holder = caller.using(made["key"])

    assert 200 == (await holder.templates()).status

    await caller.advance(366 * 24 * 3600)

    assert (401, "unauthorized") == (await holder.templates()).refusal


async def test_a_revoked_key_is_refused_at_once(caller: Caller) -> None:
    """On this node not one more call gets through (C-6)."""
    made = await new_key(caller)
    holder = caller.using(made["key"])

    assert 200 == (await holder.templates()).status

    revoked = await caller.operated("DELETE", f"/api-keys/{made['id']}")

    assert (401, "unauthorized") == (await holder.templates()).refusal
    assert revoked["revokedAt"] is not None
    assert "key" not in revoked


async def test_a_key_is_told_once(caller: Caller) -> None:
    """Lists and the history show the prefix, never the key or its hash (C-6, C-31)."""
    made = await new_key(caller)
    listed = (await caller.operate("GET", "/api-keys")).body
    (event,) = await caller.events(made["id"])

    assert made["key"].startswith(made["prefix"])
    assert made["key"].encode() not in listed
    assert made["prefix"].encode() in listed
    assert "***" == event["data"]["keyHash"]


async def test_the_last_use_is_known(caller: Caller) -> None:
    """A key's record says when it was used last, and not every use is an event (C-6, D-6)."""
    made = await new_key(caller)
    for _ in range(3):
        await caller.using(made["key"]).templates()
    rows = (await caller.operated("GET", "/api-keys"))["data"]
    used = next(each["lastUsedAt"] for each in rows if each["id"] == made["id"])

    assert made["lastUsedAt"] is None
    assert used >= made["createdAt"]
    assert ["ApiKeyCreated", "ApiKeyUsed"] == await caller.story(made["id"])
