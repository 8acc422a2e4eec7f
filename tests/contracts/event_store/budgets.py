"""The promises of every event store about the budgets of the guard (C-102)."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta

import pytest

from tests.contracts.event_store.histories import FERN, MOSS, NOON, ORCHID, grown, second, step
from watchword.application.ports.event_store import (
    Append,
    BudgetsMoved,
    EventStore,
    RateReached,
    StreamConflict,
)
from watchword.domain.conditions import (
    Condition,
    GiveBack,
    StartAnew,
    Unchanged,
    WithinBudget,
    WithinRate,
)
from watchword.domain.guard import Rule, budget_of
from watchword.domain.rate_limit import Rate

HOUR = Rate("2/1h")
# A bucket of an hour counts a minute, and the oldest counts whole.
FULL_UNTIL = NOON + timedelta(minutes=61)


def budget(
    at: float = 0,
    subject: str = "prefix",
    rate: Rate = HOUR,
    *,
    rule: str = "",
    counted: bool = True,
    over: bool = False,
) -> WithinBudget:
    """Return the condition of a send at so many seconds after noon; its rule is its subject."""
    return WithinBudget(subject, rate, second(at), rule or subject, counted, over)


def send(*conditions: Condition) -> Append:
    """Return an append that only counts."""
    return step(conditions=conditions)


def back(at: float = 0, subject: str = "prefix") -> GiveBack:
    """Return the condition that a send at so many seconds after noon was verified."""
    return GiveBack(subject, HOUR.window, second(at))


async def moved(store: EventStore, *conditions: Condition) -> BudgetsMoved:
    """Return the refusal of an append with these conditions."""
    with pytest.raises(BudgetsMoved) as refused:
        await store.append(send(*conditions))
    return refused.value


async def reached(store: EventStore, *conditions: Condition) -> dict[str, datetime]:
    """Return the rules that an append is refused for, with the times at which they have room."""
    return dict((await moved(store, *conditions)).reached)


class BudgetsContract:
    """A budget has room for as many sends as its rate, less what was verified."""

    async def test_a_budget_has_room_up_to_its_rate(self, store: EventStore) -> None:
        """The send over it is refused with its rule and the time from which there is room."""
        await store.append(send(budget(1)))
        await store.append(send(budget(2)))

        refusal = await moved(store, budget(3, rule="unverified.prefix"))

        assert {"unverified.prefix": FULL_UNTIL} == refusal.reached
        assert frozenset() == refusal.free
        assert {"prefix": FULL_UNTIL} == await reached(store, budget(3659))
        await store.append(send(budget(3660)))
        await store.append(send(budget(3, "another")))

    async def test_a_look_at_a_budget_counts_nothing(self, store: EventStore) -> None:
        """It is refused exactly when a send would be."""
        for _ in range(3):
            await store.append(send(budget(counted=False), budget(counted=False)))
        await store.append(send(budget()))
        await store.append(send(budget(counted=False)))
        await store.append(send(budget()))

        assert {"prefix": FULL_UNTIL} == await reached(store, budget(counted=False))

    async def test_a_flagged_send_needs_a_reached_budget_and_is_not_counted(
        self, store: EventStore
    ) -> None:
        """While the budget has room, the refusal names its rule as free."""
        await store.append(send(budget()))
        refusal = await moved(store, budget(over=True))
        await store.append(send(budget()))
        for at in (1, 2, 60):
            await store.append(send(budget(at, over=True)))

        assert {} == refusal.reached
        assert {"prefix"} == refusal.free
        assert {"prefix"} == (await moved(store, budget(3660, over=True))).free

    async def test_a_refusal_names_all_budgets_that_are_not_as_expected(
        self, store: EventStore
    ) -> None:
        """Those behind the first are in it; of one rule the latest time; nothing is counted."""
        await store.append(send(budget(), budget()))
        await store.append(send(budget(61, "ip"), budget(62, "ip")))
        once = Rate("1/1h")
        await store.append(send(budget(0, "country", once)))

        refusal = await moved(
            store,
            budget(70, "ip", rule="same"),
            budget(70, "fresh"),
            budget(70, rule="same"),
            budget(70, "fresh", over=True),
            budget(70, "country", once),
            budget(70, "country", once, over=True, rule="reached"),
        )

        assert {"same": FULL_UNTIL + timedelta(minutes=1), "country": FULL_UNTIL} == refusal.reached
        assert {"fresh"} == refusal.free
        await store.append(send(budget(70, "fresh"), budget(70, "fresh")))

    async def test_conditions_before_a_budget_are_checked_before_it(
        self, store: EventStore
    ) -> None:
        """A budget is refused in its place among the conditions, with those behind it."""
        rate = WithinRate("sends", Rate("1/1h"), NOON)
        await store.append(send(budget(), budget(), budget(0, "ip"), budget(0, "ip"), rate))
        conditions = (budget(0, "free"), rate, budget())
        for first in (budget(0, "free"), Unchanged(FERN, 0)):
            with pytest.raises(RateReached):
                await store.append(send(first, *conditions))
        with pytest.raises(StreamConflict):
            await store.append(send(Unchanged(FERN, 7), budget()))

        assert {"prefix": FULL_UNTIL, "ip": FULL_UNTIL} == await reached(
            store, budget(), rate, Unchanged(FERN, 7), budget(0, "ip")
        )

    async def test_conditions_of_one_append_see_those_before_them(self, store: EventStore) -> None:
        """Two sends of a budget in one append need room for two."""
        assert {"prefix": FULL_UNTIL} == await reached(store, budget(), budget(), budget())
        await store.append(send(budget(), budget(), budget(over=True), back(), budget()))

        assert {"prefix": FULL_UNTIL} == await reached(store, budget(1))
        await store.append(send(StartAnew("prefix"), budget(), budget()))
        assert {"prefix": FULL_UNTIL} == await reached(store, budget(1))

    async def test_a_refused_append_counts_nothing(self, store: EventStore) -> None:
        """Neither its sends, nor what it gives back, nor what starts anew."""
        await store.append(send(budget(), budget(), budget(0, "ip")))
        for change in (budget(0, "ip"), back(), StartAnew("prefix"), StartAnew("ip")):
            with pytest.raises(StreamConflict):
                await store.append(step(grown(MOSS, at=3), conditions=(change,)))
            with pytest.raises(StreamConflict):
                await store.append(send(change, Unchanged(MOSS, 1)))

        assert {"prefix": FULL_UNTIL} == await reached(store, budget())
        await store.append(send(budget(0, "ip")))
        assert {"ip": FULL_UNTIL} == await reached(store, budget(0, "ip"))

    async def test_what_is_verified_gives_its_place_back(self, store: EventStore) -> None:
        """In the bucket of its send, and never more places than were taken."""
        await store.append(send(budget(), budget(90)))
        await store.append(send(back(59)))
        await store.append(send(budget(120)))
        assert {"prefix": FULL_UNTIL + timedelta(minutes=1)} == await reached(store, budget(120))

        for _ in range(3):
            await store.append(send(back(0), back(30)))
        assert {"prefix": FULL_UNTIL + timedelta(minutes=1)} == await reached(store, budget(120))

    async def test_nothing_is_given_back_where_nothing_was_counted(self, store: EventStore) -> None:
        """It makes no room for later sends of the same minute."""
        await store.append(send(back(), back(), back(0, "ip")))
        await store.append(send(budget(), budget()))

        assert {"prefix": FULL_UNTIL} == await reached(store, budget())

    async def test_a_budget_starts_anew(self, store: EventStore) -> None:
        """All that it counted is gone, and no other budget's; one that counts nothing stays as it is."""
        await store.append(send(budget(), budget(61), budget(0, "prefix:b"), budget(0, "prefix:b")))
        await store.append(send(StartAnew("prefix"), StartAnew("none")))

        assert 1 == await store.forget_tallies(second(7200))
        await store.append(send(budget(7200), budget(7200)))
        assert {"prefix"} == (await reached(store, budget(7200))).keys()

    async def test_a_clock_that_steps_back_makes_no_room_in_a_budget(
        self, store: EventStore
    ) -> None:
        """Sends in what is now the future count."""
        await store.append(send(budget(7200), budget(7200)))

        assert {"prefix"} == (await reached(store, budget())).keys()

    async def test_of_many_at_once_exactly_the_rate_of_a_budget_is_let_through(
        self, store: EventStore
    ) -> None:
        """Two hundred tasks want one budget: as many as the rate get a place."""
        rate = Rate("37/1h")
        told = await asyncio.gather(
            *(
                store.append(step(grown(f"key-{number}"), conditions=(budget(number, rate=rate),)))
                for number in range(200)
            ),
            return_exceptions=True,
        )

        assert 200 - 37 == sum(isinstance(each, BudgetsMoved) for each in told)
        assert 37 == len(await store.read_log(0, 1000))

    async def test_tallies_are_forgotten_when_no_window_reaches_them(
        self, store: EventStore
    ) -> None:
        """Not a second before; a budget of a longer window keeps its own."""
        day = Rate("1/1d")
        await store.append(send(budget(59), budget(60), budget(0, "country", day)))

        assert 0 == await store.forget_tallies(second(3659))
        assert 1 == await store.forget_tallies(second(3660))
        assert {"prefix": second(3720)} == await reached(store, budget(3661), budget(3661))
        assert 1 == await store.forget_tallies(second(7200))
        assert {"country"} == (await reached(store, budget(3661, "country", day))).keys()
        assert 1 == await store.forget_tallies(second(2 * 86400))
        assert 0 == await store.forget_tallies(second(2 * 86400))

    async def test_an_erased_person_has_no_guesses(self, store: EventStore) -> None:
        """Under no account and window; those of others, and what their sends counted, stay."""
        own, shorter, of_another, prefix = (
            budget_of(rule, "acc_tea", key, window)
            for rule, key, window in (
                (Rule.GUESSES, "per_anna", timedelta(days=1)),
                (Rule.GUESSES, "per_anna", timedelta(hours=1)),
                (Rule.GUESSES, "per_annabel", timedelta(hours=1)),
                (Rule.PREFIX, "per_anna", timedelta(hours=1)),
            )
        )
        for each in (own, shorter, of_another, prefix):
            await store.append(send(budget(0, each), budget(61, each)))
        await store.erase_rows("per_anna")

        assert {of_another, prefix} == (
            await reached(store, *(budget(70, each) for each in (of_another, prefix)))
        ).keys()
        await store.append(send(budget(70, own), budget(70, own), budget(70, shorter)))

    async def test_a_budget_of_milliseconds_is_counted(self, store: EventStore) -> None:
        """Its buckets are parts of a second."""
        short = Rate("1/60ms")
        await store.append(send(budget(rate=short), budget(0.061, rate=short)))

        assert {"prefix": second(0.122)} == await reached(store, budget(0.062, rate=short))
        assert 2 == await store.forget_tallies(second(1))

    async def test_events_are_written_beside_what_is_counted(self, store: EventStore) -> None:
        """A refused append writes none."""
        await store.append(step(grown(ORCHID), conditions=(budget(), budget())))
        with pytest.raises(BudgetsMoved):
            await store.append(step(grown(FERN), conditions=(budget(),)))

        assert [ORCHID] == [each.stream for each in await store.read_log(0, 10)]
