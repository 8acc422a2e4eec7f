"""The keys of an append's owners are ready before it is packed, on every store."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection, Mapping
from pathlib import Path

import pytest

from tests.contracts.event_store.histories import ORCHID, grown, step
from tests.vaults import new_vault
from watchword.adapters.event_store.memory.store import MemoryEventStore
from watchword.adapters.event_store.postgres.store import PostgresEventStore
from watchword.adapters.event_store.sealing.owner_keys import OwnerKeys
from watchword.adapters.event_store.sqlite.store import SqliteEventStore
from watchword.adapters.vault import Vault
from watchword.application.ports.event_store import (
    PersonGone,
    PersonKnown,
    PersonRecord,
    StreamConflict,
)
from watchword.application.ports.sealer import SealKey
from watchword.domain.conditions import PersonLives, Unchanged

AnyStore = MemoryEventStore | SqliteEventStore | PostgresEventStore
GARDEN = "acc_garden"


@pytest.fixture(params=["memory", "sqlite", "postgres"])
async def store(
    request: pytest.FixtureRequest, tmp_path: Path, vault: Vault
) -> AsyncIterator[AnyStore]:
    """Yield a store of each kind."""
    opened: AnyStore
    if request.param == "memory":
        opened = MemoryEventStore(vault=vault)
    elif request.param == "sqlite":
        opened = await SqliteEventStore.open(tmp_path / "store.db", vault=vault)
    else:
        opened = await PostgresEventStore.open(request.getfixturevalue("postgres_url"), vault=vault)
    yield opened
    await opened.close()


@pytest.fixture
def vault() -> Vault:
    """Return the vault of the store."""
    return new_vault()


class CountedReads:
    """A place of keys that counts how often it is read."""

    def __init__(self, inside: AnyStore) -> None:
        self._inside = inside
        self.reads = 0

    async def stored_keys(self, owners: Collection[str]) -> Mapping[str, SealKey]:
        """Return keys, and count."""
        self.reads += 1
        return await self._inside.stored_keys(owners)

    async def keep_key(self, key: SealKey) -> SealKey:
        """Store a key."""
        return await self._inside.keep_key(key)


async def test_an_account_gets_its_key_when_it_is_first_needed(
    store: AnyStore, vault: Vault
) -> None:
    """What is sealed then opens with the stored key."""
    await OwnerKeys(vault, store).remember([GARDEN])
    sealed = vault.seal(GARDEN, "evt_1", b"plain")
    stored = await store.stored_keys([GARDEN, "acc_none"])

    assert {GARDEN} == stored.keys()
    assert b"plain" == vault.open(stored[GARDEN], "evt_1", sealed)


async def test_a_stream_gets_its_key_in_the_append_that_begins_it(
    store: AnyStore, vault: Vault
) -> None:
    """If that append is refused, there is no key either (D-358)."""
    keys = OwnerKeys(vault, store)
    ready = await keys.ready(step(grown(ORCHID)), {ORCHID})
    sealed = vault.seal(ORCHID, "evt_1", b"plain")
    before = await store.stored_keys([ORCHID])
    await store.append(ready)
    stored = await store.stored_keys([ORCHID])

    assert {} == before
    assert b"plain" == vault.open(stored[ORCHID], "evt_1", sealed)
    again = step(grown(ORCHID, at=1))
    assert again == await keys.ready(again, {ORCHID})


async def test_a_stream_never_gets_a_second_key(store: AnyStore, vault: Vault) -> None:
    """Its key was dropped by an append that moved it, so it is loaded and decided again."""
    await store.append(await OwnerKeys(vault, store).ready(step(grown(ORCHID)), {ORCHID}))
    await store.append(step(grown(ORCHID, at=1), dropping=(ORCHID,)))

    assert not vault.remembers(ORCHID)
    with pytest.raises(StreamConflict):
        await OwnerKeys(vault, store).ready(step(grown(ORCHID, at=1)), {ORCHID})
    assert {} == await store.stored_keys([ORCHID])


async def test_an_erasure_forgets_the_keys_of_all_streams(store: AnyStore, vault: Vault) -> None:
    """Another node may have dropped them; those of people and accounts stay."""
    anna, bert = (vault.new_person(GARDEN, number) for number in ("919812345678", "919812345679"))
    await store.append(step(new_people=(anna, bert)))
    keys = OwnerKeys(vault, store)
    await keys.remember([GARDEN])
    await store.append(await keys.ready(step(grown(ORCHID)), {ORCHID}))
    await store.append(step(erasing=(anna.person_id,)))

    assert [False, True, True] == [
        vault.remembers(each) for each in (ORCHID, bert.person_id, GARDEN)
    ]


async def test_two_nodes_that_need_a_key_at_once_get_the_same(store: AnyStore) -> None:
    """The one that stored its key first wins; the other seals under that one too."""
    vaults = [new_vault() for _ in range(4)]
    await asyncio.gather(*(OwnerKeys(each, store).remember([GARDEN]) for each in vaults))
    stored = await store.stored_keys([GARDEN])

    for each in vaults:
        assert b"plain" == new_vault().open(
            stored[GARDEN], "evt_1", each.seal(GARDEN, "evt_1", b"plain")
        )


async def test_a_remembered_key_costs_no_read(store: AnyStore, vault: Vault) -> None:
    """The first need of a known person is one read, together with the account's."""
    anna = vault.new_person(GARDEN, "919812345678")
    await store.append(step(new_people=(anna,)))
    fresh, counted = new_vault(), CountedReads(store)
    keys = OwnerKeys(fresh, counted)
    for _ in range(3):
        await keys.ready(step(grown(ORCHID)), {anna.person_id, GARDEN})

    assert 1 == counted.reads
    assert fresh.remembers(anna.person_id)


