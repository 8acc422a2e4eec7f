"""The states used last: none is older than the last write."""

from __future__ import annotations

from tests.contracts.event_store.histories import FERN, MOSS, ORCHID, grown, loaded
from watchword.adapters.event_store.log.recent_states import RecentStates


def test_a_write_is_kept() -> None:
    """After a durable write, the state and version that it led to are here."""
    recent = RecentStates()
    recent.written([grown(ORCHID, by=2)])
    recent.written([grown(ORCHID, at=2)])

    assert loaded(ORCHID, 3) == recent.get(ORCHID)
    assert recent.get(FERN) is None


def test_a_load_is_kept() -> None:
    """A state that was loaded from the file is not loaded again."""
    recent = RecentStates()
    with recent.loading(ORCHID) as keep:
        keep(loaded(ORCHID, 3))

    assert loaded(ORCHID, 3) == recent.get(ORCHID)


def test_an_overtaken_load_is_not_kept() -> None:
    """A load that began before a write ends may have read the old state: the write's is kept."""
    recent = RecentStates()
    with recent.loading(ORCHID) as keep:
        recent.written([grown(ORCHID, at=3)])
        keep(loaded(ORCHID, 3))

    assert loaded(ORCHID, 4) == recent.get(ORCHID)


def test_nothing_is_left_after_all_was_dropped() -> None:
    """Remembered states are gone, and so is the result of a load under way."""
    recent = RecentStates()
    recent.written([grown(FERN)])
    with recent.loading(ORCHID) as keep:
        recent.clear()
        keep(loaded(ORCHID, 3))

    assert recent.get(FERN) is None
    assert recent.get(ORCHID) is None


def test_every_load_that_a_write_overtook_is_dropped() -> None:
    """Several loads at once may end in any order; none brings the old state back."""
    recent = RecentStates()
    with recent.loading(ORCHID) as keep_first:
        with recent.loading(ORCHID) as keep_second:
            recent.written([grown(ORCHID, at=3)])
            keep_second(loaded(ORCHID, 3))
        keep_first(loaded(ORCHID, 3))

    assert loaded(ORCHID, 4) == recent.get(ORCHID)


def test_an_overtaken_load_does_not_come_back_when_the_write_was_evicted() -> None:
    """Without room for the written state, the old state is not kept either."""
    recent = RecentStates(capacity=1)
    with recent.loading(ORCHID) as keep:
        recent.written([grown(ORCHID, at=3)])
        recent.written([grown(FERN)])
        keep(loaded(ORCHID, 3))

    assert recent.get(ORCHID) is None
    assert loaded(FERN, 1) == recent.get(FERN)


def test_a_write_to_another_stream_overtakes_nothing() -> None:
    """Loads are overtaken stream by stream."""
    recent = RecentStates()
    with recent.loading(ORCHID) as keep:
        recent.written([grown(FERN)])
        keep(loaded(ORCHID, 3))

    assert loaded(ORCHID, 3) == recent.get(ORCHID)


def test_a_later_load_is_kept_again() -> None:
    """Being overtaken is over when the loads of that time are."""
    recent = RecentStates()
    with recent.loading(ORCHID) as keep:
        recent.written([grown(ORCHID, at=3)])
        keep(loaded(ORCHID, 3))
    recent.forget(ORCHID)
    with recent.loading(ORCHID) as keep:
        keep(loaded(ORCHID, 5))

    assert loaded(ORCHID, 5) == recent.get(ORCHID)


def test_a_failed_load_leaves_nothing() -> None:
    """A load that found nothing, or broke off, stores nothing and blocks nothing."""
    recent = RecentStates()
    try:
        with recent.loading(ORCHID):
            raise OSError
    except OSError:
        pass
    with recent.loading(FERN):
        pass
    with recent.loading(ORCHID) as keep:
        keep(loaded(ORCHID, 1))

    assert recent.get(FERN) is None
    assert loaded(ORCHID, 1) == recent.get(ORCHID)


def test_what_is_behind_is_forgotten() -> None:
    """An outdated state is loaded again; forgetting an absent one is no error."""
    recent = RecentStates()
    recent.written([grown(ORCHID)])
    recent.forget(ORCHID)
    recent.forget(FERN)

    assert recent.get(ORCHID) is None


def test_the_least_recently_used_makes_room() -> None:
    """Beyond the capacity, the state that was unused for longest is dropped."""
    recent = RecentStates(capacity=2)
    recent.written([grown(ORCHID)])
    recent.written([grown(FERN)])
    recent.get(ORCHID)
    recent.written([grown(MOSS)])

    assert loaded(ORCHID, 1) == recent.get(ORCHID)
    assert recent.get(FERN) is None
    assert loaded(MOSS, 1) == recent.get(MOSS)


def test_without_capacity_nothing_is_kept() -> None:
    """A reader beside a running service keeps nothing."""
    recent = RecentStates(capacity=0)
    recent.written([grown(ORCHID)])

    assert recent.get(ORCHID) is None
