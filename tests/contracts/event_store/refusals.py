"""The promises of every event store about a refused append: its reason, and no trace."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import evolve
from msgspec.structs import replace

from tests.contracts.event_store.histories import (
    FERN,
    MOSS,
    NOON,
    ORCHID,
    grown,
    loaded,
    per_seconds,
    second,
    step,
)
from watchword.application.ports.event_store import (
    Append,
    Due,
    DueKind,
    EventStore,
    HeldByOthers,
    KeyInProgress,
    LeaseLost,
    RateReached,
    Reservation,
    StoreRefusal,
    StreamConflict,
)
from watchword.application.records.account import AccountRow
from watchword.domain.accounts.api_key import api_key_decider
from watchword.domain.conditions import Hold, Release, SoleHolder, Unchanged, WithinRate

TAKEN = Reservation(scope="taken", fingerprints=("body",), owner="first")
MINE = Reservation(scope="mine", fingerprints=("body",), owner="first")
LOST = Reservation(scope="lost", fingerprints=("body",), owner="first")
FULL = WithinRate("full", per_seconds(1), second(1))
HELD = SoleHolder("held", FERN)
ORPHANED = Due(DueKind.ORPHANED_DISPATCH, MOSS, 1, second(5))

REASONS: dict[str, tuple[dict[str, Any], type[StoreRefusal]]] = {
    "the key is in progress": ({"taking": TAKEN}, KeyInProgress),
    "the lease is lost": ({"completing": LOST, "answer": b"too late"}, LeaseLost),
    "the lease to renew is lost": ({"renewing": LOST}, LeaseLost),
    "a stream moved on": ({"changes": (grown(FERN), grown(ORCHID))}, StreamConflict),
    "what was read has changed": ({"conditions": (Unchanged(ORCHID, 3),)}, StreamConflict),
    "a rate is reached": ({"conditions": (FULL,)}, RateReached),
    "somebody else holds it": ({"conditions": (HELD,)}, HeldByOthers),
}


async def furnish(store: EventStore) -> None:
    """Leave a store in which every reason to refuse is at hand."""
    await store.append(
        step(
            grown(ORCHID, by=2),
            conditions=(WithinRate("full", per_seconds(1), NOON), Hold("held", ORCHID)),
            taking=TAKEN,
        )
    )
    await store.append(step(taking=MINE, due=(ORPHANED,)))


async def picture(store: EventStore) -> Any:
    """Return everything that the port shows of a store."""
    return (
        list(await store.read_log(0, 100)),
        [await store.load(api_key_decider, each) for each in (ORCHID, FERN, MOSS)],
        [await store.holders(each) for each in ("held", "other")],
        [(each, each.at) for each in await store.due(ORPHANED.kind, second(100), 10)],
        await store.row(AccountRow, "account-garden"),
    )


class RefusalsContract:
    """A refused append is refused whole, for the first reason in the order of the port."""

    @pytest.mark.parametrize("reason", REASONS)
    async def test_a_refused_append_leaves_no_trace(self, store: EventStore, reason: str) -> None:
        """Nothing of it is stored, for any reason."""
        await furnish(store)
        before = await picture(store)
        why, refusal = REASONS[reason]
        carried = step(
            grown(FERN),
            conditions=(
                WithinRate("unused", per_seconds(1), NOON),
                Hold("other", FERN),
                Release("held", ORCHID),
            ),
            rows=(
                AccountRow(id="account-garden", name="garden", created_at=NOON, suspended_at=None),
            ),
            due=(Due(ORPHANED.kind, FERN, 1, NOON),),
            done=(ORPHANED,),
        )
        conditions = (*carried.conditions, *why.get("conditions", ()))

        with pytest.raises(refusal):
            await store.append(replace(carried, **{**why, "conditions": conditions}))

        assert before == await picture(store)
        await store.append(step(conditions=(WithinRate("unused", per_seconds(1), NOON),)))

    @pytest.mark.parametrize("reason", [each for each in REASONS if "key" not in each])
    async def test_a_refused_append_takes_no_key(self, store: EventStore, reason: str) -> None:
        """The Idempotency-Key of a refused request is free for the next one, with any body."""
        await furnish(store)
        new = Reservation(scope="new", fingerprints=("body",), owner="first")
        why, refusal = REASONS[reason]

        with pytest.raises(refusal):
            await store.append(replace(step(taking=new), **why))

        await store.check_key(evolve(new, fingerprints=("other",), owner="second"), NOON)

    async def test_a_refused_answer_leaves_the_key_as_it_was(self, store: EventStore) -> None:
        """When the completing append loses a race, the key stays its owner's, and unanswered."""
        await furnish(store)
        with pytest.raises(StreamConflict):
            await store.append(step(grown(ORCHID), completing=MINE, answer=b"no"))

        with pytest.raises(KeyInProgress):
            await store.check_key(MINE, NOON)
        await store.append(step(grown(ORCHID, at=2), completing=MINE, answer=b"yes"))

        assert loaded(ORCHID, 3) == await store.load(api_key_decider, ORCHID)

    async def test_reasons_are_given_in_order(self, store: EventStore) -> None:
        """The key comes first, then the leases, the versions, and the conditions as they stand."""
        await furnish(store)
        everything = Append(
            at=NOON,
            actor="gardener",
            request_id="req",
            changes=(grown(ORCHID),),
            conditions=(HELD, FULL),
            taking=TAKEN,
            completing=LOST,
            answer=b"",
        )
        remedies: tuple[dict[str, Any], ...] = (
            {"taking": None},
            {"completing": None},
            {"changes": (grown(ORCHID, at=2),)},
            {"conditions": (FULL, HELD)},
            {"conditions": (HELD,)},
        )
        told = []
        for remedy in remedies:
            with pytest.raises(StoreRefusal) as refusal:
                await store.append(everything)
            told.append(refusal.type)
            everything = replace(everything, **remedy)
        with pytest.raises(StoreRefusal) as refusal:
            await store.append(everything)
        told.append(refusal.type)

        assert [
            KeyInProgress,
            LeaseLost,
            StreamConflict,
            HeldByOthers,
            RateReached,
            HeldByOthers,
        ] == told
