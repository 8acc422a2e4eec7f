"""The promises of every event store about the keys of seals (C-23)."""

from __future__ import annotations

import pytest

from tests.contracts.event_store.histories import FERN, MOSS, ORCHID, grown, step
from watchword.application.ports.event_store import EventStore, StreamConflict
from watchword.application.ports.sealer import SealKey

KEY = SealKey(ORCHID, 1, b"\x00\xff wrapped")


class SealKeysContract:
    """A seal key is there from the append that keeps it until the one that drops it."""

    async def test_a_key_is_kept_under_its_name(self, store: EventStore) -> None:
        """It is returned unchanged; another name has none."""
        await store.append(step(keeping=(KEY,)))

        assert KEY == await store.seal_key(ORCHID)
        assert await store.seal_key(FERN) is None

    async def test_a_key_that_is_dropped_is_gone(self, store: EventStore) -> None:
        """The others stay; dropping an absent key is no failure."""
        other = SealKey(FERN, 1, b"other")
        await store.append(step(keeping=(KEY, other)))
        await store.append(step(dropping=(ORCHID, MOSS)))

        assert await store.seal_key(ORCHID) is None
        assert other == await store.seal_key(FERN)

    async def test_dropping_comes_last(self, store: EventStore) -> None:
        """A key that one append both stores and drops is gone, and can be stored again."""
        await store.append(step(keeping=(KEY,), dropping=(ORCHID,)))
        assert await store.seal_key(ORCHID) is None
        await store.append(step(keeping=(KEY,)))

        assert KEY == await store.seal_key(ORCHID)

    async def test_a_refused_append_keeps_and_drops_nothing(self, store: EventStore) -> None:
        """Keys follow the events beside them."""
        await store.append(step(keeping=(KEY,)))
        with pytest.raises(StreamConflict):
            await store.append(
                step(grown(FERN, at=4), keeping=(SealKey(FERN, 1, b"x"),), dropping=(ORCHID,))
            )

        assert KEY == await store.seal_key(ORCHID)
        assert await store.seal_key(FERN) is None

    async def test_versions_in_use_are_known(self, store: EventStore) -> None:
        """A version of the code key is needed while a key that it wraps is kept."""
        await store.append(step(keeping=(KEY, SealKey(FERN, 2, b"other"))))
        await store.append(step(dropping=(ORCHID,)))

        assert [False, True, False] == [await store.seals_under(each) for each in (1, 2, 3)]
