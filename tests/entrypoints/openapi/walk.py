"""A walk through all routes, with successes and refusals on each; every answer is noted."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta
from io import BytesIO
from typing import Any

from aiohttp import FormData
from aiohttp.test_utils import TestClient
from attrs import define, field, frozen

from tests.entrypoints.legacy.bodies import TEXT as LEGACY_TEXT
from tests.entrypoints.message_templates.creating_rcs import BOUNDARY, QUESTION, TEXT, form, texts
from tests.entrypoints.message_templates.creating_whatsapp import CAROUSEL, CODE, FULL
from tests.entrypoints.message_templates.creating_whatsapp import TEXT as WA_TEXT
from tests.entrypoints.messaging.sends import SMS, WA
from tests.entrypoints.openapi.described import JSON, Document, Operation
from watchword.entrypoints.demo.seeding import API_KEY, TEMPLATE_ID
from watchword.entrypoints.legacy.answer_bodies import LEGACY_PATHS
from watchword.entrypoints.settings import SANDBOX_ADMIN_TOKEN

PHONE = "+919812345610"
SANDBOX_PREFIXES = ("/sandbox", "/admin/v1/sandbox")
# Wrong for every body: neither JSON, nor an object, nor a member that comes once, nor small.
TEMPLATE = {**TEXT, "templateState": "Create"}
WRONG_BODIES = (b"{", b"[]", b'{"name": 1, "name": 2}')
# A channel account that submits templates. Nobody listens there: attempts fail, and follow later.
SUBMITTING = {
    "channelType": "whatsapp",
    "provider": "whatsapp_cloud",
    "name": "meta",
    "config": {
        "phoneNumberId": "106540352242922",
        "businessAccountId": "102290129340398",
        "accessToken": "EAAJB",
        "appSecret": "s3cret",
        "verifyToken": "v3rify",
        "baseUrl": "http://127.0.0.1:9",
    },
}


@frozen
class Visit:
    """One answer, and its violations of the document."""

    operation: Operation
    status: int
    code: str | None
    problems: list[str]
    refused: bool


@define
class Walk:
    """Calls routes as one of the three callers, and notes how they answered."""

    client: TestClient
    document: Document
    visits: list[Visit] = field(factory=list)

    async def pins(self, method: str, path: str, **request: Any) -> Any:
        """Call as an API client."""
        return await self.call(method, path, API_KEY, **request)

    async def admin(self, method: str, path: str, **request: Any) -> Any:
        """Call as the operator."""
        return await self.call(method, path, SANDBOX_ADMIN_TOKEN, **request)

    async def messaging(self, body: Any, once: str | None = None) -> Any:
        """Send messages, under an Idempotency-Key if one is given."""
        headers = {"apikey": API_KEY} | ({"Idempotency-Key": once} if once else {})
        return await self.call("POST", "/oapi/send_sms", json=body, headers=headers)

    async def call(self, method: str, path: str, key: str | None = None, **request: Any) -> Any:
        """Call, note the answer under its operation, and return its body, as data if it is JSON."""
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        headers |= request.pop("headers", {})
        answer = await self.client.request(method, path, headers=headers, **request)
        body = await answer.read()
        operation = self.document.operation_for(method, path)
        self._note(operation, answer.status, answer.headers, body)
        return json.loads(body) if answer.content_type == JSON else body

    async def other_method(self, operation: Operation) -> None:
        """Call a path with a method that it does not take, and note it under the operation."""
        path = re.sub(r"\{\w+\}", "id_0", operation.path)
        answer = await self.client.put(path)
        self._note(operation, answer.status, answer.headers, await answer.read())

    async def misspelt(self, operation: Operation) -> None:
        """Call an operators' path with an unknown parameter, and note it under the operation."""
        if operation.path.startswith("/admin/v1/"):
            path = re.sub(r"\{\w+\}", "id_0", operation.path)
            await self.admin(operation.method.upper(), f"{path}?acount=demo")

    def _note(self, operation: Operation, status: int, headers: Any, body: bytes) -> None:
        problems = self.document.answer_problems(operation, status, headers, body)
        shown = json.loads(body) if status >= 400 else {}
        code = shown.get("error", shown).get("code")
        refused = status >= 400
        if operation.path in LEGACY_PATHS:
            refused = json.loads(body)["responseCode"] != 100
        self.visits.append(Visit(operation, status, code, problems, refused))


async def walk_everything(walk: Walk) -> None:
    """Visit every route."""
    await _health(walk)
    await _management(walk)
    await _guard(walk)
    await _callbacks(walk)
    await _templates(walk)
    await _pins(walk)
    await _refused_pins(walk)
    await _messages(walk)
    await _message_history(walk)
    await _short_links(walk)
    await _opt_lists(walk)
    await _rcs_templates(walk)
    await _media(walk)
    await _whatsapp_templates(walk)
    await _legacy(walk)
    await _phones(walk)
    await _submissions(walk)
    await _audit(walk)
    await _log_heads(walk)
    await _people(walk)
    await _guard_subjects(walk)
    await _guard_replays(walk)
    await _rebuilds(walk)
    await _event_counts(walk)
    await _test_destinations(walk)
    await _statistics(walk)
    await _sandbox(walk)
    for operation in walk.document.operations:
        await walk.other_method(operation)
        await walk.misspelt(operation)


async def _log_heads(walk: Walk) -> None:
    heads, tiles = "/admin/v1/log/heads", "/admin/v1/log/tile"
    evidence, consistency = "/admin/v1/streams/tpl_demo/evidence", "/admin/v1/log/consistency"
    await walk.admin("POST", "/admin/v1/log/seal")
    await walk.admin("GET", evidence)
    await walk.admin("GET", "/admin/v1/streams/nothing/evidence")
    await walk.admin("GET", f"{consistency}?from=1&to=2")
    await walk.admin("GET", f"{consistency}?from=2&to=1")
    await walk.admin("GET", f"{heads}?after=0&limit=5")
    await walk.admin("GET", f"{heads}?after=tea")
    await walk.admin("GET", f"{tiles}/0/x999/999")
    await walk.admin("GET", "/admin/v1/log/checkpoint")
    await walk.admin("GET", f"{tiles}/0/000.p/1")
    for method, path in (
        ("POST", "/admin/v1/log/seal"),
        ("GET", heads),
        ("GET", "/admin/v1/log/checkpoint"),
        ("GET", f"{tiles}/0/000"),
        ("GET", evidence),
        ("GET", consistency),
    ):
        await walk.call(method, path, "no-token")


