"""What is past its retention goes step by step, and everything else stays as it was (C-75, D-454)."""

from __future__ import annotations

import asyncio
from collections import Counter

import pytest
from attrs import evolve
from msgspec.structs import replace

from tests.application.house import POLICY, House
from tests.application.post_office import message, send
from tests.application.retention.cellars import (
    cellar,
    differences,
    keep,
    prune,
    pruning,
    seal,
    under_way,
)
from watchword.application.errors import StreamNotFoundError
from watchword.application.evidence.leaves import event_leaf
from watchword.application.evidence.sealed_leaves import leaves_at
from watchword.application.pins.resending_pins import ResendRequest
from watchword.application.pins.template_channels import ChannelEntry
from watchword.application.ports.event_store import EventStore
from watchword.application.records.log_history import PruningRow
from watchword.application.records.message import MessageRow
from watchword.application.records.pin import VerificationRow
from watchword.application.retention import what_ended
from watchword.application.retention.pruning_log import PruningLog
from watchword.domain.channel import Channel
from watchword.domain.event import ERASED
from watchword.domain.log_history import EventsPruned, PrunedPart
from watchword.domain.pin import PinIssued, PinNotFoundError


async def sealed_lines(house: House, stream: str) -> list[bytes]:
    """Return the sealed lines of a stream."""
    return [each.state.split(b"\n")[1] for each in await house.store.sealed_log.raw_stream(stream)]


async def next_door(house: House) -> House:
    """Return a house on the same store with an account of its own."""
    made = await house.service.accounts.create(house.by, "lily")
    by = replace(house.by, account_id=made.id)
    await house.service.channel_accounts.create(
        by, channel_type=Channel.SMS, provider="scripted", name="sms", config={}
    )
    template = await house.service.pin_templates.create(
        by, name="tea", policy=POLICY, channels=[ChannelEntry(channel_type=Channel.SMS)]
    )
    return evolve(house, by=by, template_id=template.id)


async def test_a_pin_goes_after_its_last_expiry(store: EventStore) -> None:
    """Its history reads `(erased)`, its row is gone, calls about it are 404; a later PIN stays."""
    house = await cellar(store, pins="30d")
    old = (await house.issue()).pin_id
    await prune(house, 29)
    assert await house.store.row(VerificationRow, old) is not None
    new = (await house.issue()).pin_id
    await prune(house, 2)

    assert await house.store.row(VerificationRow, old) is None
    assert await house.store.row(VerificationRow, new) is not None
    with pytest.raises(PinNotFoundError):
        await house.service.verifying.verify(house.by, old, "1234")
    issued = (await house.service.reading_log.stream(old))[0].event
    assert isinstance(issued, PinIssued)
    assert ERASED == issued.destination
    assert all(each[:1] in (b"", b"~") for each in await sealed_lines(house, old))
    assert not any(each[:1] == b"~" for each in await sealed_lines(house, new))
    assert () == await differences(house)
    assert 0 == await under_way(house)


async def test_streams_go_after_their_events_time(store: EventStore) -> None:
    """Past `events`, a stream is 404 like one that never was, and the log goes on behind it."""
    house = await cellar(store, pins="30d", messages="30d", events="90d")
    old = (await house.issue()).pin_id
    (sent,) = await send(house, message())
    await prune(house, 31)
    assert ["PinIssued", "PinDispatched"] == await house.story(old)
    assert await house.store.row(MessageRow, sent.message_id) is None
    await prune(house, 58)
    assert [] != await house.story(old)
    new = (await house.issue()).pin_id
    await prune(house, 2)

    for gone in (old, sent.message_id):
        with pytest.raises(StreamNotFoundError):
            await house.service.reading_log.stream(gone)
    assert [] != await house.story(new)
    log = await house.store.read_log(0, 1000)
    assert old not in {each.stream for each in log}
    assert () == await differences(house)
    assert 0 == await under_way(house)


async def test_nothing_goes_without_a_retention(store: EventStore) -> None:
    """For ever is what an account begins with, and what it can set again."""
    house = await cellar(store, pins="30d", messages="30d")
    await keep(house)
    pin = (await house.issue()).pin_id
    await prune(house, 3000)

    assert await house.store.row(VerificationRow, pin) is not None
    assert () == await differences(house)


