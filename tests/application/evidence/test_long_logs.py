"""The check of a log that has tiles on three levels, and of logs with large holes."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import attrs
import msgspec
import pytest

from tests.application.evidence.made_logs import MadeLog, event
from watchword.application.evidence.verifying_log import Verified, VerifyingLog

SIZE = 66_000
FULL = 65_536
SHORT = 600


@pytest.fixture(scope="module")
def whole() -> MadeLog:
    """Return a log with a full tile on the second level."""
    return MadeLog.of(SIZE, 40_000, FULL, SIZE)


@pytest.fixture
def short() -> MadeLog:
    """Return a log of a few tiles."""
    return MadeLog.of(SHORT, SHORT)


@pytest.fixture
def log(whole: MadeLog) -> MadeLog:
    """Return a copy to edit."""
    return attrs.evolve(
        whole, events=[*whole.events], tiles=dict(whole.tiles), heads=[*whole.heads]
    )


def kinds(result: Verified) -> list[tuple[int | None, str, int | None]]:
    """Return the place and kind of each finding."""
    return [(each.position, each.kind, each.to) for each in result.findings]


async def test_a_whole_log_has_no_finding(log: MadeLog) -> None:
    """All levels agree."""
    result = await log.verified()

    assert [] == kinds(result)
    assert SIZE == (result.covered and result.covered.size)


async def test_the_progress_is_told(short: MadeLog) -> None:
    """A long check says how far it is, tile by tile, to the end."""
    told: list[tuple[int, int]] = []
    journal: Any = short

    await VerifyingLog(journal).verify(progress=lambda done, of: told.append((done, of)))

    assert [(256, SHORT), (512, SHORT), (SHORT, SHORT)] == told


async def test_a_changed_event_is_one_finding(log: MadeLog) -> None:
    """However many tiles and heads are above it."""
    log.events[50_000] = msgspec.structs.replace(log.events[50_000], stream="key-weed")

    assert [(50_001, "changed", None)] == kinds(await log.verified())


async def test_a_changed_hash_of_the_second_level_is_named_with_its_tile(log: MadeLog) -> None:
    """The hash says which 256 events it covers; the tile above is right."""
    hashes = bytearray(log.tiles[1, 0])
    hashes[32 * 200] ^= 1
    log.tiles[1, 0] = bytes(hashes)

    assert [(51_201, "tile", 51_456)] == kinds(await log.verified())


async def test_a_changed_hash_of_the_third_level_is_named_by_its_first_event(log: MadeLog) -> None:
    """It covers more events than a finding may name."""
    hashes = bytearray(log.tiles[2, 0])
    hashes[0] ^= 1
    log.tiles[2, 0] = bytes(hashes)

    assert [(1, "tile", None)] == kinds(await log.verified())


async def test_an_event_changed_with_the_tiles_of_two_levels_is_found(log: MadeLog) -> None:
    """The hash further up and the heads disagree with all of it."""
    log.events[50_000] = msgspec.structs.replace(log.events[50_000], stream="key-weed")
    edited = deepcopy(log)
    edited.seal()
    for key in ((0, 195), (1, 0)):
        log.tiles[key] = edited.tiles[key]

    found = kinds(await log.verified())

    assert {"head", "tile"} == {kind for _, kind, _ in found}
    assert (40_001, "head", 40_256) in found


async def test_an_event_far_behind_the_end_does_not_hold_up_the_check(short: MadeLog) -> None:
    """A position of a million millions leaves a gap, and nobody walks through it."""
    far = msgspec.structs.replace(event(SHORT + 1), position=10**12)
    short.events.append(far)

    assert [(SHORT + 1, "gap", SHORT + 256)] == kinds(await short.verified())


async def test_a_tile_far_behind_the_end_does_not_hold_up_the_check(short: MadeLog) -> None:
    """The tiles between are missing with their events, as one finding."""
    short.tiles[0, 10**12] = short.tiles[0, 0]

    found = await short.verified()

    assert (SHORT // 256 * 256 + 256 + 1) in {each.position for each in found.findings}
    assert {"missing", "tile", "head"} >= {each.kind for each in found.findings}


async def test_a_head_of_more_events_than_there_are_is_found(short: MadeLog) -> None:
    """The events behind the end are missing."""
    longer = MadeLog.of(SHORT + 300, SHORT + 300)
    short.heads.append(longer.heads[0])

    assert [(SHORT + 1, "missing", SHORT + 256)] == kinds(await short.verified())


async def test_a_head_kept_elsewhere_may_be_older_or_newer(short: MadeLog) -> None:
    """One of an earlier size is compared; one that covers more is a rollback."""
    assert [] == kinds(await short.verified([short.head(345).note]))
    newer = MadeLog.of(SHORT + 1, SHORT + 1).heads[0].note
    assert [(SHORT + 1, "rollback", None)] == kinds(await short.verified([newer]))


async def test_what_is_no_head_is_found() -> None:
    """An empty file beside the store proves nothing."""
    assert [(0, "signature", None)] == kinds(await MadeLog.of(10, 10).verified([""]))


async def test_many_far_events_are_named_in_ranges(short: MadeLog) -> None:
    """Holes of many tiles each are one finding each, and what is missing between comes in ranges."""
    short.tiles[0, 10**9] = short.tiles[0, 0]
    short.tiles[0, 10**9 + 50] = short.tiles[0, 0]

    found = [each for each in kinds(await short.verified()) if each[1] == "missing"]

    far = range(10**9 * 256 + 1, 10**9 * 256 + 51 * 256, 256)
    expected = [(each, "missing", each + 255) for each in (769, *far)]
    assert [*expected, (SHORT + 1, "missing", 768)] == found