async def _people(walk: Walk) -> None:
    opted_in = {"recipients": ["+919812345677"]}
    await walk.call("POST", "/opt/in/wa", json=opted_in, headers={"apikey": API_KEY})
    for path in ("/admin/v1/people/show", "/admin/v1/people/erase"):
        await walk.call("POST", path, "no-token", json={})
        for destination in ("+919812345677", "+919812345600", ""):
            await walk.admin("POST", path, json={"account": "demo", "destination": destination})
        await walk.admin("POST", path, json={"account": "nobody", "destination": "+919812345677"})
        for body in WRONG_BODIES:
            await _send(walk, "POST", path, SANDBOX_ADMIN_TOKEN, body)


async def _guard_replays(walk: Walk) -> None:
    path, asked = "/admin/v1/guard/replay", {"policy": {}, "from": "2030-01-01T00:00:00Z"}
    await walk.call("POST", path, "no-token", json=asked)
    for body in (asked, {**asked, "plicy": {}}, {**asked, "account": "nobody"}, {}):
        await walk.admin("POST", path, json=body)
    for wrong in WRONG_BODIES:
        await _send(walk, "POST", path, SANDBOX_ADMIN_TOKEN, wrong)
    await _send(walk, "POST", path, SANDBOX_ADMIN_TOKEN, b"{}", "text/plain")
    await _send(walk, "POST", path, SANDBOX_ADMIN_TOKEN, b" " * (2**20 + 1))


async def _rebuilds(walk: Walk) -> None:
    path = "/admin/v1/rebuild"
    await walk.call("POST", path, "no-token", json={})
    for lists in (None, ["verifications"], ["teas"]):
        await walk.admin("POST", path, json={"only": lists})
    await walk.admin("POST", path, json={"olny": []})
    for wrong in WRONG_BODIES:
        await _send(walk, "POST", path, SANDBOX_ADMIN_TOKEN, wrong)
    await _send(walk, "POST", path, SANDBOX_ADMIN_TOKEN, b"{}", "text/plain")
    await _send(walk, "POST", path, SANDBOX_ADMIN_TOKEN, b" " * (2**20 + 1))


async def _event_counts(walk: Walk) -> None:
    await walk.admin("GET", "/admin/v1/log/stats")
    await walk.admin("GET", "/admin/v1/log/stats?by=day")
    await walk.call("GET", "/admin/v1/log/stats", "no-token")


async def _test_destinations(walk: Walk) -> None:
    path, until = "/admin/v1/test-destinations", datetime.now(UTC) + timedelta(days=60)
    new = {"destination": "+447700900000", "code": "123456", "until": until.isoformat()}
    made = await walk.admin("POST", path, json=new)
    for body in (new, {**new, "code": "?"}, {**new, "destination": PHONE}, {**new, "account": "x"}):
        await walk.admin("POST", path, json=body)
    await walk.admin("GET", f"{path}?account=demo")
    await walk.admin("GET", f"{path}?account=nobody")
    for each in (f"{path}/{made['id']}", f"{path}/tst_0"):
        await walk.admin("DELETE", each)
        await walk.call("DELETE", each, "no-token")
    for method in ("GET", "POST"):
        await walk.call(method, path, "no-token")
    for wrong in WRONG_BODIES:
        await _send(walk, "POST", path, SANDBOX_ADMIN_TOKEN, wrong)
    await _send(walk, "POST", path, SANDBOX_ADMIN_TOKEN, b"{}", "text/plain")
    await _send(walk, "POST", path, SANDBOX_ADMIN_TOKEN, b" " * (2**20 + 1))


async def _guard_subjects(walk: Walk) -> None:
    await walk.admin("GET", "/admin/v1/guard/refused?account=demo")
    await walk.admin("GET", "/admin/v1/guard/refused?rule=guess")
    await walk.admin("GET", "/admin/v1/guard/refused?account=nobody")
    await walk.call("GET", "/admin/v1/guard/refused", "no-token")
    path, country = "/admin/v1/guard/release", {"rule": "unverified.country", "subject": "IR"}
    await walk.call("POST", path, "no-token", json=country)
    for body in (country, {**country, "subject": "Iran"}, {**country, "account": "nobody"}):
        await walk.admin("POST", path, json=body)
    for wrong in WRONG_BODIES:
        await _send(walk, "POST", path, SANDBOX_ADMIN_TOKEN, wrong)
    await _send(walk, "POST", path, SANDBOX_ADMIN_TOKEN, b"{}", "text/plain")
    await _send(walk, "POST", path, SANDBOX_ADMIN_TOKEN, b" " * (2**20 + 1))


async def _statistics(walk: Walk) -> None:
    path = "/admin/v1/stats"
    for group in ("country", "template", "channel", "provider", "channelAccount"):
        await walk.admin("GET", f"{path}?account=demo&by=day&group={group}")
    for wrong in ("account=nobody", "by=week", "group=person", "from=noon", "from=2000-01-01"):
        await walk.admin("GET", f"{path}?{wrong}")
    await walk.admin("GET", path)
    await walk.call("GET", path, "no-token")


async def _health(walk: Walk) -> None:
    await walk.call("GET", "/health/live")
    await walk.call("GET", "/health/ready")
    await walk.call("GET", "/.well-known/jwks.json")
    await walk.call("GET", "/openapi.json")
    await walk.call("GET", "/docs")
    for file in ("page.js", "swagger-ui.css", "no.such"):
        await walk.call("GET", f"/docs/{file}")


async def _channel_accounts(walk: Walk, account: dict[str, Any]) -> None:
    path = "/admin/v1/channel-accounts"
    made = await walk.admin("POST", path, json=account)
    await walk.admin("POST", path, json=account | {"account": "nobody"})
    for record_id in (made["id"], "cha_0"):
        one = f"{path}/{record_id}"
        await walk.admin("GET", one)
        await walk.admin("PATCH", one, json={"limits": {"concurrency": 2}})
        for lever in ("disable", "enable"):
            await walk.admin("POST", f"{one}/{lever}")
            await walk.call("POST", f"{one}/{lever}")
    await walk.admin("PATCH", f"{path}/{made['id']}", json={"name": ""})
    for body in WRONG_BODIES:
        await _send(walk, "PATCH", f"{path}/{made['id']}", SANDBOX_ADMIN_TOKEN, body)


