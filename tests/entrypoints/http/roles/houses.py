"""Accounts with a record of each kind, and requests of every operators' route about one of them."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from attrs import frozen

from tests.entrypoints.caller import Caller, Reply
from tests.entrypoints.message_templates.creating_whatsapp import TEXT as WHATSAPP_TEXT
from tests.entrypoints.messaging.sends import SMS
from tests.rcs_templates import TEXT
from watchword.application.caller import Caller as Acting
from watchword.domain.guard import Rule, prefix_subject
from watchword.domain.rcs_template import MessageType, TemplateDefinition
from watchword.entrypoints.http.route import Route
from watchword.entrypoints.wired import Wired

ADMIN_PATH = "/admin/v1"
NOBODY = "+447700900555"
FAR = "2099-01-01T00:00:00Z"


@frozen
class House:
    """
    An account, and its records: `ids` by what stands before a parameter in a path.

    `owner` holds an API key of the account. `private` are texts about its people, and `marks` what no
    other account's token may be shown.
    """

    owner: Caller
    name: str
    account_id: str
    ids: Mapping[str, str]
    private: tuple[str, ...]

    @property
    def marks(self) -> tuple[str, ...]:
        """Whatever would show that this account, or a record of it, is there."""
        return (self.name, self.account_id, *self.ids.values(), *self.private)

    def path(self, route: Route) -> str:
        """Return the path of a route about the records of this account."""
        parts = route.path.split("/")
        return "/".join(
            self.ids[f"{before}:{part[1:-1]}"] if part.startswith("{") else part
            for before, part in zip(["", *parts], parts, strict=False)
        )


async def furnished(caller: Caller, service: Wired, name: str, number: str) -> House:
    """Create an account with a record of each kind; people of it have a number that begins so."""
    owner = await caller.neighbour(name)
    listed = (await caller.operated("GET", "/accounts"))["data"]
    account_id = next(str(each["id"]) for each in listed if each["name"] == name)

    async def made(path: str, **body: Any) -> dict[str, Any]:
        record: dict[str, Any] = await caller.operated("POST", path, {"account": name, **body})
        return record

    line = {"channelType": "whatsapp", "provider": "sandbox", "config": {}}
    channel = await made("/channel-accounts", name=f"{name} line", sender=f"{number}00", **line)
    key = await made("/api-keys", name=f"{name} web")
    user = await made("/legacy-users", email=f"anna@{name}.example", password="oolong tea")
    steps = await made("/fallback-configurations", fallback_id=f"{name}-steps", steps=["sms"])
    dlt = await made("/dlt-templates", templateId="1001", entityId="2002", text=f"{name} tea")
    endpoint = await made("/callbacks", url=f"http://127.0.0.1:9/{name}")
    until = (datetime.now(UTC) + timedelta(days=9)).isoformat()
    test = await made("/test-destinations", destination=f"{number}09", code="123456", until=until)
    pin = await owner.created(f"{number}01", referenceId=f"order of {name}")
    by = Acting(account_id, "admin", "req_houses")
    rcs = await service.creating_rcs_templates.create(
        by,
        sender_profile=name,
        message_type=MessageType.TRANSACTIONAL,
        update_by=f"ben@{name}.example",
        definition=TemplateDefinition(name=f"{name}_card", content=TEXT),
    )
    whatsapp = {**WHATSAPP_TEXT, "name": f"{name}_words"}
    reply = await owner.using(None).post(
        "/wa/templates", whatsapp, headers={"apikey": str(owner.key)}
    )
    assert 201 == reply.status, reply.body
    menu = f"https://tea.example/{name}"
    sms = {**SMS, "recipient": f"{number}02", "messageBody": f"See {menu}.", "custRef1": name}
    shortener = {"flag": 1, "urlDetails": [{"longUrl": menu}]}
    message = (await owner.sent(sms=[sms], urlShortener=shortener))["data"][0]
    code = re.search(r"/s/(\w+)", (await caller.outbox())[-1]["text"])
    assert code is not None
    inbound = await caller.post(
        "/sandbox/inbound",
        {"channel": "whatsapp", "from": f"{number}03", "to": f"{number}00", "text": "Tea?"},
    )
    assert 200 == inbound.status, inbound.body
    async with service.receiving_media.upload(by) as upload:
        file = await upload.receive(_picture(), name=f"{name}.png", content_type="image/png")
        medium = await service.storing_media.store(by, upload, file)
    service.counted_decisions.refused(
        account_id, Rule.PREFIX, prefix_subject(number[1:], name, "GB"), None
    )
    ids = {
        "accounts:id": account_id,
        "api-keys:id": str(key["id"]),
        "callbacks:id": str(endpoint["id"]),
        "channel-accounts:id": str(channel["id"]),
        "dlt-templates:id": str(dlt["id"]),
        "fallback-configurations:id": str(steps["id"]),
        "legacy-users:id": str(user["id"]),
        "media:id": medium.id,
        "messages:id": str(message["messageId"]),
        "pin-templates:id": owner.template,
        "rcs-templates:name": f"{name}_card",
        "rcs-templates:id": rcs.id,
        "short-links:code": code[1],
        "streams:id": pin,
        "test-destinations:id": str(test["id"]),
        "verifications:id": pin,
        "wa-templates:name": f"{name}_words",
        "wa-templates:id": str(reply.json["id"]),
    }
    private = (
        *(f"{number}{last}" for last in ("01", "02", "03", "09")),
        f"order of {name}",
        f"anna@{name}.example",
        f"{name}.png",
    )
    return House(owner, name, account_id, ids, private)


async def delivered(caller: Caller, service: Wired, house: House) -> House:
    """Let a minute go by, in which a test event went to the endpoint; return the house with its delivery."""
    endpoint = house.ids["callbacks:id"]
    reply = await caller.operate("POST", f"/callbacks/{endpoint}/test")
    assert 202 == reply.status
    await caller.advance(60)
    found = (await caller.operated("GET", f"/callbacks/{endpoint}/deliveries"))["data"]
    delivery = next(each["id"] for each in found if each["id"] == reply.json["deliveryId"])
    return House(
        house.owner,
        house.name,
        house.account_id,
        {**house.ids, "deliveries:deliveryId": str(delivery)},
        house.private,
    )


async def _picture() -> AsyncIterator[bytes]:
    yield b"\x89PNG\r\n\x1a\n" + b"tea" * 9


def bodies(house: House) -> Mapping[str, dict[str, Any]]:
    """Return the bodies of routes that take one; they are right, and name no account."""
    given: dict[tuple[str, str], dict[str, Any]] = {
        ("POST", "/api-keys"): {"name": "till"},
        ("POST", "/callbacks"): {"url": "http://127.0.0.1:9/more"},
        ("POST", "/channel-accounts"): {
            "channelType": "sms",
            "provider": "sandbox",
            "name": "spare",
            "config": {},
        },
        ("PATCH", "/channel-accounts/{id}"): {"name": "renamed"},
        ("POST", "/channel-accounts/{id}/test"): {"to": NOBODY},
        ("POST", "/dlt-templates"): {"templateId": "77", "entityId": "88", "text": "Tea."},
        ("POST", "/fallback-configurations"): {"fallback_id": "more", "steps": ["sms"]},
        ("PUT", "/guard"): {"numbers": {"mode": "enforce"}},
        ("POST", "/guard/release"): {"rule": "unverified.country", "subject": "GB"},
        ("POST", "/guard/replay"): {"policy": {}, "from": "2030-01-01T00:00:00Z"},
        ("POST", "/legacy-users"): {"email": "cleo@tea.example", "password": "oolong tea"},
        ("POST", "/messages/search"): {},
        ("POST", "/people/erase"): {"destination": NOBODY},
        ("POST", "/people/show"): {"destination": house.private[0]},
        ("POST", "/pin-templates"): {"name": "more", "channels": [{"channelType": "sms"}]},
        ("PATCH", "/pin-templates/{id}"): {"name": "renamed"},
        ("POST", "/rcs-templates/{name}/approve"): {},
        ("POST", "/rcs-templates/{name}/reject"): {},
        ("POST", "/rcs-templates/{name}/submit"): {},
        ("POST", "/verifications/search"): {},
        ("POST", "/wa-templates/{name}/approve"): {},
        ("POST", "/wa-templates/{name}/reject"): {},
        ("POST", "/wa-templates/{name}/submit"): {},
    }
    return {f"{method} {ADMIN_PATH}{path}": body for (method, path), body in given.items()}


async def token(caller: Caller, role: str, house: House | None = None, **more: Any) -> Caller:
    """Make a token, bound to a house's account if one is given, and be its holder."""
    body = {"name": "desk", "role": role, **more}
    if house is not None:
        body["account"] = house.account_id
    return caller.using(str((await caller.operated("POST", "/tokens", body))["token"]))


async def asked(caller: Caller, route: Route, house: House, body: Any, query: str = "") -> Reply:
    """Ask for a route about a house's records."""
    return await caller.ask(route.method, f"{house.path(route)}{query}", body)
