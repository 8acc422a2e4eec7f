"""The server's answers match the document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from aiohttp.test_utils import TestClient

from tests.entrypoints.message_templates.creating_rcs import BOUNDARY, QUESTION, TEXT, form, texts
from tests.entrypoints.message_templates.creating_whatsapp import TEXT as WA_TEXT
from tests.entrypoints.openapi.described import Document, Operation
from tests.entrypoints.openapi.walk import SUBMITTING, Visit, Walk, walk_everything
from watchword.entrypoints.demo.seeding import API_KEY, TEMPLATE_ID
from watchword.entrypoints.http.statuses import STATUSES
from watchword.entrypoints.legacy.answer_bodies import LOGIN_PATH, RATING_PATH, SEND_PATH
from watchword.entrypoints.settings import SANDBOX_ADMIN_TOKEN

# PersonRef only where the store fails, a code path does, a race is lost, or a client is hostile
# (tests/entrypoints/http/hostile).
NOT_IN_THE_WALK = {
    "expectation_failed",
    "fallback_configuration_not_found",
    "heads_out_of_reach",
    "headers_too_large",
    "idempotency_in_progress",
    "internal_error",
    "log_damaged",
    "log_forked",
    "log_key_missing",
    "log_not_sealed",
    "request_timeout",
    # The demo's templates are approved, and no other account has any yet.
    "template_not_approved",
    "unavailable",
}

PIN: dict[str, Any] = {"destination": "+919812345610", "templateId": TEMPLATE_ID}
TEMPLATE: dict[str, Any] = {"name": "t", "channels": [{"channelType": "sms"}]}
KEY: dict[str, Any] = {"name": "k"}
TOKEN: dict[str, Any] = {"name": "t", "role": "auditor"}
ACCOUNT: dict[str, Any] = {"name": "a"}
CHANNEL_ACCOUNT: dict[str, Any] = {"channelType": "sms", "provider": "sandbox", "name": "c"}
DLT: dict[str, Any] = {"templateId": "t", "entityId": "e", "text": "Tea {#var#}"}
DLT_VALUES: tuple[dict[str, Any], ...] = (
    {},
    {"templateId": ""},
    {"templateId": "x" * 64},
    {"templateId": "x" * 65},
    {"entityId": None},
    {"entityId": 1},
    {"text": ""},
    {"text": "é" * 4_096},
    {"text": "x" * 4_097},
)
QUESTIONS: tuple[dict[str, Any], ...] = (
    {},
    *({"channel": each} for each in ("rcs", "SMS", "wa", "WhatsApp", "", None, 1)),
    *({"senderProfile": each} for each in ("x" * 64, "x" * 65, "", None, 1)),
    *({"messageType": each} for each in ("otp", "PROMOTIONAL", "Promo", "", None, 1)),
    *({"status": each} for each in ("approved", "Draft", "", None, 1)),
    *({"createdDate": each} for each in ("2031-05-04 12:00:00", "2031-05-04", "", None, 1)),
    *({"templateName": each} for each in ("teas", "", None, 1)),
    *({"pageNo": each} for each in (0, 10**30, -1, "0", None, True)),
    *({"limit": each} for each in (0, 101, -1, "25", None, False)),
    {"channel": "wa", "senderProfile": None, "messageType": None},
    {"channel": "wa", "senderProfile": "", "messageType": ""},
    {"channel": "wa", "messageType": "utility"},
    {"channel": "wa", "messageType": "Promotional"},
)
PRICE: dict[str, Any] = {"prefix": "44", "amount": "0.04", "currency": "GBP"}
FALLBACK: dict[str, Any] = {"fallback_id": "f", "steps": ["sms"]}
TOLD: dict[str, Any] = {"providerMessageId": "p-1", "status": "SENT"}
WROTE: dict[str, Any] = {"channel": "wa", "from": "+1", "to": "+15550100", "text": "Hi"}

CREATE_PIN = Operation("post", "/v1/pins")
VERIFY_PIN = Operation("post", "/v1/pins/{pinId}/verify")
CREATE_TEMPLATE = Operation("post", "/admin/v1/pin-templates")
CREATE_KEY = Operation("post", "/admin/v1/api-keys")
CREATE_TOKEN = Operation("post", "/admin/v1/tokens")
CREATE_ACCOUNT = Operation("post", "/admin/v1/accounts")
SET_LIMITS = Operation("put", "/admin/v1/accounts/{id}/limits")
SET_GUARD = Operation("put", "/admin/v1/guard")
CREATE_CHANNEL_ACCOUNT = Operation("post", "/admin/v1/channel-accounts")
CHANGE_ACCOUNT = Operation("patch", "/admin/v1/channel-accounts/{id}")
CREATE_DLT_TEMPLATE = Operation("post", "/admin/v1/dlt-templates")
OPT_OUT = Operation("post", "/opt/out/wa")
CREATE_FALLBACK = Operation("post", "/admin/v1/fallback-configurations")
CHECK_STATUS = Operation("post", "/status")
FETCH = Operation("post", "/oapi/templates/fetch")
APPROVE = Operation("post", "/admin/v1/rcs-templates/{name}/approve")
CREATE_WHATSAPP = Operation("post", "/wa/templates")
APPROVE_WHATSAPP = Operation("post", "/admin/v1/wa-templates/{name}/approve")
ADVANCE = Operation("post", "/sandbox/clock/advance")
REPORT = Operation("post", "/callbacks/{channelAccountId}")
RECEIPT = Operation("post", "/sandbox/receipts")
INBOUND = Operation("post", "/sandbox/inbound")

NAMES: tuple[Any, ...] = ("", " ", "a b", " a", "a ", "x" * 200, "x" * 201, 1)
NO_CHANNELS: tuple[Any, ...] = ([], [{}], None, {})
WHATSAPP_CHANGES: list[dict[str, Any]] = [
    {},
    *({"name": each} for each in ("a" * 512, "a" * 513, "Tea", "", None, 1)),
    *({"language": each} for each in ("fil", "en-US", "", None, 1)),
    *({"category": each} for each in ("marketing", "TEA", "", None, 1)),
    {"components": []},
    {"components": {}},
    {"components": None},
    {"components": [1]},
    {"components": [{"type": "TEA"}]},
    *({"components": [{"type": "body", "text": each}]} for each in ("é" * 1_024, "x" * 1_025)),
]
NO_CONFIGS: tuple[Any, ...] = ({}, None, [], "x")
CHANNEL_SETTINGS: list[dict[str, Any]] = [
    {"limits": None},
    {"limits": {}},
    *({"limits": {"concurrency": each}} for each in (None, 0, 1, 512, 513, 1.5, "1", True)),
    *({"limits": {"ratePerSecond": each}} for each in (0, 0.001, 10_000, 10_000.5, "1", True)),
    *({"limits": {"timeoutSeconds": each}} for each in (0.9, 1, 20, 20.1, "1", True)),
    *({"prices": [{**PRICE, "prefix": each}]} for each in ("", "1" * 15, "1" * 16, "+44", 44)),
    *({"prices": [{**PRICE, "amount": each}]} for each in ("1", "0.01", ".5", "1e3", "-1", 1)),
    *({"prices": [{**PRICE, "currency": each}]} for each in ("EUR", "eur", "EURO", "", None)),
]
BODIES: list[tuple[Operation, Any]] = [
    *((CREATE_PIN, PIN | {"destination": each}) for each in ("", "x" * 64, "x" * 65, None, 1)),
    *((CREATE_PIN, PIN | {"templateId": each}) for each in ("", "x" * 200, "x" * 201)),
    *((CREATE_PIN, PIN | {"referenceId": each}) for each in ("", "é" * 200, "x" * 201, None)),
    *(
        (CREATE_PIN, PIN | {"channels": each})
        for each in ([], ["sms", "sms"], ["rcs"], ["SMS"], "sms", None, [None])
    ),
    *(
        (CREATE_PIN, PIN | {"templateParams": each})
        for each in ({}, {"0": "x"}, {"1000": "x"}, {"x": "x"}, {"1": 1}, {"1": "x" * 1001}, None)
    ),
    (CREATE_PIN, PIN | {"unknown": 10**40}),
    (CREATE_PIN, {}),
    (CREATE_PIN, []),
    *(
        (VERIFY_PIN, {"pin": each})
        for each in ("", " \n", "1", " 1 ", "x" * 64, f"  {'x' * 64}  ", "x" * 65, "ß" * 64, 123456)
    ),
    (VERIFY_PIN, {}),
    *((CREATE_TEMPLATE, TEMPLATE | {"pinLength": each}) for each in (3, 4, 10, 11, "6", 6.5, True)),
    *((CREATE_TEMPLATE, TEMPLATE | {"pinAttempts": each}) for each in (0, 1, 100, 101, None)),
    *(
        (SET_LIMITS, {name: each})
        for name, most in (
            ("requestsPerSecond", 100_000),
            ("storedBytesPerDay", 2**53),
            ("mediaBytes", 2**53),
        )
        for each in (None, -1, 0, 1, most, most + 1, "1", 1.5, True)
    ),
    *((CREATE_TEMPLATE, TEMPLATE | {"pinType": each}) for each in ("hex", "HEX", None)),
    *((SET_GUARD, {"numbers": {"mode": each}}) for each in ("off", "enforce", "OFF", None, 1)),
    *(
        (SET_GUARD, {"guesses": {"limit": each}})
        for each in ("1/s", "20/1h", "0/1d", "20", "1/0s", None, 20)
    ),
    *((SET_GUARD, {"unverified": {"country": {"limit": each}}}) for each in ("1/s", None, 20)),
    *((SET_GUARD, {"countries": {"allow": each}}) for each in (["IN"], [], ["in"], None, "IN")),
    *((SET_GUARD, {"verifiedPass": each}) for each in ("1d", "0d", None, 90)),
    *(
        (CREATE_TEMPLATE, TEMPLATE | {"pinTimeToLive": each})
        for each in ("1ms", "0s", "000m", "010m", "10", "m", "10M", "1.5s", "1000000000ms", 10)
    ),
    *((CREATE_TEMPLATE, TEMPLATE | {"resendCooldown": each}) for each in ("0s", "0", "1d", "-1s")),
    *(
        (CREATE_TEMPLATE, TEMPLATE | {"verifyPinLimit": each})
        for each in ("1/s", "1/0s", "1/00m", "0/s", "00/1s", "01/01s", "1/1", "1", "/s", "1/ s")
    ),
    *((CREATE_TEMPLATE, TEMPLATE | {"name": each}) for each in NAMES),
    *((CREATE_TEMPLATE, TEMPLATE | {"channels": each}) for each in NO_CHANNELS),
    *(
        (CREATE_TEMPLATE, TEMPLATE | {"channels": [{"channelType": "whatsapp"} | each]})
        for each in (
            {"channelType": "rcs"},
            {"contentText": "x" * 10_000},
            {"contentText": "x" * 10_001},
            {"contentText": None, "subjectText": None, "unicode": None, "languageCode": None},
            {"copyCodeButtonIndex": 0},
            {"copyCodeButtonIndex": -1},
            {"pinPlaceholder": ""},
            {"pinPlaceholder": "x" * 64},
            {"pinPlaceholder": "x" * 65},
            {"paramDefaults": {"0": "x"}},
            {"paramDefaults": {"12": "x"}},
            {"paramDefaults": None},
            {"isDefault": None},
            {"unicode": "yes"},
        )
    ),
    *((CREATE_KEY, KEY | {"name": each}) for each in NAMES),
    *((CREATE_KEY, KEY | {"scopes": each}) for each in ([], ["pins"], ["all"], None)),
    *(
        (CREATE_KEY, KEY | {"expiresAt": each})
        for each in ("2099-01-01T00:00:00Z", "2099-01-01T00:00:00+05:30", "soon", None, 4070908800)
    ),
    *((CREATE_KEY, KEY | {"templateAutoMatch": each}) for each in (True, None, 1)),
    *((CREATE_TOKEN, TOKEN | {"name": each}) for each in NAMES),
    *((CREATE_TOKEN, TOKEN | {"role": each}) for each in ("operator", "root", "", None, 1)),
    *((CREATE_TOKEN, TOKEN | {"clear": each}) for each in (True, None, 1)),
    *((CREATE_TOKEN, TOKEN | {"account": each}) for each in ("demo", None, 1)),
    *(
        (CREATE_TOKEN, TOKEN | {"expiresAt": each})
        for each in ("2099-01-01T00:00:00Z", "soon", None)
    ),
    (CREATE_TOKEN, {"name": "t"}),
    *((CREATE_ACCOUNT, ACCOUNT | {"name": each}) for each in NAMES),
    *(
        (CREATE_CHANNEL_ACCOUNT, CHANNEL_ACCOUNT | each)
        for each in (
            {"channelType": "rcs"},
            {"channelType": "fax"},
            {"provider": "pigeon"},
            {"name": ""},
            {"sender": None},
            {"config": {"outcome": "timeout"}},
            {"config": {"outcome": "lost"}},
            {"config": {"mirror": "udp://127.0.0.1:9999"}},
            {"config": {"mirror": "udp://example.com:9999"}},
            {"config": {"mirror": 9999}},
            {"config": None},
            {"failover": None},
            {"failover": ["cha_0"] * 9},
            {"failoverOnUnknown": True},
            {"failoverOnUnknown": "yes"},
        )
    ),
    *((CREATE_CHANNEL_ACCOUNT, CHANNEL_ACCOUNT | each) for each in CHANNEL_SETTINGS),
    *((CHANGE_ACCOUNT, each) for each in CHANNEL_SETTINGS),
    *((CHANGE_ACCOUNT, {"sender": each}) for each in (None, "", "Tea", 1)),
    *((CHANGE_ACCOUNT, {"config": config}) for config in NO_CONFIGS),
    (CHANGE_ACCOUNT, {"config": {"outcome": None}}),
    *((CHANGE_ACCOUNT, {"name": each}) for each in NAMES),
    *(
        (CREATE_FALLBACK, FALLBACK | {"fallback_id": each})
        for each in ("", " ", "a b", "é", "x" * 64, "x" * 65, None, 1)
    ),
    *(
        (CREATE_FALLBACK, FALLBACK | {"fallback_id": f"f{number}", "steps": each})
        for number, each in enumerate(
            (
                ["wa"],
                ["rcs", "email"],
                ["sms", "sms"],
                ["fax"],
                [],
                ["sms", "wa", "rcs"],
                "sms",
                None,
            )
        )
    ),
    *(
        (CHECK_STATUS, {"messageIds": each})
        for each in ([], [""], ["msg_0"] * 100, ["msg_0"] * 101, [1], [None], "msg_0", None)
    ),
    *(
        (CREATE_DLT_TEMPLATE, {**DLT, "templateId": f"t{number}", **each})
        for number, each in enumerate(DLT_VALUES)
    ),
    (CREATE_DLT_TEMPLATE, {}),
    *(
        (OPT_OUT, {"recipients": each})
        for each in ([], ["+1"], ["+1"] * 1_000, ["+1"] * 1_001, [""], ["x" * 65], [1], "+1", None)
    ),
    (OPT_OUT, {}),
    *((FETCH, QUESTION | each) for each in QUESTIONS),
    (FETCH, {}),
    *(
        (APPROVE, each)
        for each in (
            {},
            {"account": None, "senderProfile": None, "reason": None},
            {"reason": "é" * 1_000},
            {"reason": "x" * 1_001},
            {"reason": 1},
            {"senderProfile": ["x"]},
        )
    ),
    *((CREATE_WHATSAPP, {**WA_TEXT, **each}) for each in WHATSAPP_CHANGES),
    (CREATE_WHATSAPP, {}),
    *(
        (APPROVE_WHATSAPP, each)
        for each in (
            {},
            {"account": None, "language": None, "reason": None},
            {"language": "en_US", "reason": "é" * 1_000},
            {"reason": "x" * 1_001},
            {"language": 1},
        )
    ),
    (CHECK_STATUS, {}),
    (CHECK_STATUS, {"messageIds": ["pin_0"], "more": 1}),
    *(
        (operation, TOLD | each)
        for operation in (REPORT, RECEIPT)
        for each in (
            {},
            {"status": "read"},
            {"status": None},
            {"status": ["READ"]},
            {"errorCode": "gone"},
            {"errorCode": ""},
            {"errorCode": None},
            {"errorCode": "x" * 200},
            {"errorCode": "x" * 201},
            {"providerMessageId": ""},
            {"providerMessageId": "é"},
            {"providerMessageId": "a b"},
            {"providerMessageId": "x" * 200},
            {"providerMessageId": "x" * 201},
            {"providerMessageId": None},
        )
    ),
    (REPORT, []),
    (RECEIPT, {"status": "SENT"}),
    (RECEIPT, {"status": "SENT", "messageId": "msg_0"}),
    (RECEIPT, TOLD | {"messageId": "msg_0"}),
    (RECEIPT, TOLD | {"messageId": None}),
    (RECEIPT, TOLD | {"messageId": 1}),
    *(
        (INBOUND, WROTE | each)
        for each in (
            {},
            {"channel": "whatsapp"},
            {"channel": "email"},
            {"channel": "fax"},
            {"channel": ["wa"]},
            {"from": ""},
            {"from": "x" * 64},
            {"from": "x" * 65},
            {"to": None},
            {"to": "x" * 65},
            {"text": ""},
            {"text": "x" * 10_000},
            {"text": "x" * 10_001},
            {"sender": 1, "recipient": 1},
        )
    ),
    (INBOUND, {"channel": "wa"}),
    *((ADVANCE, {"seconds": each}) for each in (0, 1, 316_224_000, 316_224_001, "1", None, 1.5)),
]


@pytest.fixture
async def visits(client: TestClient, document: Document) -> Sequence[Visit]:
    """Walk through all routes."""
    walk = Walk(client, document)
    await walk_everything(walk)
    return walk.visits


def test_every_answer_is_as_described(visits: Sequence[Visit]) -> None:
    """Status, headers and body of every answer of the walk are those of the document."""
    assert [] == [visit for visit in visits if visit.problems]


def test_every_route_is_seen_working_and_refusing(
    visits: Sequence[Visit], document: Document
) -> None:
    """The walk leaves no operation out, neither its success nor a refusal."""
    worked = {visit.operation for visit in visits if not visit.refused}
    refused = {visit.operation for visit in visits if visit.refused}

    assert set(document.operations) == worked
    assert set(document.operations) == refused


def test_every_error_code_is_seen(visits: Sequence[Visit]) -> None:
    """The walk meets every code that a healthy service answers."""
    assert STATUSES.keys() - NOT_IN_THE_WALK == {visit.code for visit in visits if visit.code}


async def test_a_part_that_is_off_is_as_described(client: TestClient, document: Document) -> None:
    """A path that is none answers 404 in the form of its area (C-9, C-18)."""
    responses = document.contents["components"]["responses"]
    for path, name in (("/v1/nothing", "NotFound"), ("/nothing", "NotFoundOutside")):
        answer = await client.get(path)
        described = responses[name]["content"]["application/json"]["schema"]

        assert 404 == answer.status
        assert [] == document.problems(described, await answer.json())


@pytest.mark.parametrize(
    ("operation", "body"),
    [
        pytest.param(o, body, id=f"{o} {name}")
        for o, name, body in Document.read().request_examples()
    ],
)
async def test_request_examples_are_accepted(
    client: TestClient, operation: Operation, body: Any
) -> None:
    """Every example of the document can be sent unchanged; an example code is a wrong one at worst."""
    await shortly_before(client, body)
    answer = await sent(client, operation, body)

    assert answer.status in (200, 201, 422 if operation == VERIFY_PIN else 201)


@pytest.mark.parametrize(
    ("operation", "body"),
    [pytest.param(o, body, id=f"{o}-{n}") for n, (o, body) in enumerate(BODIES)],
)
async def test_the_server_accepts_what_the_document_accepts(
    client: TestClient, document: Document, operation: Operation, body: Any
) -> None:
    """A body is 400 exactly if the document does not allow it."""
    answer = await sent(client, operation, body)
    described = document.request_problems(operation, body)

    assert (answer.status == 400) == bool(described), (body, described, await answer.text())
    assert answer.status < 500


async def shortly_before(client: TestClient, body: Any) -> None:
    """Move the clock to a month before the end that an example has: a test destination ends soon."""
    if isinstance(body, dict) and "until" in body:
        ahead = datetime.fromisoformat(body["until"]) - timedelta(days=30) - datetime.now(UTC)
        await client.post("/sandbox/clock/advance", json={"seconds": int(ahead.total_seconds())})


async def sent(
    client: TestClient, operation: Operation, body: Any, more: Mapping[str, str] | None = None
) -> Any:
    """Send a body to an operation, on a PIN, template or other object made for it."""
    pins = {"Authorization": f"Bearer {API_KEY}"}
    admin = {"Authorization": f"Bearer {SANDBOX_ADMIN_TOKEN}"}
    path = operation.path
    if "{pinId}" in path:
        made = await client.post("/v1/pins", json=PIN, headers=pins)
        path = path.replace("{pinId}", (await made.json())["pinId"])
        await client.post("/sandbox/clock/advance", json={"seconds": 60})
    if path.startswith("/admin/v1/accounts/"):
        path = path.replace("{id}", "demo")
    if path.startswith("/admin/v1/channel-accounts/"):
        path = path.replace("{id}", await _channel_account(client, admin))
    if "{id}" in path:
        made = await client.post("/admin/v1/pin-templates", json=TEMPLATE, headers=admin)
        path = path.replace("{id}", (await made.json())["id"])
    if "/wa-templates/{name}" in path:
        await client.post("/wa/templates", json=WA_TEXT, headers={"apikey": API_KEY})
        path = path.replace("{name}", str(WA_TEXT["name"]))
        if path.endswith("/submit"):
            await client.post("/admin/v1/channel-accounts", json=SUBMITTING, headers=admin)
    if "{name}" in path:
        kind = {"Content-Type": f"multipart/form-data; boundary={BOUNDARY}", "apikey": API_KEY}
        await client.post("/rcs/templates", data=form(*texts(TEXT)), headers=kind)
        path = path.replace("{name}", str(TEXT["name"]))
    if "{channelAccountId}" in path:
        path = path.replace("{channelAccountId}", await _channel_account(client, admin))
    if path == "/admin/v1/people/show":
        opted_in = {"recipients": [body.get("destination")]} if isinstance(body, dict) else {}
        await client.post("/opt/in/wa", json=opted_in, headers={"apikey": API_KEY})
    headers = admin if path.startswith("/admin/") else pins | {"apikey": API_KEY}
    if path in (SEND_PATH, RATING_PATH):
        headers |= {"authentication-token": await _legacy_token(client)}
    headers |= more or {}
    return await client.request(operation.method.upper(), path, json=body, headers=headers)


async def _channel_account(client: TestClient, admin: Mapping[str, str]) -> str:
    listed = await client.get("/admin/v1/channel-accounts", headers=admin)
    found = (await listed.json())["data"]
    return next(str(each["id"]) for each in found if each["channelType"] == "sms")


async def _legacy_token(client: TestClient) -> str:
    user = {"email": "asha@tea.example", "password": "oolong"}
    admin = {"Authorization": f"Bearer {SANDBOX_ADMIN_TOKEN}"}
    await client.post("/admin/v1/legacy-users", json=user, headers=admin)
    answer = await client.post(LOGIN_PATH, json=user)
    return str((await answer.json())["data"]["token"])