async def _retention(walk: Walk) -> None:
    retention = "/admin/v1/accounts/acme/retention"
    for kept in ({"pins": "30d"}, {"pins": "1h"}, {"pin": "30d"}):
        await walk.admin("PUT", retention, json=kept)
    for body in WRONG_BODIES:
        await _send(walk, "PUT", retention, SANDBOX_ADMIN_TOKEN, body)
    await _send(walk, "PUT", retention, SANDBOX_ADMIN_TOKEN, b"{}", "text/plain")
    await _send(walk, "PUT", retention, SANDBOX_ADMIN_TOKEN, b" " * (2**20 + 1))
    for method in ("GET", "PUT"):
        await walk.admin(method, retention)
        await walk.admin(method, "/admin/v1/accounts/nobody/retention")
        await walk.call(method, retention, "no-token")


async def _tokens(walk: Walk) -> None:
    path = "/admin/v1/tokens"
    wanted = {"name": "desk", "role": "auditor", "expiresAt": "2099-01-31"}
    made = await walk.admin("POST", path, json=wanted)
    bound = await walk.admin("POST", path, json=wanted | {"role": "admin", "account": "acme"})
    await walk.admin("POST", path, json=wanted | {"account": "nobody"})
    for body in WRONG_BODIES:
        await _send(walk, "POST", path, SANDBOX_ADMIN_TOKEN, body)
    await _send(walk, "POST", path, SANDBOX_ADMIN_TOKEN, b"{}", "text/plain")
    await _send(walk, "POST", path, SANDBOX_ADMIN_TOKEN, b" " * (2**20 + 1))
    for token in (SANDBOX_ADMIN_TOKEN, made["token"], bound["token"], "no-token"):
        await walk.call("GET", "/admin/v1/whoami", token)
        await walk.call("GET", path, token)
        await walk.call("GET", f"{path}/{made['id']}", token)
        await walk.call("POST", path, token, json=wanted)
        await walk.call("DELETE", f"{path}/{bound['id']}", token)
    await walk.admin("GET", f"{path}?account=nobody")
    for method in ("GET", "DELETE"):
        await walk.admin(method, f"{path}/tok_0")


async def _management(walk: Walk) -> None:
    await walk.admin("POST", "/admin/v1/accounts", json={"name": "acme"})
    await walk.admin("POST", "/admin/v1/accounts", json={"name": "acme"})
    await walk.admin("GET", "/admin/v1/providers")
    key = {"account": "acme", "name": "web", "scopes": ["messaging"]}
    made = await walk.admin("POST", "/admin/v1/api-keys", json=key)
    await walk.call("GET", "/v1/templates", made["key"])
    for lever in ("suspend", "resume"):
        await walk.admin("POST", f"/admin/v1/accounts/acme/{lever}")
        await walk.call("GET", "/history", headers={"apikey": made["key"]})
        await walk.admin("POST", f"/admin/v1/accounts/nobody/{lever}")
        await walk.call("POST", f"/admin/v1/accounts/acme/{lever}", "no-token")
    limits = "/admin/v1/accounts/acme/limits"
    for bounds in ({"requestsPerSecond": 1}, {"mediaBytes": -1}):
        await walk.admin("PUT", limits, json=bounds)
    for _ in range(3):
        await walk.call("GET", "/history", headers={"apikey": made["key"]})
    await walk.admin("PUT", limits, json={})
    for body in WRONG_BODIES:
        await _send(walk, "PUT", limits, SANDBOX_ADMIN_TOKEN, body)
    await _send(walk, "PUT", limits, SANDBOX_ADMIN_TOKEN, b"{}", "text/plain")
    await _send(walk, "PUT", limits, SANDBOX_ADMIN_TOKEN, b" " * (2**20 + 1))
    for method in ("GET", "PUT"):
        await walk.admin(method, limits)
        await walk.admin(method, "/admin/v1/accounts/nobody/limits")
        await walk.call(method, limits, "no-token")
    await _retention(walk)
    await _tokens(walk)
    await walk.admin("POST", "/admin/v1/api-keys", json=key | {"account": "nobody"})
    await walk.admin("DELETE", f"/admin/v1/api-keys/{made['id']}")
    await walk.admin("DELETE", "/admin/v1/api-keys/key_0")
    account = {"channelType": "sms", "provider": "sandbox", "name": "more", "sender": "Acme"}
    await _channel_accounts(walk, account)
    path = "/admin/v1/fallback-configurations"
    fallback = {"fallback_id": "walk", "steps": ["wa", "sms"]}
    for wanted in (fallback, fallback, fallback | {"account": "nobody"}):
        await walk.admin("POST", path, json=wanted)
    path = "/admin/v1/dlt-templates"
    text = {"templateId": "1", "entityId": "2", "text": "Tea {#var#}"}
    first = await walk.admin("POST", path, json=text)
    await walk.admin("POST", path, json=text)
    await walk.admin("POST", path, json=text | {"account": "nobody"})
    await walk.admin("GET", path)
    for record_id in (first["id"], first["id"], "dlt_0"):
        await walk.admin("DELETE", f"{path}/{record_id}")
    lists = (
        "accounts",
        "api-keys",
        "channel-accounts",
        "dlt-templates",
        "fallback-configurations",
        "pin-templates",
    )
    for path in lists:
        await walk.admin("GET", f"/admin/v1/{path}?pageSize=1&page=2")
        await walk.admin("GET", f"/admin/v1/{path}?account=nobody&page=none")
        await walk.call("GET", f"/admin/v1/{path}", "no-token")
        for body in WRONG_BODIES:
            await _send(walk, "POST", f"/admin/v1/{path}", SANDBOX_ADMIN_TOKEN, body)
        await _send(walk, "POST", f"/admin/v1/{path}", SANDBOX_ADMIN_TOKEN, b"{}", "text/plain")
        await _send(walk, "POST", f"/admin/v1/{path}", SANDBOX_ADMIN_TOKEN, b" " * (2**20 + 1))
        await walk.call("POST", f"/admin/v1/{path}", json={})


