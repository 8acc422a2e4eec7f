"""The promises of every event store about when a person last verified a code (C-76)."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from tests.contracts.event_store.histories import FERN, NOON, ORCHID, grown, second, step
from tests.contracts.event_store.sample_people import ANNA, BERT, person
from watchword.application.ports.event_store import EventStore, PassMoved
from watchword.domain.conditions import VerifiedAfter, Verifies

DAY = timedelta(days=1)


async def last_of(store: EventStore, person_id: str) -> datetime | None:
    """Return the last verification of a person, as the store reads it and as appends see it."""
    with pytest.raises(PassMoved) as never:
        await store.append(step(conditions=(VerifiedAfter(person_id, NOON + 9 * DAY),)))
    read = (await store.people_named([person_id]))[person_id].verified_at

    assert (person_id, read) == (never.value.person_id, never.value.verified_at)
    return read


class PassesContract:
    """An append knows when a person last verified a code."""

    async def test_a_new_person_has_not_verified(self, store: EventStore) -> None:
        """Neither in the append that adds the person, nor later."""
        await store.append(
            step(new_people=(ANNA,), conditions=(VerifiedAfter(ANNA.person_id, NOON, False),))
        )
        with pytest.raises(PassMoved) as refused:
            await store.append(
                step(new_people=(BERT,), conditions=(VerifiedAfter(BERT.person_id, NOON),))
            )

        assert (BERT.person_id, None) == (refused.value.person_id, refused.value.verified_at)
        assert None is await last_of(store, ANNA.person_id)
        assert {} == await store.people_named([BERT.person_id])

    async def test_a_verification_is_kept_with_its_append(self, store: EventStore) -> None:
        """Of one person alone, to the microsecond; a refused append keeps none."""
        await store.append(step(new_people=(ANNA, BERT)))
        at = NOON + timedelta(microseconds=1)
        passing = VerifiedAfter(ANNA.person_id, NOON)
        with pytest.raises(PassMoved):
            await store.append(step(conditions=(Verifies(ANNA.person_id, at), passing)))
        assert None is await last_of(store, ANNA.person_id)
        await store.append(step(grown(ORCHID), conditions=(Verifies(ANNA.person_id, at),)))

        assert at == await last_of(store, ANNA.person_id)
        assert None is await last_of(store, BERT.person_id)
        assert at == (await store.people([ANNA.hmac]))[ANNA.hmac].verified_at
        async with store.snapshot() as snapshot:
            kept = {each.person_id: each.verified_at async for each in snapshot.people()}
        assert {ANNA.person_id: at, BERT.person_id: None} == kept

    async def test_a_pass_begins_after_its_time(self, store: EventStore) -> None:
        """A verification at the time itself does not pass; the refusal tells the time."""
        await store.append(step(new_people=(ANNA,)))
        await store.append(step(conditions=(Verifies(ANNA.person_id, second(5)),)))
        for after, holds in ((4, True), (5, False)):
            expected = VerifiedAfter(ANNA.person_id, second(after), holds)
            opposite = VerifiedAfter(ANNA.person_id, second(after), not holds)
            await store.append(step(conditions=(expected,)))
            with pytest.raises(PassMoved) as refused:
                await store.append(step(grown(FERN), conditions=(opposite,)))

            assert second(5) == refused.value.verified_at
        assert [] == list(await store.read_stream(FERN))

    async def test_a_verification_within_a_day_is_not_kept(self, store: EventStore) -> None:
        """One a day later is; one before the last is not."""
        await store.append(step(new_people=(ANNA,)))
        kept = []
        for at in (NOON, NOON + DAY - timedelta(microseconds=1), NOON - DAY, NOON + DAY):
            await store.append(step(conditions=(Verifies(ANNA.person_id, at),)))
            kept.append(await last_of(store, ANNA.person_id))

        assert [NOON, NOON, NOON, NOON + DAY] == kept

    async def test_a_person_can_verify_in_the_first_append(self, store: EventStore) -> None:
        """It is one row."""
        await store.append(step(new_people=(ANNA,), conditions=(Verifies(ANNA.person_id, NOON),)))

        assert NOON == await last_of(store, ANNA.person_id)

    async def test_whoever_is_gone_has_not_verified(self, store: EventStore) -> None:
        """Nothing is kept of a stranger or an erased person; the same number begins without a pass."""
        again = person("again", "anna")
        await store.append(step(new_people=(ANNA,)))
        await store.append(step(conditions=(Verifies(ANNA.person_id, NOON),)))
        await store.append(
            step(erasing=(ANNA.person_id,), conditions=(Verifies(ANNA.person_id, NOON + DAY),))
        )
        for gone in (ANNA.person_id, "per_none"):
            await store.append(step(conditions=(Verifies(gone, NOON + 2 * DAY),)))
            await store.append(step(conditions=(VerifiedAfter(gone, NOON - DAY, False),)))
            with pytest.raises(PassMoved):
                await store.append(step(conditions=(VerifiedAfter(gone, NOON - DAY),)))
        await store.append(step(new_people=(again,)))

        assert None is await last_of(store, again.person_id)
        assert {} == await store.people_named([ANNA.person_id])

    async def test_a_key_that_is_wrapped_anew_changes_no_pass(self, store: EventStore) -> None:
        """A rotation replaces the key alone."""
        await store.append(step(new_people=(ANNA,)))
        await store.append(step(conditions=(Verifies(ANNA.person_id, NOON),)))
        other = person("anna", version=2).key

        assert 1 == await store.rewrap([(ANNA.key, other)])
        assert other == (await store.people_named([ANNA.person_id]))[ANNA.person_id].key
        assert NOON == await last_of(store, ANNA.person_id)
