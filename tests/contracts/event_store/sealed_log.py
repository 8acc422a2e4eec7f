"""The promises of every event store about its sealed log: tiles, heads, and events as they are stored."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import timedelta
from hashlib import sha256

from attrs import evolve

from tests.contracts.event_store.histories import FERN, NOON, ORCHID, grown, step
from tests.contracts.event_store.snapshots import every
from watchword.application.evidence.leaves import event_leaf
from watchword.application.evidence.tree import root, root_tiles
from watchword.application.ports.event_store import EventStore
from watchword.application.ports.sealed_log import Head

MINUTE = timedelta(minutes=1)
# Two full tiles of leaves and a part of a third.
MANY = 600


def head(size: int, origin: str = "garden/1") -> Head:
    """Return a head as a signer makes it."""
    note = f"{origin}\n{size}\nroot=\n\n— garden signature=\n"
    return Head(origin, size, sha256(b"%d" % size).digest(), NOON + timedelta(seconds=size), note)


def tree_root(leaves: Sequence[bytes]) -> bytes:
    """Return the root over leaf hashes, word for word as RFC 6962 defines it."""
    if len(leaves) == 1:
        return leaves[0]
    split = 1
    while 2 * split < len(leaves):
        split *= 2
    return sha256(b"\1" + tree_root(leaves[:split]) + tree_root(leaves[split:])).digest()


async def tiles_of(store: EventStore) -> dict[tuple[int, int], bytes]:
    """Return every tile of the lower levels."""
    wanted = [(level, index) for level in range(3) for index in range(5)]
    return dict(await store.sealed_log.tiles(wanted))


class SealedLogContract:
    """What is covered by tiles stays as it was; heads stay as they were signed."""

    async def test_a_new_log_is_not_sealed(self, store: EventStore) -> None:
        """There is no tile and no head, and nothing to cover."""
        log = store.sealed_log

        assert 0 == await log.extend(10)
        assert 0 == await log.sealed_size()
        assert {} == await log.tiles([(0, 0), (1, 0)])
        assert [] == list(await log.raw_events(0, 10))
        assert [] == list(await log.raw_stream(ORCHID))
        assert [] == list(await log.heads(0, 10))
        assert [] == list(await log.heads_before(2**63 - 1, 10))
        assert await log.newest_head() is None

    async def test_an_event_reads_as_it_is_stored(self, store: EventStore) -> None:
        """It has its place, its stored name and its three lines, by position or by stream."""
        await store.append(step(grown(ORCHID), grown(FERN)))
        await store.append(step(grown(ORCHID, at=1)))
        log = store.sealed_log

        first, second, third = await log.raw_events(0, 10)

        assert [
            (1, ORCHID, 1, "ApiKeyCreated/1"),
            (2, FERN, 1, "ApiKeyCreated/1"),
            (3, ORCHID, 2, "ApiKeyUsed/1"),
        ] == [
            (each.position, each.stream, each.version, each.topic)
            for each in (first, second, third)
        ]
        assert all(isinstance(each.state, bytes) for each in (first, second, third))
        assert [3, 3, 3] == [len(each.state.split(b"\n")) for each in (first, second, third)]
        assert b"account-garden" in first.state
        assert [first, third] == list(await log.raw_stream(ORCHID))
        assert [second] == list(await log.raw_events(1, 1))

    async def test_events_are_counted_by_name(self, store: EventStore) -> None:
        """Behind a position, up to another."""
        await store.append(step(grown(ORCHID, by=3), grown(FERN)))
        log = store.sealed_log

        assert {"ApiKeyCreated/1": 2, "ApiKeyUsed/1": 2} == await log.topics(0, 100)
        assert {"ApiKeyUsed/1": 2} == await log.topics(1, 3)
        assert {} == await log.topics(4, 100)

    async def test_the_tiles_grow_by_so_many_events(self, store: EventStore) -> None:
        """Each call covers at most so many events, until all are covered."""
        await store.append(step(grown(ORCHID, by=5)))
        log = store.sealed_log

        assert [3, 5, 5] == [await log.extend(3) for _ in range(3)]
        assert 5 == await log.sealed_size()
        leaves = [event_leaf(each) for each in await log.raw_events(0, 5)]
        assert {(0, 0): b"".join(leaves)} == await tiles_of(store)

    async def test_the_tiles_are_those_of_the_tree(self, store: EventStore) -> None:
        """However they grew, their root is the one that RFC 6962 defines, at every size between."""
        log = store.sealed_log
        at = 0
        for size in (1, 255, 256, 257, 511, MANY):
            await store.append(step(grown(ORCHID, at=at, by=size - at)))
            at = size
            assert size == await log.extend(1_000)

            leaves = [event_leaf(each) for each in await log.raw_events(0, size)]
            assert tree_root(leaves) == root(size, await log.tiles(root_tiles(size)))

        tiles = await tiles_of(store)
        assert {(0, 0): 256, (0, 1): 256, (0, 2): 88, (1, 0): 2} == {
            key: len(hashes) // 32 for key, hashes in tiles.items()
        }

    async def test_one_of_two_extends_the_tiles(self, store: EventStore) -> None:
        """Two at a time cover each event once."""
        log = store.sealed_log
        await store.append(step(grown(ORCHID, by=250)))
        await log.extend(250)
        await store.append(step(grown(ORCHID, at=250, by=10)))

        await asyncio.gather(log.extend(10), store.sealed_log.extend(10), log.extend(4))
        await log.extend(10)

        assert 260 == await log.sealed_size()
        leaves = [event_leaf(each) for each in await log.raw_events(0, 300)]
        assert tree_root(leaves) == root(260, await log.tiles(root_tiles(260)))

    async def test_heads_stay_in_order(self, store: EventStore) -> None:
        """A head comes back as it was given; of two of one size, the first stays."""
        log = store.sealed_log
        kept = [await log.keep_head(head(size)) for size in (7, 3)]

        assert [True, True] == kept
        assert not await log.keep_head(head(7, "weeds/1"))
        assert await log.keep_head(head(9, "garden/2"))
        assert head(9, "garden/2") == await log.newest_head()
        assert [head(3), head(7)] == list(await log.heads(0, 2))
        assert [head(7), head(9, "garden/2")] == list(await log.heads(3, 10))
        assert [head(9, "garden/2"), head(7)] == list(await log.heads_before(2**63 - 1, 2))
        assert [head(3)] == list(await log.heads_before(7, 10))

    async def test_a_note_gets_more_signatures(self, store: EventStore) -> None:
        """Nothing else of its head changes; whoever read an older note adds nothing."""
        log = store.sealed_log
        await log.keep_head(head(7))
        longer = head(7).note + "— oak signature=\n"

        assert await log.cosign(7, head(7).note, longer)
        assert not await log.cosign(7, head(7).note, "another\n")
        assert not await log.cosign(3, head(3).note, longer)
        assert evolve(head(7), note=longer) == await log.newest_head()

    async def test_one_node_has_the_lease(self, store: EventStore) -> None:
        """Its owner prolongs it; another gets it once it has ended."""
        log = store.sealed_log

        assert await log.lease("rose", NOON, NOON + MINUTE)
        assert not await log.lease("thistle", NOON + MINUTE / 2, NOON + MINUTE * 2)
        assert await log.lease("rose", NOON + MINUTE / 2, NOON + MINUTE * 2)
        assert not await log.lease("thistle", NOON + MINUTE, NOON + MINUTE * 2)
        assert await log.lease("thistle", NOON + MINUTE * 2, NOON + MINUTE * 3)
        assert not await log.lease("rose", NOON + MINUTE * 2, NOON + MINUTE * 3)

    async def test_a_lease_of_a_wrong_clock_does_not_count(self, store: EventStore) -> None:
        """A node whose clock was an hour ahead does not keep the others from sealing for an hour."""
        log = store.sealed_log
        await log.lease("sundial", NOON + 60 * MINUTE, NOON + 61 * MINUTE)

        assert await log.lease("rose", NOON, NOON + MINUTE)

    async def test_a_snapshot_has_the_sealed_log_of_its_moment(self, store: EventStore) -> None:
        """Events, tiles by level, and heads come in order, without what is written meanwhile."""
        await store.append(step(grown(ORCHID, by=MANY)))
        log = store.sealed_log
        await log.extend(MANY)
        await log.keep_head(head(MANY))
        await log.keep_head(head(3))
        tiles = await tiles_of(store)
        events = list(await log.raw_events(0, MANY))

        async with store.snapshot() as snapshot:
            await store.append(step(grown(FERN)))
            await log.extend(MANY)
            await log.keep_head(head(MANY + 1))

            assert events == await every(snapshot.raw_events())
            for level in range(3):
                found = await every(snapshot.tiles(level))
                assert [
                    (index, hashes) for (of, index), hashes in sorted(tiles.items()) if of == level
                ] == [(each.index, each.hashes) for each in found]
            assert [head(3), head(MANY)] == await every(snapshot.heads())
