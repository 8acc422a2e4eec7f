"""`service.test_destinations`: fixed codes for embedders, and where no code is (C-79)."""

from __future__ import annotations

import logging
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

import watchword
from tests.fakes.clocks import StillClock
from tests.fakes.providers import ScriptedProvider
from watchword.application.test_destinations.views import TestDestinationView as View

NUMBER, CODE = "+447700900000", "8402913756"


async def furnished(service: watchword.Service) -> str:
    """Make an account with a template for codes of ten digits; return the template's id."""
    account = await service.accounts.create("orchid")
    await service.channel_accounts.create(account, "sms", "phone", "sms")
    made = await service.pin_templates.create(
        account, name="tea", channels=[{"channelType": "sms"}], pin_length=10
    )
    return made.id


def all_bytes(folder: Path) -> bytes:
    """Return what all files in a folder contain."""
    return b"".join(each.read_bytes() for each in folder.rglob("*") if each.is_file())


async def set_one(service: watchword.Service, until: datetime) -> View:
    """Set the test destination."""
    return await service.test_destinations.set("orchid", destination=NUMBER, code=CODE, until=until)


async def test_a_reviewer_logs_in_without_a_phone(store_url: str) -> None:
    """Set, verified, listed and removed; nothing is sent before, and codes are sent after."""
    phone, clock = ScriptedProvider(), StillClock()
    async with watchword.open(store_url, channels={"phone": phone}, clock=clock) as service:
        template = await furnished(service)
        view = await set_one(service, clock.now() + timedelta(days=1))
        sent = await service.pins.issue("orchid", template, "00447700900000")
        await service.pins.verify(account="orchid", pin=sent.pin_id, code=CODE)
        (found,) = (await service.pins.list(account="orchid")).data
        listed = await service.test_destinations.list("orchid")
        nothing = [*phone.messages]
        removed = await service.test_destinations.remove(view)
        await service.pins.issue("orchid", template, NUMBER)

    assert [] == nothing
    assert found.test
    assert [view] == [*listed.data]
    assert clock.now() == removed.removed_at
    assert 1 == len(phone.messages)


async def test_what_is_wrong_is_refused(store_url: str) -> None:
    """A time that is over, a time without a zone, an id of nothing."""
    async with watchword.open(store_url, channels={"phone": ScriptedProvider()}) as service:
        await furnished(service)
        with pytest.raises(watchword.ValidationFailedError):
            await set_one(service, datetime(2020, 1, 1, tzinfo=UTC))
        with pytest.raises(ValueError, match="until= has no time zone"):
            await set_one(service, datetime(2030, 3, 3))  # noqa: DTZ001  as embedders may write it
        with pytest.raises(watchword.TestDestinationNotFoundError):
            await service.test_destinations.remove("tst_0")


@pytest.mark.stores("sqlite")
async def test_the_code_is_in_no_file_and_no_log(
    store_url: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Neither when it is set, nor when it verifies, nor in what events and errors show."""
    caplog.set_level(logging.DEBUG)
    clock, phone = StillClock(), ScriptedProvider()
    async with watchword.open(
        store_url, channels={"phone": phone}, clock=clock, data_dir=tmp_path
    ) as service:
        template = await furnished(service)
        view = await set_one(service, clock.now() + timedelta(days=1))
        sent = await service.pins.issue("orchid", template, NUMBER)
        await service.pins.verify(account="orchid", pin=sent.pin_id, code=CODE)
        shown = [repr(each) for each in await service.events.list(limit=100)]
        person = await service.people.show(account="orchid", destination=NUMBER)

    kept = all_bytes(tmp_path)
    assert view.id.encode() in kept
    assert CODE.encode() not in kept
    assert CODE not in "".join([*shown, str(person), repr(view), caplog.text])
    assert ["***"] == [each["code"] for each in person["testDestinations"]]
