"""Test destinations are set, revised, listed and removed, on every store (C-79, C-103)."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta

import pytest
from attrs import evolve

from tests.application.house import House, node_on
from watchword.application.audit.checking import AuditInputs, Checking
from watchword.application.caller import Caller
from watchword.application.journal import Journal
from watchword.application.paging import Paging
from watchword.application.pins.issuing_pins import IssueRequest
from watchword.application.pins.template_channels import ChannelEntry
from watchword.application.records.guard import guard_stream
from watchword.application.test_destinations.views import TestDestinationView as View
from watchword.domain.channel import Channel
from watchword.domain.errors import ValidationFailedError
from watchword.domain.guard import guard_decider
from watchword.domain.pin_template.pin_type import PinType
from watchword.domain.pin_template.policy import PinPolicy
from watchword.domain.test_destination import (
    DestinationInUseError,
    test_destination_decider,
)
from watchword.domain.test_destination import TestDestinationNotFoundError as NotFound

NUMBER, CODE = "+447700900000", "1234567890"


def soon(house: House, days: float = 30) -> datetime:
    """Return a time some days ahead."""
    return house.clock.now() + timedelta(days=days)


async def put(
    house: House, destination: str = NUMBER, code: str = CODE, days: float = 30
) -> tuple[View, bool]:
    """Set a test destination; return it, and whether it is new."""
    done = await house.service.test_destinations.put(
        house.by, destination=destination, code=code, until=soon(house, days)
    )
    return done.view, done.new


async def listed(house: House, account_id: str | None = None) -> list[View]:
    """List test destinations."""
    return [*(await house.service.test_destinations.list(account_id, Paging())).data]


async def test_one_is_set_listed_and_removed(house: House) -> None:
    """The code reads `***`, and a removed one leaves the list."""
    view, new = await put(house)

    assert (True, NUMBER, "***", soon(house)) == (new, view.destination, view.code, view.until)
    assert [view] == await listed(house)
    assert [view] == await listed(house, house.by.account_id)
    assert [] == await listed(house, "acc_other")
    removed = await house.service.test_destinations.remove(house.by, view.id)
    assert evolve(view, removed_at=house.clock.now()) == removed
    assert [] == await listed(house)


async def test_a_removed_one_stays_removed(house: House) -> None:
    """A second removal changes nothing, and an unknown one is refused."""
    view, _ = await put(house)
    removed = await house.service.test_destinations.remove(house.by, view.id)

    assert removed == await house.service.test_destinations.remove(house.by, view.id)
    assert ["TestDestinationSet", "TestDestinationRemoved"] == await house.story(view.id)
    with pytest.raises(NotFound):
        await house.service.test_destinations.remove(house.by, "tst_0")


async def test_another_spelling_revises(house: House) -> None:
    """The id stays; spelling, code and end are the newest; one that was removed is new again."""
    first, _ = await put(house)
    second, new = await put(house, "0044 7700 900000", "0987654321", days=2)

    assert (first.id, False) == (second.id, new)
    assert ("0044 7700 900000", soon(house, 2)) == (second.destination, second.until)
    assert [second] == await listed(house)
    await house.service.test_destinations.remove(house.by, first.id)
    third, new = await put(house)
    assert (first.id, True) == (third.id, new)


async def test_two_calls_at_once_make_one(house: House) -> None:
    """Two nodes set the same destination: one of them revises what the other one set (D-400)."""
    other = node_on(house)
    both = await asyncio.gather(put(house), put(other, code="0987654321"))

    assert {True, False} == {new for _, new in both}
    (one,) = await listed(house)
    assert ["TestDestinationSet", "TestDestinationSet"] == await house.story(one.id)


async def test_the_guard_has_those_that_live(house: House) -> None:
    """A create finds them in the state that it has for the policy; a removal takes them out (D-402)."""
    view, _ = await put(house)
    other, _ = await put(house, "review@shop.example", days=1)
    stream = guard_stream(house.by.account_id)

    async def known() -> set[str]:
        guard = await house.service.journal.load(guard_decider, stream)
        return {each.test_id for each in guard.state.tests.values()}

    assert {view.id, other.id} == await known()
    await house.service.test_destinations.remove(house.by, view.id)
    assert {other.id} == await known()
    house.clock.move(timedelta(days=2).total_seconds())
    again, _ = await put(house)
    # What is over goes with the next change.
    assert {again.id} == await known()


async def test_every_wrong_field_is_named(house: House) -> None:
    """One answer says everything that is to be changed."""
    with pytest.raises(ValidationFailedError) as refused:
        await put(house, "nobody", "12", days=91)

    assert ["destination", "until", "code"] == [each.path for each in refused.value.problems]


@pytest.mark.parametrize("code", ["123456789", "12345678901", "12345ABCDE", "١٢٣٤٥٦٧٨٩٠", ""])
async def test_a_code_that_no_template_makes_is_refused(house: House, code: str) -> None:
    """Under every template it would be a code that nobody knows."""
    with pytest.raises(ValidationFailedError) as refused:
        await put(house, code=code)

    assert ["code"] == [each.path for each in refused.value.problems]


async def test_any_template_will_do_unless_it_is_archived(house: House) -> None:
    """Codes are compared in capitals, as people type them."""
    hexadecimal = await house.service.pin_templates.create(
        house.by,
        name="hex",
        policy=PinPolicy(pin_type=PinType.HEX, pin_length=6),
        channels=[ChannelEntry(channel_type=Channel.SMS)],
    )
    _, new = await put(house, code=" c0ffee ")
    await house.service.pin_templates.archive(house.by, hexadecimal.id)

    assert new
    with pytest.raises(ValidationFailedError):
        await put(house, code="c0ffee")


async def test_a_destination_that_verified_is_refused(house: House) -> None:
    """A fixed code would let others in where somebody is; one that only was sent a code is free."""
    request = IssueRequest(destination="0044 7700 900000", template_id=house.template_id)
    sent = await house.service.issuing.issue(house.by, request)
    await put(house, days=1)
    await house.service.verifying.verify(house.by, sent.pin_id, house.code())

    with pytest.raises(DestinationInUseError):
        await put(house)
    neighbour = Caller(
        (await house.service.accounts.create(house.by, "lotus")).id, "admin", "req_two"
    )
    with pytest.raises(ValidationFailedError):
        # Another account is not concerned; it only has no template.
        await house.service.test_destinations.put(
            neighbour, destination=NUMBER, code=CODE, until=soon(house)
        )


async def test_what_is_stored_agrees_with_the_log(house: House) -> None:
    """The audit lists those that live, as no difference, and sees a code that is missing."""
    view, _ = await put(house)
    await put(house, "review@shop.example", days=1)
    house.clock.move(timedelta(days=2).total_seconds())
    gone, _ = await put(house, "second@shop.example")
    await house.service.test_destinations.remove(house.by, gone.id)
    checking = Checking(Journal(house.store), AuditInputs(now=house.clock.now))
    checked = await checking.check()

    assert () == checked.differences
    assert [view.id] == [each.id for each in checked.test_destinations]
    assert None is not await house.store.seal_key(view.id)
    assert None is await house.store.seal_key(gone.id)


async def test_an_unknown_id_of_another_kind_is_none(house: House) -> None:
    """The id of a template names no test destination."""
    with pytest.raises(NotFound):
        await house.service.test_destinations.remove(house.by, house.template_id)
    assert None is await house.service.journal.find(test_destination_decider, house.template_id)
