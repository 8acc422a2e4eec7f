"""The totals that limits of media are judged by, beside the media of the log (C-91, C-94)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import pytest

from watchword.adapters.event_store.memory.store import MemoryEventStore
from watchword.application.audit.checking import AuditInputs, Checking
from watchword.application.journal import Journal
from watchword.application.ports.event_store import Append, Change
from watchword.domain.accounts.account_limits import within_media_bytes
from watchword.domain.media import MediaRemoved, MediaStored, media_decider

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)


async def found_in(changes: Sequence[int], since: int, besides: int) -> list[tuple[str, str]]:
    """
    Store media of some sizes, and remove those whose size comes again below nothing.

    They are counted from change number `since` on, and `besides` without any; returns how totals differ.
    """
    store = MemoryEventStore()
    for number, change in enumerate(changes):
        size = abs(change)
        stored = MediaStored(
            at=NOON, account_id="acc_1", name="tea", content_type="a/b", size=size, sha256="0"
        )
        both = (stored, MediaRemoved(at=NOON))
        before, after = (0, 1) if change > 0 else (1, 2)
        state = media_decider.fold(both[:after])
        moved = Change(f"med_{size}", before, both[before:after], state)
        more = besides if number + 1 == len(changes) else 0
        more += change if number >= since else 0
        await store.append(
            Append(
                at=NOON,
                actor="admin",
                request_id=f"req_{number}",
                changes=(moved,),
                conditions=(within_media_bytes("acc_1", more, None),) if more else (),
            )
        )
    differences = (await Checking(Journal(store), AuditInputs()).check()).differences
    return [(each.expected, each.found) for each in differences if each.what == "Total"]


@pytest.mark.parametrize("since", range(5))
@pytest.mark.parametrize("changes", [(3,), (3, 5, 7), (3, 5, 7, 9)])
async def test_media_may_be_older_than_their_total(changes: tuple[int, ...], since: int) -> None:
    """Whenever a store began to count, it is honest as long as nothing shows that it had begun before."""
    assert [] == await found_in(changes, since, 0)


@pytest.mark.parametrize("since", range(3))
async def test_removals_of_older_media_leave_no_less_than_nothing(since: int) -> None:
    """Removing a medium that was never counted leaves the total at zero."""
    assert [] == await found_in((3, 5, -3, 7, -5, 9), since, 0)


@pytest.mark.parametrize(
    ("changes", "besides", "differences"),
    [
        ((3, 5), -5, [("8", "3")]),
        ((3, 5), 1, [("8", "9")]),
        ((3, 5, -3, 7), -7, [("12", "5")]),
        ((3, 5, -3, 7), -12, [("12", "0")]),
    ],
    ids=["not its newest", "too much", "less since counting", "nothing since counting"],
)
async def test_no_other_total_is_honest(
    changes: tuple[int, ...], besides: int, differences: list[tuple[str, str]]
) -> None:
    """A total that no first counted medium explains is a difference, with the sum of the log's media."""
    assert differences == await found_in(changes, 0, besides)