async def _guard(walk: Walk) -> None:
    policy = "/admin/v1/guard"
    strict = {"countries": {"mode": "enforce", "allow": ["IN"]}, "verifiedPass": None}
    bodies: tuple[dict[str, Any], ...] = (strict, {"guesses": {"mode": "x"}}, {"gueses": {}}, {})
    for body in bodies:
        await walk.admin("PUT", policy, json=body)
        await walk.admin("GET", f"{policy}?account=demo")
    for wrong in WRONG_BODIES:
        await _send(walk, "PUT", policy, SANDBOX_ADMIN_TOKEN, wrong)
    await _send(walk, "PUT", policy, SANDBOX_ADMIN_TOKEN, b"{}", "text/plain")
    await _send(walk, "PUT", policy, SANDBOX_ADMIN_TOKEN, b" " * (2**20 + 1))
    for method in ("GET", "PUT"):
        await walk.admin(method, f"{policy}?account=nobody", json={})
        await walk.admin(method, f"{policy}?acount=demo")
        await walk.call(method, policy, "no-token")
        await walk.call(method, policy)


async def _callbacks(walk: Walk) -> None:
    root = "/admin/v1/callbacks"
    # No server listens there; its deliveries are listed all the same.
    body = {"account": "demo", "url": "http://127.0.0.1:9/told", "events": ["pin.*"]}
    made = await walk.admin("POST", root, json=body)
    one = f"{root}/{made['id']}"
    await walk.admin("POST", root, json=body | {"account": "nobody"})
    await walk.admin("POST", root, json=body | {"events": ["tea.*"], "secret": "whsec_"})
    await walk.admin("POST", root, json={"url": body["url"], "events": ["log.*"]})
    await walk.admin("GET", f"{root}?account=demo")
    await walk.admin("GET", f"{root}?account=nobody")
    await walk.admin("GET", one)
    wanted = {"destination": PHONE, "templateId": TEMPLATE_ID}
    await walk.pins("POST", "/v1/pins", json=wanted)
    await _later(walk)
    listed = await walk.admin("GET", f"{one}/deliveries")
    delivery = f"{one}/deliveries/{listed['data'][0]['id']}"
    await walk.admin("GET", delivery)
    await walk.admin("GET", f"{one}/deliveries/dlv_0")
    await walk.admin("GET", f"{root}/cbk_0/deliveries/dlv_0")
    await walk.admin("POST", f"{delivery}/redeliver")
    await walk.admin("POST", f"{one}/deliveries/dlv_0/redeliver")
    await walk.admin("POST", f"{root}/cbk_0/deliveries/dlv_0/redeliver")
    await walk.admin("POST", f"{one}/test")
    await walk.admin("POST", f"{root}/cbk_0/test")
    await walk.admin("DELETE", one)
    await walk.admin("POST", f"{delivery}/redeliver")
    await walk.admin("POST", f"{one}/test")
    for method, path in (
        ("GET", f"{root}/cbk_0"),
        ("DELETE", f"{root}/cbk_0"),
        ("GET", f"{root}/cbk_0/deliveries"),
    ):
        await walk.admin(method, path)
    for method, path in (
        ("POST", root),
        ("GET", root),
        ("GET", one),
        ("DELETE", one),
        ("GET", f"{one}/deliveries"),
        ("GET", delivery),
        ("POST", f"{delivery}/redeliver"),
        ("POST", f"{one}/test"),
    ):
        await walk.call(method, path)
    for wrong in WRONG_BODIES:
        await _send(walk, "POST", root, SANDBOX_ADMIN_TOKEN, wrong)
    await _send(walk, "POST", root, SANDBOX_ADMIN_TOKEN, b"{}", "text/plain")
    await _send(walk, "POST", root, SANDBOX_ADMIN_TOKEN, b" " * (2**20 + 1))


async def _templates(walk: Walk) -> None:
    new = {
        "name": "login",
        "resendCooldown": "1m",
        "sendPinPerPhoneNumberLimit": "2/1d",
        "channels": [
            {"channelType": "email", "subjectText": "For {{1}}", "paramDefaults": {"1": "you"}},
            {"channelType": "whatsapp", "providerTemplateRef": "otp", "copyCodeButtonIndex": 0},
        ],
    }
    path = "/admin/v1/pin-templates"
    made = await walk.admin("POST", path, json=new)
    await walk.admin("POST", path, json=new | {"account": "nobody"})
    await walk.admin("POST", path, json=new | {"pinLength": 3, "verifyPinLimit": "0/s"})
    one = f"{path}/{made['id']}"
    await walk.admin("GET", one)
    await walk.admin("PATCH", one, json={"pinAttempts": 2, "name": "sign in"})
    await walk.admin("PATCH", one, json={"pinAttempts": 0})
    await walk.admin("PATCH", f"{path}/tpl_0", json={})
    await walk.admin("GET", f"{path}/tpl_0")
    for body in WRONG_BODIES:
        await _send(walk, "PATCH", one, SANDBOX_ADMIN_TOKEN, body)
    for word in ("disable", "enable", "archive", "enable", "disable"):
        await walk.admin("POST", f"{one}/{word}")
        await walk.admin("POST", f"{path}/tpl_0/{word}")
        await walk.call("POST", f"{one}/{word}")
    await walk.admin("PATCH", one, json={"name": "too late"})
    await walk.pins("POST", "/v1/pins", json={"destination": PHONE, "templateId": made["id"]})
    await walk.pins("GET", "/v1/templates?includeArchived=true&sortBy=status&search=N")
    await walk.call("GET", "/v1/templates")


