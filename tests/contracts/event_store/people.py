"""The promises of every event store about people: met once, erased for good (C-73, C-74)."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from attrs import evolve

from tests.contracts.event_store.histories import FERN, MOSS, ORCHID, grown, step
from tests.contracts.event_store.sample_people import ANNA, BERT, person
from tests.contracts.event_store.sample_rows import SAMPLES
from watchword.application.ports.event_store import (
    EventStore,
    PersonGone,
    PersonKnown,
    PersonRecord,
    StreamConflict,
)
from watchword.application.ports.sealer import SealKey
from watchword.application.records.message import MessageRow
from watchword.domain.conditions import Hold, PersonLives

MINE, OTHERS = "msg_mine", "msg_others"
AGAIN = person("again", "anna")


class PeopleContract:
    """A person is there from the append that meets it until the one that erases it."""

    async def test_people_are_found_by_hmac_and_by_id(self, store: EventStore) -> None:
        """Both return the whole record; whoever is not known is not in the answer."""
        await store.append(step(new_people=(ANNA, BERT)))

        assert {ANNA.hmac: ANNA, BERT.hmac: BERT} == await store.people(
            [ANNA.hmac, "hmac of none", BERT.hmac]
        )
        assert {ANNA.person_id: ANNA} == await store.people_named([ANNA.person_id, "per_none"])
        assert {} == await store.people([])
        assert {} == await store.people_named(["hmac of anna"])

    async def test_a_person_is_looked_up_among_the_appends(self, store: EventStore) -> None:
        """A look-up beside an append finds the person or nobody, and adds nobody (D-372)."""
        await store.append(step(new_people=(ANNA,)))
        found, nobody, _ = await asyncio.gather(
            store.person(ANNA.hmac),
            store.person("hmac of none"),
            store.append(step(new_people=(BERT,))),
        )

        assert (ANNA, None) == (found, nobody)
        assert {} == await store.people(["hmac of none"])

    async def test_a_known_person_is_not_met_again(self, store: EventStore) -> None:
        """The refusal carries the records of all the people that are known; nothing is written."""
        await store.append(step(new_people=(ANNA, BERT)))
        fresh = person("cleo")
        with pytest.raises(PersonKnown) as refused:
            await store.append(
                step(grown(FERN), new_people=(person("other", "bert"), fresh, AGAIN))
            )

        assert {ANNA, BERT} == set(refused.value.people)
        assert {} == await store.people([fresh.hmac])
        assert [] == list(await store.read_stream(FERN))

    async def test_one_append_meets_a_number_once(self, store: EventStore) -> None:
        """Two records with one HMAC would leave sealed text without its key."""
        with pytest.raises(PersonKnown) as refused:
            await store.append(step(new_people=(ANNA, AGAIN)))

        assert (ANNA,) == refused.value.people
        assert {} == await store.people([ANNA.hmac])

    async def test_of_two_that_meet_one_person_at_once_one_wins(self, store: EventStore) -> None:
        """All others are told the winner's record, by which they can seal."""
        racing = [person(f"anna-{number}", "anna") for number in range(8)]
        results = await asyncio.gather(
            *(store.append(step(new_people=(each,))) for each in racing), return_exceptions=True
        )

        (winner,) = (await store.people([racing[0].hmac])).values()
        lost = [each for each in results if isinstance(each, PersonKnown)]
        assert len(racing) - 1 == len(lost)
        assert all((winner,) == each.people for each in lost)

    async def test_an_erased_person_is_gone_with_the_key(self, store: EventStore) -> None:
        """Nobody else is; the same number can be met anew, under another id."""
        await store.append(step(new_people=(ANNA, BERT)))
        await store.append(step(erasing=(ANNA.person_id,)))

        assert {} == await store.people_named([ANNA.person_id])
        assert {BERT.hmac: BERT} == await store.people([ANNA.hmac, BERT.hmac])
        await store.append(step(new_people=(AGAIN,)))
        assert {AGAIN.hmac: AGAIN} == await store.people([ANNA.hmac])

    async def test_whoever_is_not_there_cannot_be_erased(self, store: EventStore) -> None:
        """Neither a stranger nor a person who was erased already; the refusal names the person."""
        await store.append(step(new_people=(ANNA,)))
        await store.append(step(erasing=(ANNA.person_id,)))
        for gone in (ANNA.person_id, "per_none"):
            with pytest.raises(PersonGone, match=gone) as refused:
                await store.append(step(grown(FERN), erasing=(gone,)))
            assert gone == refused.value.person_id

        assert [] == list(await store.read_stream(FERN))

    async def test_an_append_can_be_for_the_living_only(self, store: EventStore) -> None:
        """It holds while the person is there, and for a person that the same append meets."""
        lives = (PersonLives(ANNA.person_id),)
        await store.append(step(grown(FERN), new_people=(ANNA,), conditions=lives))
        await store.append(step(grown(ORCHID), conditions=lives))
        await store.append(step(erasing=(ANNA.person_id,)))
        with pytest.raises(PersonGone) as refused:
            await store.append(step(grown(MOSS), conditions=lives))

        assert ANNA.person_id == refused.value.person_id
        assert [] == list(await store.read_stream(MOSS))

    async def test_an_erasure_wins_or_loses_whole(self, store: EventStore) -> None:
        """What is sealed for a person at the same time is written before the erasure, or refused."""
        await store.append(step(new_people=(ANNA,)))
        lives = (PersonLives(ANNA.person_id),)
        streams = [f"key-{number}" for number in range(9)]
        appends = [step(grown(each), conditions=lives) for each in streams]
        appends.insert(4, step(grown(FERN), erasing=(ANNA.person_id,)))
        results = await asyncio.gather(
            *(store.append(each) for each in appends), return_exceptions=True
        )

        (erased_at,) = [each.position for each in await store.read_stream(FERN)]
        positions = [
            each for result in results if not isinstance(result, BaseException) for each in result
        ]
        assert erased_at == max(positions)
        refused = [each for each in results if isinstance(each, BaseException)]
        assert all(isinstance(each, PersonGone) for each in refused)
        assert len(appends) == len(positions) + len(refused)

    async def test_two_erasures_at_once_are_one(self, store: EventStore) -> None:
        """The other is told that the person is gone."""
        await store.append(step(new_people=(ANNA,)))
        results = await asyncio.gather(
            *(store.append(step(erasing=(ANNA.person_id,))) for _ in range(2)),
            return_exceptions=True,
        )

        assert 1 == sum(isinstance(each, PersonGone) for each in results)
        assert {} == await store.people([ANNA.hmac])

    async def test_a_person_is_met_anew_while_it_is_erased(self, store: EventStore) -> None:
        """In one batch or in two, the last record stays, and the erased one is gone."""
        await store.append(step(new_people=(ANNA,)))
        _, met = await asyncio.gather(
            store.append(step(erasing=(ANNA.person_id,))),
            store.append(step(new_people=(AGAIN,))),
            return_exceptions=True,
        )

        expected = {} if isinstance(met, PersonKnown) else {AGAIN.hmac: AGAIN}
        assert expected == await store.people([ANNA.hmac])
        assert {} == await store.people_named([ANNA.person_id])

    async def test_a_refused_append_meets_and_erases_nobody(self, store: EventStore) -> None:
        """People follow the events beside them."""
        await store.append(step(new_people=(ANNA,)))
        with pytest.raises(StreamConflict):
            await store.append(
                step(grown(FERN, at=4), new_people=(BERT,), erasing=(ANNA.person_id,))
            )

        assert {ANNA.hmac: ANNA} == await store.people([ANNA.hmac, BERT.hmac])

    async def test_the_ids_of_providers_are_dropped_with_a_persons_rows(
        self, store: EventStore
    ) -> None:
        """No other subject is, and no other person's. Some providers' ids hold the number."""
        message: Any = SAMPLES[MessageRow]
        mine, other = (
            evolve(message, id=message_id, person_id=each.person_id)
            for each, message_id in ((ANNA, MINE), (BERT, OTHERS))
        )
        held = [
            Hold("provider-message:tea:1", MINE),
            Hold("provider-message:tea:2", OTHERS),
            Hold("name:tea", MINE),
        ]
        await store.append(
            step(new_people=(ANNA, BERT), rows=(mine, other), conditions=tuple(held))
        )
        await store.append(step(erasing=(ANNA.person_id,)))
        while await store.erase_rows(ANNA.person_id):
            pass

        assert [set(), {OTHERS}, {MINE}] == [
            set(await store.holders(each.subject)) for each in held
        ]

    async def test_erasing_rows_of_a_stranger_finds_none(self, store: EventStore) -> None:
        """Zero says that nothing of the person is left."""
        assert 0 == await store.erase_rows("per_none")

    async def test_a_store_without_readers_can_be_scrubbed(self, store: EventStore) -> None:
        """True says that no file still holds what was deleted."""
        await store.append(step(new_people=(ANNA,)))
        await store.append(step(erasing=(ANNA.person_id,)))

        assert await store.scrub()


