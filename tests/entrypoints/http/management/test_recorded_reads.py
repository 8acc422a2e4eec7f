"""What is read of the log over HTTP is an event, too: who read which stream or part (C-82)."""

from __future__ import annotations

from tests.entrypoints.caller import Caller
from watchword.application.evidence.recording_reads import RecordingReads
from watchword.domain.audit_read import AuditRead
from watchword.entrypoints.wired import Wired


async def reads_of(service: Wired) -> list[AuditRead]:
    """End the minute of all readers, and return what is on the log."""
    await service.recording_reads.end()
    page = await service.reading_log.events(0, 1_000)
    return [each.event for each in page.events if isinstance(each.event, AuditRead)]


async def test_both_ways_to_read_are_recorded(caller: Caller, service: Wired) -> None:
    """The stream by its id, and the part of the log by its positions."""
    pin_id = await caller.created()
    await caller.events(pin_id)
    page = await caller.operated("GET", "/events?after=3&limit=2")
    (event,) = await reads_of(service)

    assert ("admin", (pin_id,), 4, page["next"], 2) == (
        event.reader,
        event.streams,
        event.first,
        event.last,
        event.reads,
    )


async def test_nothing_shown_is_nothing_read(caller: Caller, service: Wired) -> None:
    """An empty page and an unknown id leave no event."""
    await caller.operated("GET", "/events?after=9999")
    await caller.operate("GET", "/streams/pin_unknown/events")

    assert [] == await reads_of(service)


async def test_the_record_of_a_reader_is_no_new_reading(caller: Caller, service: Wired) -> None:
    """Whoever follows the log sees that it was read, and the log comes to rest."""
    end = (await caller.operated("GET", "/events?limit=1000"))["next"]
    assert 1 == len(await reads_of(service))
    page = await caller.operated("GET", f"/events?after={end}&wait=30")
    await caller.advance(120)

    assert ["AuditRead"] == [each["type"] for each in page["data"]]
    assert 1 == len(await reads_of(service))


async def test_moving_the_clock_of_a_sandbox_records_nothing(
    caller: Caller, service: Wired
) -> None:
    """The worker does, within seconds: a test that reads, moves the clock and reads again is left alone."""
    await caller.events(await caller.created())
    await caller.advance(3_600)

    assert service.sandbox is not None
    assert not any(isinstance(each, RecordingReads) for each in service.sandbox.due_work)
    assert any(isinstance(each, RecordingReads) for each in service.due_work)