async def _pins(walk: Walk) -> None:
    template = f"/admin/v1/pin-templates/{TEMPLATE_ID}"
    await walk.admin("PATCH", template, json={"receipt": "hashed"})
    wanted = {"destination": PHONE, "templateId": TEMPLATE_ID, "referenceId": "walk"}
    keyed = {"Idempotency-Key": "walk-1"}
    made = await walk.pins("POST", "/v1/pins", json=wanted, headers=keyed)
    await walk.pins("POST", "/v1/pins", json=wanted, headers=keyed)
    await walk.pins("POST", "/v1/pins", json=wanted | {"channels": ["sms"]}, headers=keyed)
    pin = f"/v1/pins/{made['pinId']}"
    await walk.pins("POST", f"{pin}/resend")
    await _later(walk)
    await walk.pins("POST", f"{pin}/resend", json={"channels": ["whatsapp", "email"]})
    await _later(walk)
    await walk.pins("POST", f"{pin}/resend", json={}, headers=keyed)
    await walk.pins("POST", f"{pin}/resend", json={}, headers=keyed)
    await walk.pins("POST", f"{pin}/resend", json={"channels": ["sms"]}, headers=keyed)
    await walk.pins("POST", f"{pin}/verify", json={"pin": "no digits"})
    await walk.pins("POST", f"{pin}/verify", json={"pin": "no digits"})
    await _later(walk)
    outbox = await walk.call("GET", f"/sandbox/outbox?destination=%2B{PHONE[1:]}&channel=sms")
    code = outbox["data"][-1]["text"].rstrip(".").split()[-1]
    await walk.pins("GET", pin)
    await walk.pins("GET", "/v1/pins/pin_0")
    await walk.call("GET", pin)
    await walk.pins("POST", f"{pin}/verify", json={"pin": f" {code} "})
    await walk.pins("POST", f"{pin}/verify", json={"pin": code})
    await walk.pins("POST", f"{pin}/resend", json={})
    await walk.admin("PATCH", template, json={"receipt": None})


async def _refused_pins(walk: Walk) -> None:
    wanted = {"destination": "+919812345611", "templateId": TEMPLATE_ID}
    for change in (
        {"destination": ""},
        {"destination": "a@tea.example"},
        {"templateId": "tpl_0"},
        {"channels": ["rcs"]},
        {"destination": "+919812340001"},
        {"destination": "+919812340004", "channels": ["sms", "email"]},
    ):
        await walk.pins("POST", "/v1/pins", json=wanted | change)
    for _ in range(6):
        made = await walk.pins("POST", "/v1/pins", json=wanted)
        pin = f"/v1/pins/{made.get('pinId', 'pin_0')}"
        await _later(walk)
        await walk.pins("POST", f"{pin}/resend", json={"templateParams": {"x": "y"}})
    first = await walk.pins("POST", "/v1/pins", json=wanted | {"destination": "+919812345612"})
    abroad = {"countries": {"mode": "enforce", "allow": ["GB"]}}
    await walk.admin("PUT", "/admin/v1/guard?account=demo", json=abroad)
    await walk.pins("POST", "/v1/pins", json=wanted)
    await walk.pins("POST", f"/v1/pins/{first['pinId']}/resend", json={})
    await walk.admin("PUT", "/admin/v1/guard?account=demo", json={})
    old = f"/v1/pins/{first['pinId']}"
    await walk.pins("POST", "/v1/pins", json=wanted | {"destination": "+91 98123 45612"})
    await walk.pins("POST", f"{old}/resend", json={})
    await walk.pins("POST", f"{old}/verify", json={"pin": "1"})
    only = {"name": "sms only", "pinAttempts": 1, "channels": [{"channelType": "sms"}]}
    template = await walk.admin("POST", "/admin/v1/pin-templates", json=only)
    wanted = {"destination": PHONE, "templateId": template["id"]}
    await walk.pins("POST", "/v1/pins", json=wanted | {"channels": ["email"]})
    blocked = await walk.pins("POST", "/v1/pins", json=wanted)
    pin = f"/v1/pins/{blocked['pinId']}"
    await walk.pins("POST", f"{pin}/resend", json={"channels": ["email"]})
    for _ in range(3):
        await walk.pins("POST", f"{pin}/verify", json={"pin": "wrong"})
        await _later(walk)
    await walk.pins("POST", f"{pin}/resend", json={})
    for path in ("/v1/pins", "/v1/pins/pin_0/resend", "/v1/pins/pin_0/verify"):
        await walk.call("POST", path, json={})
        for body in (*WRONG_BODIES, b'{"pin": "1", "destination": "1", "templateId": "1"}'):
            await _send(walk, "POST", path, API_KEY, body)
        await _send(walk, "POST", path, API_KEY, b"{}", "text/plain")
        await _send(walk, "POST", path, API_KEY, b" " * (2**20 + 1))


async def _messages(walk: Walk) -> None:
    for number, (operation, _, body) in enumerate(walk.document.request_examples()):
        if operation.path == "/oapi/send_sms":
            await walk.messaging(body, f"walk-{number}")
            await walk.messaging(body, f"walk-{number}")
            await walk.messaging({**body, "campaignName": "other"}, f"walk-{number}")
    for recipient in ("+15550001", "+15550004"):
        await walk.messaging({"sms": [SMS | {"recipient": recipient}]})
    template = {"name": "unheard of", "language": {"code": "en"}}
    await walk.messaging({"wa": [WA | {"template": template}]})
    await walk.messaging({"sms": [SMS | {"type": "TXN"}], "fallback": {}})
    pins_only = {"name": "pins", "scopes": ["pins"]}
    made = await walk.admin("POST", "/admin/v1/api-keys", json=pins_only)
    for path in ("/oapi/send_sms", "/send_sms"):
        await walk.call("POST", path, json={"sms": [SMS]}, headers={"apikey": API_KEY})
        await walk.call("POST", path, json={}, headers={"apikey": made["key"]})
        await walk.call("POST", path, API_KEY, json={})
        for body, kind in (*((each, JSON) for each in WRONG_BODIES), (b"{}", "text/plain")):
            headers = {"apikey": API_KEY, "Content-Type": kind}
            await walk.call("POST", path, data=BytesIO(body), headers=headers)
        headers = {"apikey": API_KEY, "Content-Type": JSON}
        await walk.call("POST", path, data=BytesIO(b" " * (2**20 + 1)), headers=headers)


