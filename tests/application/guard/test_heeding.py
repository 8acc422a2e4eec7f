"""Appends that are expected to be refused take turns, account by account (D-573)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta

import pytest
from attrs import define, field

from tests.fakes.clocks import StillClock
from watchword.adapters.randomness import SecretRandomness
from watchword.application.guard.checked import Checked, Target, label
from watchword.application.guard.counted_decisions import CountedDecisions
from watchword.application.guard.heeding import Heeding
from watchword.application.ports.event_store import BudgetsMoved
from watchword.domain.errors import RateLimitedError
from watchword.domain.guard import Budget, Mode, Rule, budget_of
from watchword.domain.rate_limit import Rate

NOON = datetime(2031, 5, 4, 12, tzinfo=UTC)
LATER = NOON + timedelta(hours=1)


def checked(account: str = "acc_one", mode: Mode = Mode.ENFORCE, key: str = "GB") -> Checked:
    """Return a send of an account that is checked against one budget."""
    name = budget_of(Rule.COUNTRY, account, key, timedelta(hours=1))
    return Checked(
        at=NOON,
        target=Target(account_id=account, destination="+447700900123"),
        required=(),
        person_id="per_one",
        budgets=(Budget(Rule.COUNTRY, mode, name, Rate("20/1h")),),
    )


@define
class Store:
    """Answers appends when a test says so."""

    began: list[str] = field(factory=list)
    answers: dict[str, asyncio.Future[None]] = field(factory=dict)

    def append(self, name: str) -> Callable[[], Awaitable[None]]:
        """Return an append that waits for its answer."""

        async def appended() -> None:
            self.began.append(name)
            self.answers[name] = asyncio.get_running_loop().create_future()
            await self.answers[name]

        return appended

    async def settle(self) -> None:
        """Let everything go on that can."""
        for _ in range(5):
            await asyncio.sleep(0)


@pytest.fixture
async def store() -> Store:
    """Return a store that has had no append."""
    return Store()


@pytest.fixture
async def heeding() -> Heeding:
    """Return a guard that knows a reached budget of `acc_one`."""
    heeding = Heeding(CountedDecisions(SecretRandomness(), StillClock()))
    await refuse(heeding, checked())
    return heeding


async def refuse(heeding: Heeding, one: Checked) -> None:
    """Have the store refuse a send for its only budget."""

    async def refused() -> None:
        raise BudgetsMoved({label(one.budgets[0]): LATER}, frozenset())

    with pytest.raises(RateLimitedError):
        await heeding.append(one, refused)


async def test_expected_refusals_take_turns(heeding: Heeding, store: Store) -> None:
    """The store gets the next append of a flood once it has refused the one before."""
    flood = [asyncio.create_task(heeding.append(checked(), store.append(n))) for n in "abc"]
    await store.settle()
    assert ["a"] == store.began

    moved = BudgetsMoved({label(checked().budgets[0]): LATER}, frozenset())
    for each in "abc":
        store.answers[each].set_exception(moved)
        await store.settle()
    assert ["a", "b", "c"] == store.began
    told = await asyncio.gather(*flood, return_exceptions=True)
    assert [RateLimitedError] * 3 == [type(each) for each in told]


@pytest.mark.parametrize(
    "other",
    [checked(key="IN"), checked("acc_two"), checked(mode=Mode.RECORD)],
    ids=["another budget", "another account", "on the record"],
)
async def test_what_is_not_expected_to_be_refused_does_not_wait(
    heeding: Heeding, store: Store, other: Checked
) -> None:
    """A send within its budgets goes to the store at once, whatever is refused beside it."""
    tasks = [asyncio.create_task(heeding.append(checked(), store.append("flood")))]
    await store.settle()
    tasks += [asyncio.create_task(heeding.append(other, store.append(n))) for n in ("x", "y")]
    await store.settle()

    assert ["flood", "x", "y"] == store.began
    for each in store.answers.values():
        each.set_result(None)
    await asyncio.gather(*tasks)


async def test_a_budget_that_has_room_again_ends_the_turns(heeding: Heeding, store: Store) -> None:
    """After a release or a verification the first send tells, and the next ones wait no more."""
    first = asyncio.create_task(heeding.append(checked(), store.append("first")))
    await store.settle()
    store.answers["first"].set_result(None)
    await first
    tasks = [asyncio.create_task(heeding.append(checked(), store.append(n))) for n in "abc"]
    await store.settle()

    assert ["first", "a", "b", "c"] == store.began
    for each in "abc":
        store.answers[each].set_result(None)
    await asyncio.gather(*tasks)
