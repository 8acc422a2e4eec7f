"""A provider gets the address of a channel account, or people are told where to enter it (D-282)."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from typing import Any

import pytest
from attrs import frozen

from tests.entrypoints.caller import Caller
from tests.entrypoints.conftest import Serving
from tests.fakes.hearing import HearingProvider
from watchword.application.ports.channels import Fault, Rejected, Unknown, Webhook

STORES = ("memory",)
PUBLIC = "https://pins.example.com"
SECRET = "tell only the tea house"


class Registering(HearingProvider):
    """A courier whose API knows an address, and that answers as the test says."""

    def __init__(self) -> None:
        super().__init__()
        self.answer: Any = Webhook(is_set=True, steps=("Subscribe to parcels.",))
        self.told: list[tuple[Mapping[str, Any], str]] = []
        self.query = ""

    def callback_query(self, config: Mapping[str, Any]) -> str:
        """Have posts name a token, if the test wants one."""
        return self.query

    async def set_webhook(self, config: Mapping[str, Any], url: str) -> Any:
        """Note the address."""
        self.told.append((config, url))
        if isinstance(self.answer, Exception):
            raise self.answer
        if self.answer == "silence":
            await asyncio.Event().wait()
        return self.answer


@frozen
class Desk:
    """A courier, and an operator of a service that has a channel account of it."""

    provider: Registering
    caller: Caller
    account: str

    async def register(self) -> Mapping[str, Any]:
        """Have the courier post to the account's address; return what was done."""
        return await self.caller.operated("POST", f"/channel-accounts/{self.account}/webhook")


async def _desk(provider: Registering, caller: Caller) -> Desk:
    made = await caller.operated(
        "POST",
        "/channel-accounts",
        {
            "name": "courier",
            "channelType": "sms",
            "provider": "courier",
            "config": {"secret": SECRET, "phone": "C-1"},
        },
    )
    return Desk(provider, caller, str(made["id"]))


@pytest.fixture
async def desk(serving: Serving) -> AsyncIterator[Desk]:
    """Yield a service that the world knows under a public URL; its provider has a second to answer."""
    provider = Registering()
    async with serving(
        providers={"courier": provider}, public_url=PUBLIC, provider_timeout=1.0
    ) as caller:
        yield await _desk(provider, caller)


async def test_a_provider_gets_the_address_of_the_account(desk: Desk) -> None:
    """The adapter has the whole config; the answer has the address and what is left to do."""
    done = await desk.register()
    url = f"{PUBLIC}/callbacks/{desk.account}"

    assert {"callbackUrl": url, "status": "set", "steps": ["Subscribe to parcels."]} == done
    assert [({"secret": SECRET, "phone": "C-1"}, url)] == desk.provider.told


async def test_the_provider_gets_the_secret_query_and_nobody_else(desk: Desk) -> None:
    """A token in the address is shown once, at creation."""
    desk.provider.query = f"t={SECRET.replace(' ', '+')}"
    done = await desk.register()

    assert f"{PUBLIC}/callbacks/{desk.account}?{desk.provider.query}" == desk.provider.told[0][1]
    assert f"{PUBLIC}/callbacks/{desk.account}" == done["callbackUrl"]


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (Webhook(steps=("Enter it.",)), {"status": "manual", "steps": ["Enter it."]}),
        (
            Rejected("courier_7", f"No such key: {SECRET}.", Fault.ACCOUNT),
            {
                "status": "rejected",
                "steps": [],
                "code": "courier_7",
                "message": "No such key: ***.",
            },
        ),
        (
            Rejected("Odd code!", ""),
            {"status": "rejected", "steps": [], "code": "provider_rejected", "message": ""},
        ),
        (
            Unknown(message="It was cut."),
            {"status": "unknown", "steps": [], "message": "It was cut."},
        ),
        (
            RuntimeError(SECRET),
            {
                "status": "unknown",
                "steps": [],
                "message": "The provider's adapter failed (RuntimeError); the log says where.",
            },
        ),
        (
            "silence",
            {
                "status": "unknown",
                "steps": [],
                "message": "The provider did not answer in time. Look there, or try again.",
            },
        ),
        (
            "done",
            {
                "status": "unknown",
                "steps": [],
                "message": "The provider's adapter gave an answer that is none; have it corrected.",
            },
        ),
    ],
    ids=["manual", "rejected", "odd code", "unknown", "exception", "silence", "no answer"],
)
async def test_each_answer_of_an_adapter_is_told(
    desk: Desk, answer: Any, expected: Mapping[str, Any]
) -> None:
    """A refusal is no error of the request, and no answer quotes a secret."""
    desk.provider.answer = answer
    done = await desk.register()

    assert expected == {name: each for name, each in done.items() if name != "callbackUrl"}
    assert SECRET not in json.dumps(done)


async def test_nothing_is_recorded_of_it(desk: Desk) -> None:
    """The address stands at the provider."""
    before = (await desk.caller.operated("GET", "/events"))["next"]
    await desk.register()

    assert before == (await desk.caller.operated("GET", "/events"))["next"]


async def test_without_a_public_url_there_is_no_address(serving: Serving) -> None:
    """The refusal says how to start the service; the provider hears nothing of it."""
    provider = Registering()
    async with serving(providers={"courier": provider}) as caller:
        desk = await _desk(provider, caller)
        reply = await caller.operate("POST", f"/channel-accounts/{desk.account}/webhook")

    assert 400 == reply.status
    assert "--public-url" in json.dumps(reply.json)
    assert [] == provider.told


async def test_an_unknown_account_is_404(desk: Desk) -> None:
    """As everywhere."""
    reply = await desk.caller.operate("POST", "/channel-accounts/cha_unknown/webhook")

    assert (404, "channel_account_not_found") == reply.refusal