async def _message_history(walk: Walk) -> None:
    key = {"apikey": API_KEY}
    fallback = {"fallback_id": "demo", "fallback": True, "waittime": "60"}
    rejected = {"type": "TXN", "sender": "TEATWO", "messageBody": "Tea."}
    sent = await walk.messaging({"sms": [SMS], "fallback": fallback | {"sms": rejected}})
    asked = [sent["data"][0]["messageId"], "msg_0"]
    await walk.call("POST", "/status", json={"messageIds": asked}, headers=key)
    await walk.call("GET", "/history?limit=500", headers=key)
    filters = f"recipient=%2B{SMS['recipient'][1:]}&channel=wa&from=2020-01-01&to=2040-01-01"
    await walk.call("GET", f"/history?{filters}&pageNo=3", headers=key)
    await walk.call("GET", "/history?channel=fax&from=soon&pageNo=-1&limit=x", headers=key)
    pins_only = {"name": "pins alone", "scopes": ["pins"]}
    made = await walk.admin("POST", "/admin/v1/api-keys", json=pins_only)
    await walk.call("GET", "/messages?pageSize=100", headers=key)
    await walk.call("GET", "/messages?channelType=fax&direction=up&to=soon", headers=key)
    own = "/messages/search"
    await walk.call("POST", own, json={"recipient": SMS["recipient"], "pageSize": 100}, headers=key)
    await walk.call("POST", own, json={"channelType": "fax", "account": "demo"}, headers=key)
    for method, path in (
        ("POST", "/status"),
        ("GET", "/history"),
        ("GET", "/messages"),
        ("POST", own),
    ):
        await walk.call(method, path)
        await walk.call(method, path, headers={"apikey": made["key"]})
    for body, kind in (
        *((each, JSON) for each in WRONG_BODIES),
        (b"{}", "text/plain"),
        (b" " * (2**20 + 1), JSON),
    ):
        headers = key | {"Content-Type": kind}
        await walk.call("POST", "/status", data=BytesIO(body), headers=headers)
        await walk.call("POST", own, data=BytesIO(body), headers=headers)


async def _short_links(walk: Walk) -> None:
    url = "https://tea.example/menu"
    shortener = {"flag": 1, "urlDetails": [{"longUrl": url}]}
    text = {**SMS, "messageBody": f"See {url}."}
    await walk.messaging({"sms": [text], "urlShortener": shortener})
    shown = (await walk.call("GET", "/sandbox/outbox"))["data"][-1]["text"]
    code = shown.rpartition("/")[2].rstrip(".")
    await walk.call("GET", f"/s/{code}", allow_redirects=False)
    await walk.call("GET", "/s/none")
    for lever in ("disable", "enable"):
        path = f"/admin/v1/short-links/{code}/{lever}"
        await walk.admin("POST", path)
        await walk.call("POST", path, "no-token")
        await walk.admin("POST", f"/admin/v1/short-links/none/{lever}")


async def _opt_lists(walk: Walk) -> None:
    key = {"apikey": API_KEY}
    pins_only = {"name": "pins only", "scopes": ["pins"]}
    made = await walk.admin("POST", "/admin/v1/api-keys", json=pins_only)
    number = {"recipients": ["+447700900177"]}
    for path in ("/opt/in/wa", "/opt/out/wa"):
        for method in ("POST", "DELETE"):
            await walk.call(method, path, json=number, headers=key)
            for body, kind in (
                *((each, JSON) for each in WRONG_BODIES),
                (b"{}", "text/plain"),
                (b" " * (2**20 + 1), JSON),
            ):
                headers = key | {"Content-Type": kind}
                await walk.call(method, path, data=BytesIO(body), headers=headers)
        await walk.call("POST", path, json=number, headers=key)
        await walk.call("GET", f"{path}?limit=500", headers=key)
        await walk.call("GET", f"{path}?pageNo=-1&limit=x", headers=key)
        for method in ("GET", "POST", "DELETE"):
            await walk.call(method, path)
            await walk.call(method, path, headers={"apikey": made["key"]})
    await walk.messaging({"wa": [WA | {"recipient": number["recipients"]}]})


async def _rcs_templates(walk: Walk) -> None:
    key = {"apikey": API_KEY}
    multipart = {"Content-Type": f"multipart/form-data; boundary={BOUNDARY}"}
    made = await walk.admin("POST", "/admin/v1/api-keys", json={"name": "p", "scopes": ["pins"]})
    path = "/rcs/templates"
    for parts in (texts(TEMPLATE), texts(TEMPLATE), texts(TEMPLATE | {"name": "a b"}), ()):
        await walk.call("POST", path, data=form(*parts), headers=key | multipart)
    large = BytesIO(form(*texts(TEMPLATE | {"x": "y" * 2**20})))
    await walk.call("POST", path, data=large, headers=key | multipart)
    await walk.call("POST", path, json={}, headers=key)
    for path in ("/rcs/templates", "/oapi/templates/fetch", "/templates/fetch"):
        await walk.call("POST", path)
        await walk.call("POST", path, headers={"apikey": made["key"]})
    for path in ("/oapi/templates/fetch", "/templates/fetch"):
        for question in (QUESTION, QUESTION | {"limit": -1}):
            await walk.call("POST", path, json=question, headers=key)
        for body, kind in (
            *((each, JSON) for each in WRONG_BODIES),
            (b"{}", "text/plain"),
            (b" " * (2**20 + 1), JSON),
        ):
            headers = key | {"Content-Type": kind}
            await walk.call("POST", path, data=BytesIO(body), headers=headers)
    root = "/admin/v1/rcs-templates"
    for token in (SANDBOX_ADMIN_TOKEN, "no-token"):
        await walk.call("GET", root, token)
        await walk.call("GET", f"{root}?account=nobody", token)
        for word in ("approve", "reject", "submit", "approve", "reject"):
            await walk.call("POST", f"{root}/{TEMPLATE['name']}/{word}", token, json={})
            await walk.call("POST", f"{root}/unheard_of/{word}", token, json={"reason": None})
            await _send(walk, "POST", f"{root}/a/{word}", token, b"{")
            await _send(walk, "POST", f"{root}/a/{word}", token, b"{}", "text/plain")
            await _send(walk, "POST", f"{root}/a/{word}", token, b" " * (2**20 + 1))


