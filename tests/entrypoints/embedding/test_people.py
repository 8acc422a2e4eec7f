"""`service.people`: people are erased and shown by embedders (C-100)."""

from __future__ import annotations

from typing import Any

import pytest

import watchword
from tests.fakes.clocks import StillClock
from tests.fakes.providers import ScriptedProvider

ANNA = "+447700900610"
SMS = {"sender": "Orchid", "recipient": ANNA, "type": "SI", "messageBody": "Tea at five."}
FALLBACK = {
    "fallback_id": "orchid",
    "fallback": True,
    "waittime": "60",
    "sms": {"sender": "Orchid", "type": "SI", "messageBody": "Tea at five, again."},
}


async def test_waiting_fallbacks_of_an_erased_person_are_rejected(store_url: str) -> None:
    """The run ends as rejected with `person_erased`, and its step is never sent."""
    phone, clock = ScriptedProvider(), StillClock()
    async with watchword.open(
        store_url, channels={"phone": phone}, clock=clock, run_worker=False
    ) as service:
        account = await service.accounts.create("orchid")
        await service.channel_accounts.create(account, "sms", "phone", "sms", sender="Orchid")
        await service.fallback_configurations.create(account, "orchid", ["sms"])
        sent = await service.messages.send(account, sms=[SMS], fallback=FALLBACK)
        run = str(sent.messages[0].run_id)
        erased = await service.people.erase(account=account, destination=ANNA)
        clock.move(61)
        await service.run_due()
        ended = (await service.events.get(run))[-1]

    assert (True, True, 1) == (erased.erased, erased.finished, erased.counts.messages)
    assert ("FallbackRejected", "person_erased") == (
        ended.type,
        getattr(ended.event, "error_code", None),
    )
    assert ["Tea at five."] == [each.text for each in phone.messages]


@pytest.mark.parametrize("destination", ["", "+447700900610\ud800", "+447700900610\0", "9" * 65])
async def test_what_is_no_destination_is_refused(store_url: str, destination: str) -> None:
    """No error of Python has the text, also if it cannot be encoded."""
    async with watchword.open(store_url, channels={"phone": ScriptedProvider()}) as service:
        account = await service.accounts.create("orchid")
        with pytest.raises(watchword.ValidationFailedError):
            await service.people.erase(account=account, destination=destination)
        with pytest.raises(watchword.ValidationFailedError):
            await service.people.show(account=account, destination=destination)


async def test_people_are_shown_until_they_are_erased(store_url: str) -> None:
    """The record has the spelling of the HTTP endpoint; after the erasure there is none."""
    async with watchword.open(store_url, channels={"phone": ScriptedProvider()}) as service:
        account = await service.accounts.create("orchid")
        await service.channel_accounts.create(account, "sms", "phone", "sms", sender="Orchid")
        sent = await service.messages.send(account, sms=[SMS])
        shown = await service.people.show(account="orchid", destination=ANNA)
        trial = await service.people.erase(account=account, destination=ANNA, dry_run=True)
        await service.people.erase(account=account, destination=ANNA)
        with pytest.raises(watchword.PersonNotFoundError):
            await service.people.show(account=account, destination=ANNA)

    assert [sent.messages[0].message_id] == [each["messageId"] for each in shown["messages"]]
    assert trial.person_id == shown["personId"]
    assert not trial.erased


async def test_slips_in_requests_of_people_are_named(store_url: str) -> None:
    """What is no text is no destination, and only False erases: nothing undoes an erasure."""
    slips: list[tuple[dict[str, Any], str, str]] = [
        ({"destination": None}, "destination", "must be a text"),
        ({"destination": 447700900610}, "destination", "must be a text"),
        ({"destination": ""}, "destination", "must have 1 to 64 characters"),
        ({"destination": ANNA, "dry_run": None}, "dry_run", "must be true or false"),
        ({"destination": ANNA, "dry_run": 0}, "dry_run", "must be true or false"),
    ]
    async with watchword.open(store_url, channels={"phone": ScriptedProvider()}) as service:
        account = await service.accounts.create("orchid")
        await service.channel_accounts.create(account, "sms", "phone", "sms", sender="Orchid")
        await service.messages.send(account, sms=[SMS])
        for given, field, message in slips:
            with pytest.raises(watchword.ValidationFailedError) as erased:
                await service.people.erase(account=account, **given)
            assert [(field, message)] == [(p.field, p.message) for p in erased.value.problems]
        with pytest.raises(watchword.ValidationFailedError):
            await service.people.show(account=account, **slips[0][0])
        shown = await service.people.show(account=account, destination=ANNA)

    assert 1 == len(shown["messages"])
