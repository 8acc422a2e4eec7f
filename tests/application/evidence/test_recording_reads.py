"""What auditors read over HTTP is on the log, once a minute for each of them (C-82)."""

from __future__ import annotations

from datetime import timedelta

from tests.application.house import House, build_house
from watchword.application.evidence.recording_reads import MOST_STREAMS, RecordingReads
from watchword.domain.audit_read import AuditRead

HALF = timedelta(seconds=30)


def recording(house: House) -> RecordingReads:
    """Return a process that records reads."""
    return RecordingReads(house.service.journal, house.service.randomness, house.clock)


async def recorded(house: House) -> list[AuditRead]:
    """Return the reads on the log."""
    log = await house.store.read_log(0, 1_000)
    return [each.event for each in log if isinstance(each.event, AuditRead)]


async def test_a_reader_and_what_it_read_are_recorded() -> None:
    """The streams by their ids, the part of the log, how often, and from when to when."""
    house = await build_house()
    reads, began = recording(house), house.clock.now()
    reads.stream("admin", "pin_1")
    reads.part("admin", 5, 9)
    house.clock.move(30)
    reads.part("admin", 2, 7)
    reads.stream("admin", "pin_1")
    assert 0 == await reads.run_due()
    house.clock.move(30)

    assert 1 == await reads.run_due()
    (event,) = await recorded(house)
    assert ("admin", ("pin_1",), 0, 2, 9, 4) == (
        event.reader,
        event.streams,
        event.more_streams,
        event.first,
        event.last,
        event.reads,
    )
    assert (began, began + HALF) == (event.since, event.until)
    assert 0 == await reads.run_due()


async def test_what_comes_sooner_waits_for_the_minute() -> None:
    """Also what another process was read from: the events of a reader are a minute apart."""
    house = await build_house()
    here, there = recording(house), recording(house)
    here.part("admin", 1, 2)
    house.clock.move(30)
    there.part("admin", 3, 4)
    house.clock.move(30)
    assert (1, 0) == (await here.run_due(), await there.run_due())
    house.clock.move(30)
    assert 0 == await there.run_due()
    house.clock.move(30)
    assert 1 == await there.run_due()
    first, second = await recorded(house)

    assert timedelta(minutes=1) == second.at - first.at
    assert [(1, 2), (3, 4)] == [(each.first, each.last) for each in (first, second)]


async def test_each_reader_has_its_own_record() -> None:
    """Whoever reads much does not hide whoever reads little."""
    house = await build_house()
    reads = recording(house)
    for reader in ("admin", "tok_1"):
        reads.stream(reader, f"pin_of_{reader}")
    house.clock.move(60)

    assert 2 == await reads.run_due()
    assert [("admin", ("pin_of_admin",)), ("tok_1", ("pin_of_tok_1",))] == [
        (each.reader, each.streams) for each in await recorded(house)
    ]


async def test_an_event_names_so_many_streams_and_counts_the_others() -> None:
    """A reader who walks through all streams does not make the event large."""
    house = await build_house()
    reads = recording(house)
    for number in range(MOST_STREAMS + 3):
        reads.stream("admin", f"pin_{number}")
    house.clock.move(60)
    await reads.run_due()
    (event,) = await recorded(house)

    assert (MOST_STREAMS, 3) == (len(event.streams), event.more_streams)


async def test_the_end_records_what_was_read() -> None:
    """A service that stops does not wait for the minute, if the reader's last record is older."""
    house = await build_house()
    reads = recording(house)
    reads.part("admin", 1, 2)
    await reads.end()

    assert [2] == [each.last for each in await recorded(house)]


async def test_a_store_out_of_reach_loses_nothing() -> None:
    """The reads are kept, and recorded once it is back."""
    house = await build_house()
    reads = recording(house)
    reads.part("admin", 1, 2)
    house.clock.move(60)
    house.store.reachable = False
    await reads.end()
    house.store.reachable = True

    assert 1 == await reads.run_due()
    assert [1] == [each.reads for each in await recorded(house)]


async def test_nothing_is_recorded_where_nothing_was_read() -> None:
    """A quiet minute leaves no event."""
    house = await build_house()
    reads = recording(house)
    await reads.run_due()
    await reads.end()

    assert [] == await recorded(house)
