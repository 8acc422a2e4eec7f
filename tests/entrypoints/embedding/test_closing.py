"""A service whose `async with` has ended: one error for every call, and nothing sent (D-162)."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Iterator
from contextlib import aclosing
from functools import partial
from typing import Any

import attrs
import pytest

import watchword
from tests.entrypoints.message_templates.creating_rcs import AROUND, TEXT
from tests.fakes.providers import ScriptedProvider
from watchword import ServiceClosedError

DESTINATION = "+919812345610"
SAID = r"^The service is closed\. Open it anew with watchword\.open\.$"
# Where a call checks its arguments first, these pass.
FITTING: dict[str, Any] = {
    "channels": [{"channel_type": "sms"}],
    "destination": DESTINATION,
    "recipients": ["919812345610"],
    "message_ids": ["msg_1"],
    "content": b"tea",
    "opt_list": "in",
    "data": {**TEXT, "templateState": "Create"},
    "steps": ["sms"],
    "email": "tea@tea.example",
    "role": "auditor",
    **AROUND,
    "url": "https://tea.example/told",
    "components": [{"type": "BODY", "text": "Tea is ready."}],
    "category": "UTILITY",
}


def calls(service: watchword.Service) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Return every call of a service by its name, with arguments for those that must be given."""
    parts = {
        each.name: getattr(service, each.name)
        for each in attrs.fields(watchword.Service)
        if not each.name.startswith("_")
    }
    for part, facade in parts.items():
        for name, method in inspect.getmembers(facade, inspect.isroutine):
            if not name.startswith("_"):
                yield f"{part}.{name}", partial(method, **arguments(method))
    yield "run_due", service.run_due


def arguments(method: Callable[..., Any]) -> dict[str, Any]:
    """Return the required arguments of a method."""
    wanted = inspect.signature(method).parameters.values()
    return {
        each.name: FITTING.get(each.name, "tea")
        for each in wanted
        if each.default is each.empty and each.kind is not each.VAR_KEYWORD
    }


async def outcome(call: Callable[[], Any]) -> Any:
    """Return what a call raises, or that it raised nothing."""
    try:
        begun = call()
        if inspect.isasyncgen(begun):
            async with aclosing(begun) as pieces:
                return [each async for each in pieces]
        return await begun
    except Exception as error:
        return type(error)


async def test_every_call_of_a_closed_service_says_so(store_url: str) -> None:
    """Every part, on every store, has the same answer: open it again."""
    async with watchword.open(store_url, code_key=f"1:{'A' * 43}=") as service:
        held = dict(calls(service))
    found = {name: await outcome(call) for name, call in held.items()}

    assert len(found) > 60
    assert dict.fromkeys(found, ServiceClosedError) == found


async def test_a_closed_service_sends_nothing() -> None:
    """On a store in memory, too, whose objects outlive the `async with`."""
    phone = ScriptedProvider()
    async with watchword.open("memory://", channels={"phone": phone}) as service:
        shop = await service.accounts.create("shop")
        await service.channel_accounts.create(shop, "sms", "phone", "sms")
        template = await service.pin_templates.create(shop, "tea", [{"channel_type": "sms"}])
        late = asyncio.ensure_future(service.pins.issue(shop, template, DESTINATION))
    with pytest.raises(ServiceClosedError, match=SAID):
        await late
    with pytest.raises(ServiceClosedError, match=SAID):
        await service.pins.issue(shop, template, DESTINATION)

    assert [] == phone.messages


async def test_neither_endpoint_nor_sandbox_is_had_of_a_closed_service() -> None:
    """They are not created: the endpoint could serve nothing, and moving the clock would send due work."""
    async with watchword.open("memory://", sandbox=True) as service:
        pass
    with pytest.raises(ServiceClosedError, match=SAID):
        service.http_app()
    with pytest.raises(ServiceClosedError, match=SAID):
        service.sandbox  # noqa: B018  the look-up is what is tried
