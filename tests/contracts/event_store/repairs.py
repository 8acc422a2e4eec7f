"""The promises of every event store about repairs of what follows from the log (C-81, D-448)."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from attrs import evolve

from tests.contracts.event_store.budgets import FULL_UNTIL, HOUR, budget, reached, send
from tests.contracts.event_store.due_rows import KIND, due, times
from tests.contracts.event_store.histories import FERN, MOSS, NOON, ORCHID, grown, second, step
from tests.contracts.event_store.sample_people import person
from tests.contracts.event_store.sample_rows import (
    ACCOUNT,
    API_KEY,
    MESSAGE,
    SAMPLES,
    VERIFICATION,
    written,
)
from watchword.application.ports.event_store import (
    Append,
    Due,
    EventStore,
    PersonGone,
    Repair,
    StreamConflict,
    TallyCorrection,
)
from watchword.application.ports.listings import Equals, Query
from watchword.application.ports.snapshot import Held, KeptTally
from watchword.application.records.account import AccountRow
from watchword.application.records.api_key import ApiKeyRow
from watchword.application.records.message import MessageRow
from watchword.application.records.pin import VerificationRow
from watchword.domain.conditions import Hold, SoleHolder, Unchanged
from watchword.domain.event import ERASED
from watchword.domain.guard import bucket_at
from watchword.domain.receipt import provider_message


def repair(*conditions: Any, **parts: Any) -> Append:
    """Return an append without events that repairs something."""
    return step(conditions=conditions, repair=Repair(**parts))


class RepairsContract:
    """A repair writes rows whole and takes strays out, under the conditions of its append."""

    async def test_a_row_of_every_list_is_replaced_whole(self, store: EventStore) -> None:
        """Other appends leave a row alone in what never changes, and in what they have sealed before."""
        damaged = [
            *SAMPLES.values(),
            evolve(MESSAGE, id="message-2"),
            evolve(VERIFICATION, pin_id="pin-2"),
        ]
        await written(store, damaged)
        whole = (
            evolve(ACCOUNT, created_at=second(9)),
            evolve(API_KEY, account_id="account-cup", prefix="ww_cup"),
            evolve(MESSAGE, reference="R-2", tag1=None, created_at=second(3)),
            evolve(VERIFICATION, template_id="template-cup", reference_id="order 7"),
        )
        await store.append(repair(rows=whole))

        assert whole == (
            await store.row(AccountRow, ACCOUNT.id),
            await store.row(ApiKeyRow, API_KEY.id),
            await store.row(MessageRow, MESSAGE.id),
            await store.row(VerificationRow, VERIFICATION.pin_id),
        )
        found = Query(
            rows=MessageRow, where=(Equals("account_id", "account-tea"), Equals("reference", "R-2"))
        )
        assert [MESSAGE.id] == [each.id for each in await store.slice(found)]
        assert evolve(MESSAGE, id="message-2") == await store.row(MessageRow, "message-2")

    async def test_strays_are_taken_out(self, store: EventStore) -> None:
        """Rows, holders and due rows go, and nothing beside them."""
        await written(store, [ACCOUNT, evolve(ACCOUNT, id="account-2"), API_KEY])
        personal = provider_message("cha_1", "wamid.1")
        await store.append(
            step(
                due=(due(MOSS, 1), due(FERN, 2)),
                conditions=(Hold("name", MOSS), Hold("name", FERN), Hold(personal, MOSS)),
            )
        )
        async with store.snapshot() as snapshot:
            (stored,) = [
                each
                async for each in snapshot.holders()
                if each.subject != "name" and each.holder == MOSS
            ]
        await store.append(
            repair(
                stray_rows=((AccountRow, ACCOUNT.id), (ApiKeyRow, "never")),
                stray_holders=(Held(MOSS, "name"), stored),
                stray_due=((str(KIND), MOSS, 1), ("no kind", FERN, 2)),
            )
        )

        assert await store.row(AccountRow, ACCOUNT.id) is None
        assert await store.row(AccountRow, "account-2") is not None
        assert await store.row(ApiKeyRow, API_KEY.id) == API_KEY
        assert {FERN} == await store.holders("name")
        assert frozenset() == await store.holders(personal)
        assert [(FERN, 1, second(2))] == times(await store.due(KIND, second(9), 10))

    async def test_a_stream_that_went_on_refuses_all_of_it(self, store: EventStore) -> None:
        """So no repair overwrites what an append changed after the repair read its stream."""
        await store.append(step(grown(MOSS), rows=(ACCOUNT,), due=(due(MOSS, 1),)))
        await store.append(step(grown(MOSS, at=1)))
        late = repair(
            Unchanged(MOSS, 1),
            rows=(evolve(ACCOUNT, name="late"),),
            stray_rows=((AccountRow, ACCOUNT.id),),
            stray_due=((str(KIND), MOSS, 1),),
        )

        with pytest.raises(StreamConflict):
            await store.append(late)
        assert await store.row(AccountRow, ACCOUNT.id) == ACCOUNT
        assert 1 == len(await store.due(KIND, second(9), 10))

    async def test_nothing_is_sealed_for_an_erased_person(self, store: EventStore) -> None:
        """A row that was read before the erasure is refused; one that reads as erased has no more."""
        anna = person("anna")
        row = evolve(VERIFICATION, person_id=anna.person_id, reference_id="order 7")
        await store.append(step(new_people=(anna,), rows=(row,)))
        await store.append(step(erasing=(anna.person_id,)))

        with pytest.raises(PersonGone):
            await store.append(repair(rows=(row,)))
        erased = evolve(row, destination=ERASED, reference_id=ERASED, status="ERASED")
        await store.append(repair(rows=(erased,)))
        assert erased == await store.row(VerificationRow, row.pin_id)
        async with store.snapshot() as snapshot:
            (kept,) = [each async for each in snapshot.rows(VerificationRow)]
        assert (erased, None) == (kept.row, kept.left)

    async def test_a_due_row_is_put_back(self, store: EventStore) -> None:
        """An append without events may add what follows from a stream, as long as that is unchanged."""
        await store.append(step(grown(MOSS)))
        missing = Due(KIND, MOSS, 1, NOON)
        await store.append(step(conditions=(Unchanged(MOSS, 1),), due=(missing,), repair=Repair()))

        assert [missing] == list(await store.due(KIND, second(9), 10))

    async def test_tallies_are_corrected_by_what_is_missing(self, store: EventStore) -> None:
        """What sends counted meanwhile stays counted, and a bucket that counts nothing is gone."""
        minute, hour = bucket_at(NOON, HOUR.window), HOUR.window
        for _ in range(2):
            await store.append(send(budget()))
        await store.append(send(budget(subject="stray")))

        async def tallies() -> list[KeptTally]:
            async with store.snapshot() as snapshot:
                return [each async for each in snapshot.tallies()]

        before = await tallies()
        await store.append(
            repair(
                tallies=(
                    TallyCorrection("prefix", minute, hour, 3, 1),
                    TallyCorrection("stray", minute, hour, -1, 0),
                    TallyCorrection("missing", minute + 1, hour, 1, 1),
                )
            )
        )

        assert [("prefix", minute, 2, 0), ("stray", minute, 1, 0)] == before
        assert [("missing", minute + 1, 1, 1), ("prefix", minute, 5, 1)] == await tallies()
        assert {"prefix": FULL_UNTIL} == await reached(store, budget())

    async def test_a_refused_repair_corrects_no_tally(self, store: EventStore) -> None:
        """Two more would fill the budget."""
        await store.append(step(grown(MOSS)))
        correction = TallyCorrection("prefix", bucket_at(NOON, HOUR.window), HOUR.window, 2, 0)
        with pytest.raises(StreamConflict):
            await store.append(repair(Unchanged(MOSS, 0), tallies=(correction,)))

        await store.append(send(budget()))
        await store.append(send(budget()))
        assert {"prefix": FULL_UNTIL} == await reached(store, budget())


class RepairedTogetherContract:
    """Repairs among other appends of one process see each other in the order in which they arrive."""

    async def test_together_each_sees_the_writes_before_it(self, store: EventStore) -> None:
        """Appends that arrive together write a row after a repair as they would one by one."""
        await store.append(step(grown(MOSS), rows=(evolve(ACCOUNT, id=MOSS, name="damaged"),)))
        right = evolve(ACCOUNT, id=MOSS, name="right", suspended_at=None)
        begun = evolve(ACCOUNT, id=ORCHID)
        await asyncio.gather(
            store.append(repair(Unchanged(MOSS, 1), rows=(right,))),
            store.append(
                step(grown(MOSS, at=1), rows=(evolve(right, name="?", suspended_at=second(5)),))
            ),
            store.append(step(rows=(evolve(begun, name="stray"),))),
            store.append(repair(Unchanged(ORCHID, 0), stray_rows=((AccountRow, ORCHID),))),
            store.append(step(grown(ORCHID), rows=(begun,))),
        )

        mended = await store.row(AccountRow, MOSS)
        assert mended is not None
        assert second(5) == mended.suspended_at
        assert begun == await store.row(AccountRow, ORCHID)

    async def test_a_holder_that_was_taken_out_holds_no_more(self, store: EventStore) -> None:
        """An append that arrives together with the repair finds the subject free."""
        await store.append(step(conditions=(Hold("name", MOSS),)))
        await asyncio.gather(
            store.append(repair(stray_holders=(Held(MOSS, "name"),))),
            store.append(step(grown(FERN), conditions=(SoleHolder("name", FERN),))),
        )

        assert {FERN} == await store.holders("name")