class WrappedKeysContract:
    """Every key that a version of the code key wraps is known, and can be wrapped anew."""

    async def test_keys_under_a_version_are_those_of_people_and_of_seals(
        self, store: EventStore
    ) -> None:
        """At most as many as asked for; a version without keys has none."""
        seal = SealKey("account-garden", 1, b"seal")
        newer = person("cleo", version=2)
        await store.append(step(new_people=(ANNA, BERT, newer), keeping=(seal,)))
        everyone = await store.keys_under(1, 10)

        assert {ANNA.key, BERT.key, seal} == set(everyone)
        assert [newer.key] == list(await store.keys_under(2, 10))
        assert 2 == len(await store.keys_under(1, 2))
        assert [True, True, False] == [await store.seals_under(each) for each in (1, 2, 3)]

    async def test_keys_under_a_version_come_by_name(self, store: EventStore) -> None:
        """A pass over all goes on behind the last name, whatever it left as it was."""
        seals = [SealKey(name, 1, b"seal") for name in ("acc_1", "pes_2", "store")]
        await store.append(step(new_people=(BERT, ANNA), keeping=tuple(seals)))
        names, passed = [], ""
        while page := await store.keys_under(1, 2, passed):
            passed = page[-1].name
            names.append([each.name for each in page])

        assert [["acc_1", "per_anna"], ["per_bert", "pes_2"], ["store"]] == names

    async def test_the_first_key_of_a_name_is_kept(self, store: EventStore) -> None:
        """Of nodes that make a key for one owner, all get the same one; a dropped one is made anew."""
        made = [SealKey("acc_1", 1, bytes([number])) for number in range(8)]
        kept = await asyncio.gather(*(store.keep_key(each) for each in made))

        assert {kept[0]} == set(kept)
        assert kept[0] == await store.seal_key("acc_1")
        await store.append(step(dropping=("acc_1",)))
        assert made[7] == await store.keep_key(made[7])

    async def test_a_version_is_in_use_while_a_persons_key_needs_it(
        self, store: EventStore
    ) -> None:
        """An erasure ends that use."""
        await store.append(step(new_people=(ANNA,)))
        before = await store.seals_under(1)
        await store.append(step(erasing=(ANNA.person_id,)))

        assert [True, False] == [before, await store.seals_under(1)]

    async def test_keys_are_replaced_by_the_same_wrapped_anew(self, store: EventStore) -> None:
        """Both people's and others'; the rest of a person's record stays."""
        seal = SealKey("account-garden", 1, b"seal")
        await store.append(step(new_people=(ANNA, BERT), keeping=(seal,)))
        anew = [(old, SealKey(old.name, 2, b"new " + old.wrapped)) for old in (ANNA.key, seal)]

        assert 2 == await store.rewrap(anew)
        assert (
            PersonRecord(ANNA.person_id, ANNA.account_id, ANNA.hmac, anew[0][1])
            == (await store.people([ANNA.hmac]))[ANNA.hmac]
        )
        assert anew[1][1] == await store.seal_key("account-garden")
        assert [BERT.key] == list(await store.keys_under(1, 10))

    async def test_a_key_that_changed_meanwhile_is_left(self, store: EventStore) -> None:
        """A second node that rotates, or an erasure, was first; nothing is written over it."""
        await store.append(step(new_people=(ANNA, BERT)))
        first = SealKey(ANNA.person_id, 2, b"first")
        await store.rewrap([(ANNA.key, first)])
        await store.append(step(erasing=(BERT.person_id,)))
        late = [
            (ANNA.key, SealKey(ANNA.person_id, 2, b"late")),
            (BERT.key, SealKey(BERT.person_id, 2, b"late")),
        ]

        assert 0 == await store.rewrap(late)
        assert [first] == list(await store.keys_under(2, 10))
        assert {} == await store.people_named([BERT.person_id])
