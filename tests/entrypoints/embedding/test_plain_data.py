"""`watchword.to_json`: a service's results as data that can be serialised, without secrets."""

from __future__ import annotations

import json
from typing import Any

import pytest

import watchword
from watchword import to_json

DESTINATION = "+447700900610"


@pytest.fixture
async def given() -> dict[str, Any]:
    """Collect one of each result of a service."""
    async with watchword.open("memory://", sandbox=True) as service:
        issued = await service.pins.issue(
            "demo", "tpl_demo", DESTINATION, reference_id="order of Asha"
        )
        sandbox = service.sandbox
        assert sandbox is not None
        code = sandbox.provider.outbox()[-1].text[-7:-1]
        sms = {"sender": "Tea", "recipient": DESTINATION, "type": "SI", "messageBody": "Secret tea"}
        return {
            "code": code,
            "issued": issued,
            "verified": await service.pins.verify("demo", issued.pin_id, code),
            "row": await service.pins.get("demo", issued.pin_id),
            "page": await service.pins.list(account="demo"),
            "sent": await service.messages.send("demo", sms=[sms]),
            "report": await service.messages.list("demo"),
            "template": await service.pin_templates.get("tpl_demo"),
            "key": await service.api_keys.create("demo", "web"),
            "callback": await service.callbacks.create("demo", "https://tea.example/told"),
            "account": await service.accounts.get("demo"),
            "events": await service.events.list(limit=1000),
            "replay": await service.events.replay(issued.pin_id),
        }


async def test_everything_that_a_service_gives_can_be_written(given: dict[str, Any]) -> None:
    """`json.dumps` takes it all, in the wire's spelling."""
    written = json.loads(json.dumps(to_json(given, mask=False)))

    assert DESTINATION == written["row"]["destination"]
    assert "order of Asha" == written["row"]["referenceId"]
    assert given["issued"].pin_id == written["issued"]["pinId"]
    assert "accepted" == written["issued"]["channels"][0]["status"]
    assert {"page", "pageSize", "total", "totalPages", "data"} == set(written["page"])
    assert ("pin", "VERIFIED") == (written["replay"]["kind"], written["replay"]["state"]["status"])
    assert ["PinIssued", "PinDispatched", "PinVerified"] == [
        each["type"] for each in written["replay"]["events"]
    ]


async def test_what_is_masked_tells_nothing_about_a_person(given: dict[str, Any]) -> None:
    """By default it omits destinations, references and texts."""
    written = json.dumps(to_json({name: each for name, each in given.items() if name != "code"}))

    assert "*" in written
    assert [] == [
        told
        for told in (DESTINATION, DESTINATION[1:], "order of Asha", "Secret tea")
        if told in written
    ]


@pytest.mark.parametrize("mask", [True, False])
async def test_secrets_are_never_in_it(given: dict[str, Any], mask: bool) -> None:
    """Keys, the secrets of callbacks and hashes read `***`, masked or not."""
    code = given.pop("code")
    data = to_json(given, mask=mask)
    written = json.dumps(data)

    assert ("***", "***") == (data["key"]["key"], data["callback"]["secret"])
    assert "***" == data["replay"]["events"][0]["data"]["codeHash"]
    assert [] == [
        secret for secret in (code, given["key"].key, given["callback"].secret) if secret in written
    ]


def test_what_no_service_gives_is_refused() -> None:
    """A message on its way carries a code, and has no such form."""
    message = watchword.Message(
        reference="r",
        channel=watchword.Channel.SMS,
        channel_account_id="cha_1",
        destination=DESTINATION,
        text="Your code is 123456.",
    )
    with pytest.raises(TypeError, match="A Message is nothing that a service gives"):
        to_json([message])