async def test_an_append_for_a_person_holds_only_while_the_person_lives(
    store: AnyStore, vault: Vault
) -> None:
    """The condition comes after those of the append; accounts need none."""
    anna = vault.new_person(GARDEN, "919812345678")
    await store.append(step(new_people=(anna,)))
    own = Unchanged(ORCHID, 0)
    ready = await OwnerKeys(vault, store).ready(step(conditions=(own,)), [anna.person_id, GARDEN])

    assert (own, PersonLives(anna.person_id)) == ready.conditions


async def test_a_person_that_an_append_meets_needs_no_store(store: AnyStore, vault: Vault) -> None:
    """Its key goes with its record, and the record is checked by itself."""
    anna = vault.new_person(GARDEN, "919812345678")
    vault.forget(anna.person_id)
    counted = CountedReads(store)
    append = step(new_people=(anna,))

    assert append == await OwnerKeys(vault, counted).ready(append, [anna.person_id])
    assert 0 == counted.reads
    assert vault.remembers(anna.person_id)


async def test_nothing_is_sealed_for_a_person_who_is_gone(store: AnyStore) -> None:
    """The refusal names the person, who is to be met anew; no key is made for anyone."""
    with pytest.raises(PersonGone) as refused:
        await OwnerKeys(new_vault(), store).ready(step(), ["per_gone"])

    assert "per_gone" == refused.value.person_id
    assert {} == await store.stored_keys(["per_gone"])


async def test_a_store_forgets_the_key_of_a_person_whom_it_erases(
    store: AnyStore, vault: Vault
) -> None:
    """So nothing in this process can seal for the person or open what was sealed."""
    anna = vault.new_person(GARDEN, "919812345678")
    await store.append(step(new_people=(anna,)))
    await store.append(step(erasing=(anna.person_id,)))

    assert not vault.remembers(anna.person_id)


def test_a_lookup_of_people_remembers_their_keys() -> None:
    """They come with the records, so that sealing needs no second read; broken ones are passed over."""
    vault = new_vault()
    anna, bert = (
        new_vault().new_person(GARDEN, number) for number in ("919812345678", "919812345679")
    )
    broken = PersonRecord("per_broken", GARDEN, "hmac", SealKey("per_broken", 1, b"broken"))
    newer = PersonRecord("per_newer", GARDEN, "hmac", SealKey("per_newer", 2, b"newer"))
    OwnerKeys(vault, MemoryEventStore(vault=vault)).learn([anna, broken, newer, bert])

    assert [True, False, False, True] == [
        vault.remembers(each.person_id) for each in (anna, broken, newer, bert)
    ]


async def test_a_store_that_refuses_to_meet_remembers_whom_it_knows(
    store: AnyStore, vault: Vault
) -> None:
    """The next attempt seals for the known person without a read."""
    known = new_vault().new_person(GARDEN, "919812345678")
    await store.append(step(new_people=(known,)))
    vault.forget(known.person_id)
    with pytest.raises(PersonKnown):
        await store.append(step(new_people=(vault.new_person(GARDEN, "919812345678"),)))

    assert vault.remembers(known.person_id)
