"""Requests that make no sense, the same ones for the same seed."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any

from tests.entrypoints.http.hostile.raw_client import HOST, JSON, request
from watchword.entrypoints.demo.seeding import API_KEY, TEMPLATE_ID
from watchword.entrypoints.settings import SANDBOX_ADMIN_TOKEN

LAST = b"Connection: close\r\n"
ROUTES = [
    ("POST", "/v1/pins"),
    ("POST", "/v1/pins/pin_1/resend"),
    ("POST", "/v1/pins/pin_1/verify"),
    ("GET", "/v1/templates"),
    ("POST", "/status"),
    ("GET", "/history"),
    *((method, "/opt/out/wa") for method in ("GET", "POST", "DELETE")),
    ("GET", "/health/live"),
    ("GET", "/openapi.json"),
    *(
        (method, f"/admin/v1/{name}")
        for name in (
            "accounts",
            "api-keys",
            "channel-accounts",
            "dlt-templates",
            "fallback-configurations",
            "pin-templates",
        )
        for method in ("GET", "POST")
    ),
    ("DELETE", "/admin/v1/api-keys/key_1"),
    ("PATCH", "/admin/v1/pin-templates/tpl_1"),
    ("POST", "/admin/v1/pin-templates/tpl_1/archive"),
    ("GET", "/admin/v1/verifications"),
    ("GET", "/admin/v1/events"),
    ("GET", "/admin/v1/streams/pin_1/events"),
    ("GET", "/sandbox/outbox"),
    ("POST", "/sandbox/clock/advance"),
    ("GET", "/nothing"),
]
BODIES: list[dict[str, Any]] = [
    {
        "destination": "+919812345610",
        "templateId": TEMPLATE_ID,
        "channels": ["sms"],
        "templateParams": {"1": "x"},
        "referenceId": "r",
    },
    {"pin": "123456"},
    {"name": "n", "channels": [{"channelType": "sms", "contentText": "{{pin}}"}], "pinLength": 6},
    {"name": "k", "scopes": ["pins"], "expiresAt": "2099-01-01T00:00:00Z"},
    {"channelType": "sms", "provider": "sandbox", "name": "c", "config": {"outcome": "accepted"}},
    {"fallback_id": "f", "steps": ["sms"]},
    {"messageIds": ["msg_1"]},
    {"recipients": ["+919812345610"]},
    {"templateId": "t", "entityId": "e", "text": "Tea {#var#}"},
    {"seconds": 1},
]
FILTERS = [
    *("page", "pageSize", "search", "status", "sortBy", "account", "from", "to", "after", "limit"),
    *("pageNo", "recipient", "mask", "channel", "destination", "templateId", "referenceId"),
]
HEADERS = [
    *("Authorization", "Idempotency-Key", "X-Request-Id", "Expect", "Content-Encoding", "Accept"),
    *("Cookie", "Upgrade", "X-Forwarded-For", "Host", "Content-Type", "Range"),
]
VALUES: list[Any] = [None, True, 0, -1, 1e308, 10**50, "", "\0", "\ud800", "é☃🍵", [], {}, [[]]]
VALUES += [{"": ""}, "x" * 5000, "{{1}}", "1/0s", "9" * 40, "2024-02-30T25:61:61Z", "%s%n"]


def nonsense(seed: int, count: int) -> list[bytes]:
    """Return so many requests."""
    random = Random(seed)
    kinds: list[Callable[[Random], bytes]] = [_bytes, _head, _target, _body, _body, _text]
    return [random.choice(kinds)(random) for _ in range(count)]


def _asked(
    random: Random, target: str, method: str, *headers: bytes, body: bytes | None = None
) -> bytes:
    right = SANDBOX_ADMIN_TOKEN if "admin" in target else API_KEY
    key = random.choice((right, right, right, right, "wrong", ""))
    keys = f"Authorization: Bearer {key}\r\napikey: {key}\r\n".encode()
    return request(target, HOST, LAST, keys, *headers, method=method, body=body)


def _bytes(random: Random) -> bytes:
    """Random bytes, with the ends of requests in them."""
    # Nothing but blank lines is no request yet, and gets no answer.
    return bytes([random.randint(32, 255)]) + random.randbytes(random.randint(0, 300)) + b"\r\n\r\n"


def _head(random: Random) -> bytes:
    """A request whose head has lost, doubled or changed some of its bytes."""
    method, target = random.choice(ROUTES)
    names = random.choices(HEADERS, k=random.randint(0, 4))
    headers = [f"{name}: {_value(random)}\r\n".encode("utf-8", "replace") for name in names]
    sent = bytearray(_asked(random, target, method, *headers))
    for _ in range(random.randint(0, 3)):
        sent[random.randrange(len(sent))] = random.randrange(256)
    return bytes(sent) + b"\r\n\r\n"


def _target(random: Random) -> bytes:
    """A path and a query that hold anything."""
    method, target = random.choice(ROUTES)
    piece = "".join(random.choices("/.%?&=#;:@+~'\"<>\\{}|^`01aZ", k=random.randint(0, 12)))
    at = random.randint(0, len(target))
    named = [f"{name}={_escaped(random)}" for name in random.choices(FILTERS, k=3)]
    whole = random.choice((target, target[:at] + piece + target[at:], target + "/" + piece))
    return _asked(random, f"{whole}?{'&'.join(named)}", method)


def _body(random: Random) -> bytes:
    """A body of which a member is missing, doubled or something else."""
    method, target = random.choice(ROUTES)
    body = dict(random.choice(BODIES))
    for name in random.choices([*body, "more"], k=random.randint(0, 2)):
        body[name] = random.choice(VALUES)
    keyed = (b"Idempotency-Key: k%d\r\n" % random.randrange(50),) * random.randint(0, 1)
    return _asked(random, target, method, JSON, *keyed, body=json.dumps(body).encode())


def _text(random: Random) -> bytes:
    """A body whose text has lost, doubled or changed some of its bytes."""
    method, target = random.choice(ROUTES)
    text = bytearray(json.dumps(random.choice(BODIES)).encode())
    for _ in range(random.randint(1, 4)):
        at = random.randrange(len(text))
        text[at : at + random.randint(0, 3)] = random.choice(
            (b"", b"[" * 200, b'"', b"\\", b"\\u0000", b"\\ud800", b"NaN", b"1e999", b"\xff", b"{")
        )
    return _asked(random, target, method, JSON, body=bytes(text))


def _value(random: Random) -> str:
    return random.choice(
        (
            "",
            "100-continue",
            "gzip",
            "websocket",
            "a" * 300,
            "\x01",
            "é",
            "*/*",
            "Bearer",
            "k 1",
            "x",
        )
    )


def _escaped(random: Random) -> str:
    return "".join(random.choices(("%00", "%ff", "%", "1", "-", "x", "%F0%9F", "+", "9999"), k=4))