async def _media(walk: Walk) -> None:
    key = {"apikey": API_KEY}
    pins_only = {"name": "no media", "scopes": ["pins"]}
    made = await walk.admin("POST", "/admin/v1/api-keys", json=pins_only)
    fields = {"senderProfileName": "TeaHouse", "message_type": "promotional"}
    stored: dict[str, str] = {}
    for path in ("/rcs/mediaupload", "/oapi/wa/mediaupload"):
        form = FormData(fields)
        form.add_field("file", b"tea", filename="tea.txt", content_type="text/plain")
        stored = await walk.call("POST", path, data=form, headers=key)
        await walk.call("POST", path)
        for wrong in ("wrong", made["key"]):
            await walk.call("POST", path, data=b"", headers={"apikey": wrong})
        await walk.call("POST", path, data=FormData(fields, default_to_multipart=True), headers=key)
        for kind in ("text/plain", "multipart/form-data; boundary=tea", JSON):
            await walk.call("POST", path, data=b"tea", headers=key | {"Content-Type": kind})
        gzip = {"Content-Type": JSON, "Content-Encoding": "gzip"}
        await walk.call("POST", path, data=b"{}", headers=key | gzip)
        form = FormData(fields)
        form.add_field("url", BytesIO(b"x" * (2**20 + 1)))
        form.add_field("file", b"", filename="")
        await walk.call("POST", path, data=form, headers=key)
    at = f"/media/{stored['id']}"
    await walk.call("GET", at)
    await walk.call("GET", at, headers={"Range": "bytes=1-"})
    await walk.call("GET", at, headers={"Range": "bytes=3-"})
    await walk.call("GET", "/media/med_0")
    for token in (SANDBOX_ADMIN_TOKEN, "no-token"):
        await walk.call("GET", "/admin/v1/media?account=demo", token)
        await walk.call("GET", "/admin/v1/media?account=nobody", token)
        await walk.call("DELETE", f"/admin/v1{at}", token)
    await walk.admin("DELETE", "/admin/v1/media/med_0")
    await walk.call("GET", at)


async def _whatsapp_templates(walk: Walk) -> None:
    key, path = {"apikey": API_KEY}, "/wa/templates"
    made = await walk.admin("POST", "/admin/v1/api-keys", json={"name": "p", "scopes": ["pins"]})
    for each in (WA_TEXT, WA_TEXT, FULL, CODE, CAROUSEL, {**WA_TEXT, "name": "a b"}):
        await walk.call("POST", path, json=each, headers=key)
    await walk.call("POST", path)
    await walk.call("POST", path, headers={"apikey": made["key"]})
    for body, kind in (
        *((each, JSON) for each in WRONG_BODIES),
        (b"{}", "text/plain"),
        (b" " * (2**20 + 1), JSON),
    ):
        await walk.call("POST", path, data=BytesIO(body), headers=key | {"Content-Type": kind})
    root = "/admin/v1/wa-templates"
    for token in (SANDBOX_ADMIN_TOKEN, "no-token"):
        await walk.call("GET", root, token)
        await walk.call("GET", f"{root}?account=nobody", token)
        for word in ("approve", "reject", "submit"):
            await walk.call("POST", f"{root}/{WA_TEXT['name']}/{word}", token, json={"reason": "x"})
            await walk.call("POST", f"{root}/unheard_of/{word}", token, json={"reason": None})
            await _send(walk, "POST", f"{root}/a/{word}", token, b"{")
            await _send(walk, "POST", f"{root}/a/{word}", token, b"{}", "text/plain")
            await _send(walk, "POST", f"{root}/a/{word}", token, b" " * (2**20 + 1))
    for path in ("/oapi/templates/fetch", "/templates/fetch"):
        question = {"channel": "WA", "pageNo": 0, "limit": 10}
        await walk.call("POST", path, json=question, headers=key)


async def _submissions(walk: Walk) -> None:
    await walk.admin("POST", "/admin/v1/channel-accounts", json=SUBMITTING)
    await walk.admin("POST", f"/admin/v1/wa-templates/{FULL['name']}/submit", json={})


async def _legacy(walk: Walk) -> None:
    users = "/admin/v1/legacy-users"
    somebody = {"email": "asha@tea.example", "password": "first flush"}
    made = await walk.admin("POST", users, json=somebody)
    for wanted in (somebody, somebody | {"account": "nobody"}, {"email": "asha"}):
        await walk.admin("POST", users, json=wanted)
    login, rating = "/account/enterprise/login", "/whatsapp/chat/feedback"
    send = "/svc/api/message/send"
    given = await walk.call("POST", login, json=somebody | {"neverExpire": True})
    token = {"authentication-token": given["data"]["token"]}
    rated = {"chatId": "chat-7", "phone": PHONE, "rating": "5"}
    await walk.call("POST", rating, json=rated, headers=token)
    await walk.call("POST", rating, json={}, headers=token)
    await walk.call("POST", login, json=somebody | {"password": "second flush"})
    for change in ({}, {"recipientPhone": PHONE[:-4] + "0001"}, {"templateId": "x"}, {"tags": 1}):
        await walk.call("POST", send, json=LEGACY_TEXT | change, headers=token)
    for path in (login, rating, send):
        for body, kind in (*((each, JSON) for each in WRONG_BODIES), (b"{}", "text/plain")):
            headers = token | {"Content-Type": kind}
            await walk.call("POST", path, data=BytesIO(body), headers=headers)
    await walk.admin("GET", users)
    await walk.admin("GET", f"{users}?account=nobody")
    one = f"{users}/{made['id']}"
    for path in (f"{one}/tokens", one, f"{users}/lgu_0/tokens", f"{users}/lgu_0"):
        await walk.admin("DELETE", path)
        await walk.call("DELETE", path)
    await walk.call("POST", rating, json=rated, headers=token)
    for method in ("GET", "POST"):
        await walk.call(method, users)
    for wrong in WRONG_BODIES:
        await _send(walk, "POST", users, SANDBOX_ADMIN_TOKEN, wrong)
    await _send(walk, "POST", users, SANDBOX_ADMIN_TOKEN, b"{}", "text/plain")
    await _send(walk, "POST", users, SANDBOX_ADMIN_TOKEN, b" " * (2**20 + 1))