async def test_an_account_with_many_pins_holds_up_no_other(
    store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The accounts take turns, a step each (D-576)."""
    monkeypatch.setattr(what_ended, "MOST_PINS", 2)
    house = await cellar(store, pins="1d")
    many = [(await house.issue(destination=f"+9198123456{each}")).pin_id for each in range(10, 16)]
    lily = await next_door(house)
    await keep(lily, pins="1d")
    one = (await lily.issue()).pin_id
    house.clock.move(9 * 86_400)
    await house.forget()
    await seal(house)
    work = pruning(house)
    for _ in range(4):
        await work.run_due()

    left = [each for each in many if await house.store.row(VerificationRow, each) is not None]
    assert await house.store.row(VerificationRow, one) is None
    assert 4 == len(left)


async def test_only_what_a_head_covers_goes(store: EventStore) -> None:
    """Without a signed head, nobody could show afterwards what was there."""
    house = await cellar(store, pins="1d")
    pin = (await house.issue()).pin_id
    house.clock.move(9 * 86_400)

    assert 0 == await pruning(house).run_due()
    assert await house.store.row(VerificationRow, pin) is not None
    await house.forget()
    await seal(house)
    # An event behind the head protects the stream that it is in.
    await house.service.resending.resend(house.by, pin, ResendRequest())
    house.clock.move(9 * 86_400)
    assert 0 == await pruning(house).run_due()
    assert await house.store.row(VerificationRow, pin) is not None
    await prune(house)
    assert await house.store.row(VerificationRow, pin) is None
    assert () == await differences(house)


async def test_a_step_is_recorded_before_anything_goes(store: EventStore) -> None:
    """The event names positions and their leaves; a crash after it is no difference, and is made good."""
    house = await cellar(store, pins="1d")
    pin = (await house.issue()).pin_id
    house.clock.move(3 * 86_400)
    await house.forget()
    await seal(house)
    before = [event_leaf(each) for each in await house.store.sealed_log.raw_stream(pin)]
    assert 2 == await pruning(house).run_due()

    log = await house.store.read_log(0, 1000)
    pruned = log[-1].event
    positions = [each.position for each in log if each.stream == pin]
    assert ("EventsPruned", "sealed") == (log[-1].type, str(pruned.what))  # type: ignore[attr-defined]  # it is one
    named = [at for each in pruned.ranges for at in range(each.first, each.last + 1)]  # type: ignore[attr-defined]  # it is one
    assert positions == named
    assert before == await leaves_at(house.store.sealed_log, positions)
    assert await house.store.row(VerificationRow, pin) is not None
    assert 1 == await under_way(house)
    assert () == await differences(house)
    await prune(house)
    assert await house.store.row(VerificationRow, pin) is None
    assert before == [event_leaf(each) for each in await house.store.sealed_log.raw_stream(pin)]
    assert 0 == await under_way(house)
    assert () == await differences(house)


async def test_nodes_that_look_at_once_record_a_step_once(store: EventStore) -> None:
    """Neither fails, and no event is in two steps about sealed lines or in two about streams."""
    house = await cellar(store, pins="1d", messages="1d", events="2d")
    for _ in range(5):
        await house.issue()
    house.clock.move(9 * 86_400)
    await house.forget()
    await seal(house)
    nodes = [
        PruningLog(house.service.journal, house.service.randomness, house.clock) for _ in range(3)
    ]
    while any(await asyncio.gather(*(each.run_due() for each in nodes))):
        await seal(house)

    named = Counter(
        (each.event.what, at)
        for each in await house.store.read_log(0, 1000)
        if isinstance(each.event, EventsPruned)
        for part in each.event.ranges
        for at in range(part.first, part.last + 1)
    )
    assert {PrunedPart.SEALED, PrunedPart.STREAM} == {what for what, _ in named}
    assert {1} == set(named.values())
    assert 0 == await under_way(house)
    assert () == await differences(house)


async def test_shorter_retentions_reach_what_was_pruned_before(store: EventStore) -> None:
    """Streams that lost their sealed lines long ago go once their account keeps events no longer."""
    house = await cellar(store, pins="10d", messages="10d")
    pin = (await house.issue()).pin_id
    await prune(house, 100)
    assert [] != await house.story(pin)
    await keep(house, pins="10d", messages="10d", events="20d")
    await prune(house, 1)

    assert [] == await house.story(pin)
    prunings = [each async for each in house.service.journal.every(PruningRow)]
    assert {"stream"} == {each.what for each in prunings}
    assert () == await differences(house)


async def test_a_message_goes_with_its_run_and_its_content(store: EventStore) -> None:
    """Nothing of a call is left, but the shared content stays while a run could still send it."""
    house = await cellar(store, messages="2d")
    sent = await send(house, message(), message())
    await prune(house, 3)
    assert [None, None] == [await house.store.row(MessageRow, each.message_id) for each in sent]
    assert () == await differences(house)
    await prune(house, 30)

    kinds = {"pin_", "msg_", "run_", "cnt_"}
    for each in await house.store.sealed_log.raw_events(0, 1000):
        if each.stream[:4] in kinds:
            assert each.state.split(b"\n")[1][:1] in (b"", b"~")
    assert () == await differences(house)


async def test_limits_still_count_what_is_within_their_windows(store: EventStore) -> None:
    """Old sends are forgotten with their PINs, and the audit takes it as what it is."""
    house = await cellar(store, pins="1d")
    for _ in range(3):
        await house.issue()
        await prune(house, 3)
    await house.issue()

    async with house.store.snapshot() as snapshot:
        uses = [each async for each in snapshot.uses()]
    assert 2 == len(uses)
    assert () == await differences(house)