async def _phones(walk: Walk) -> None:
    wanted = {"destination": "+919812345613", "templateId": TEMPLATE_ID}
    made = await walk.pins("POST", "/v1/pins", json=wanted)
    known = {"providerMessageId": made["channels"][0]["providerMessageId"]}
    sms = {"sender": "TEA", "recipient": "+447700900123", "type": "SI", "messageBody": "Ready."}
    key = {"apikey": API_KEY}
    sent = await walk.call("POST", "/oapi/send_sms", json={"sms": [sms]}, headers=key)
    message = {"messageId": sent["data"][0]["messageId"]}
    await walk.call("GET", "/sandbox/outbox")
    inbound = {"channel": "wa", "from": "+447700900123", "to": "+15550100", "text": "Hello?"}
    for prefix in SANDBOX_PREFIXES:
        for status in ("DELIVERED", "SENT", "FAILED"):
            await walk.call("POST", f"{prefix}/receipts", json={"status": status, **known})
            await walk.call("POST", f"{prefix}/receipts", json={"status": status, **message})
        await walk.call("POST", f"{prefix}/receipts", json={"status": "READ", **known, **message})
        unknown = {"status": "READ", "messageId": "msg_0"}
        await walk.call("POST", f"{prefix}/receipts", json=unknown)
        await walk.call("POST", f"{prefix}/inbound", json=inbound)
        await walk.call("POST", f"{prefix}/inbound", json=inbound | {"channel": "fax"})
        for path in ("receipts", "inbound"):
            for body in WRONG_BODIES:
                await _send(walk, "POST", f"{prefix}/{path}", None, body)
            await _send(walk, "POST", f"{prefix}/{path}", None, b"{}", "text/plain")
            await walk.call("POST", f"{prefix}/{path}", headers={"Host": "example.com"})
    accounts = (await walk.admin("GET", "/admin/v1/channel-accounts"))["data"]
    for id_ in (accounts[0]["id"], "cha_0"):
        await walk.admin("POST", f"/admin/v1/channel-accounts/{id_}/webhook")
        await walk.call("POST", f"/admin/v1/channel-accounts/{id_}/webhook", "no-token")
    test = f"/admin/v1/channel-accounts/{accounts[0]['id']}/test"
    for given in ({"to": "+447700900123"}, {"to": "a@example.com", "waitSeconds": 61}):
        await walk.admin("POST", test, json=given)
    await walk.admin("POST", test, json={"to": "asha@example.com", "text": "Hello"})
    await walk.admin("POST", "/admin/v1/channel-accounts/cha_0/test", json={"to": "+447700900123"})
    for wrong in WRONG_BODIES:
        await _send(walk, "POST", test, SANDBOX_ADMIN_TOKEN, wrong)
    callbacks = f"/callbacks/{accounts[0]['id']}"
    await walk.call("POST", callbacks, json={"status": "FAILED", "errorCode": "gone", **known})
    for asked in (f"providerMessageId={known['providerMessageId']}&status=READ", "status=LOST"):
        await walk.call("GET", f"{callbacks}?{asked}")
    await walk.call("POST", callbacks, json={"status": "READ", **known}, headers={"Host": "a.b"})
    await walk.call("POST", "/callbacks/cha_0", json={"status": "READ", **known})
    for body in (b"{", b"", b" " * (2**22 + 1)):
        await _send(walk, "POST", callbacks, None, body, "text/plain")
    gzip = {"Content-Encoding": "gzip"}
    await walk.call("POST", callbacks, data=b"{}", headers=gzip)


async def _audit(walk: Walk) -> None:
    await walk.admin("GET", "/admin/v1/verifications?referenceId=walk&status=VERIFIED&channel=wa")
    await walk.admin("GET", "/admin/v1/verifications?pageSize=100")
    await walk.admin("GET", "/admin/v1/verifications?status=LOST&from=yesterday")
    await walk.admin("GET", "/admin/v1/verifications?account=nobody")
    await walk.admin("GET", "/admin/v1/messages?pageSize=100")
    filters = "channelName=sandbox+sms&resourceType=api&status=accepted&reference=none&tag1="
    await walk.admin("GET", f"/admin/v1/messages?{filters}")
    await walk.admin("GET", "/admin/v1/messages?channelType=fax&status=LOST&from=yesterday")
    await walk.admin("GET", "/admin/v1/messages?account=nobody")
    searches = "/admin/v1/verifications/search", "/admin/v1/messages/search"
    for path in searches:
        await walk.admin("POST", path, json={"account": "demo", "page": 1, "pageSize": 100})
        await walk.admin("POST", path, json={"status": "LOST", "from": "yesterday", "page": "x"})
        await walk.admin("POST", path, json={"account": "nobody"})
        await walk.admin("POST", path, json={"acount": "demo"})
        await walk.call("POST", path, json={})
        for body in WRONG_BODIES:
            await _send(walk, "POST", path, SANDBOX_ADMIN_TOKEN, body)
    await walk.admin("POST", searches[0], json={"destination": "+919812345610", "channel": "wa"})
    await walk.admin("POST", searches[1], json={"recipient": SMS["recipient"], "tag1": ""})
    await walk.admin("GET", "/admin/v1/events?limit=1000&mask=true")
    events = await walk.admin("GET", "/admin/v1/events?limit=1000")
    for event in {each["type"]: each for each in events["data"]}.values():
        await walk.admin("GET", f"/admin/v1/streams/{event['streamId']}/events")
    await walk.admin("GET", "/admin/v1/streams/nothing/events")
    for path in ("verifications", "messages", "events", "streams/nothing/events"):
        await walk.call("GET", f"/admin/v1/{path}")


async def _sandbox(walk: Walk) -> None:
    for prefix in SANDBOX_PREFIXES:
        await walk.call("GET", f"{prefix}/outbox")
        await walk.call("DELETE", f"{prefix}/outbox")
        await walk.call("POST", f"{prefix}/clock/advance", json={"seconds": 1})
        await walk.call("POST", f"{prefix}/clock/advance", json={"seconds": 0})
        await _send(walk, "POST", f"{prefix}/clock/advance", None, b"{}", "text/plain")
        for method, path in (("GET", "outbox"), ("DELETE", "outbox"), ("POST", "clock/advance")):
            await walk.call(method, f"{prefix}/{path}", headers={"Host": "example.com"})


async def _later(walk: Walk) -> None:
    await walk.call("POST", "/sandbox/clock/advance", json={"seconds": 60})


async def _send(
    walk: Walk, method: str, path: str, key: str | None, body: bytes, kind: str = "application/json"
) -> None:
    await walk.call(method, path, key, data=BytesIO(body), headers={"Content-Type": kind})
