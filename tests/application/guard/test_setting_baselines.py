"""The adaptive limits of countries follow from the statistics, once a day (guard.md section 1, D-389)."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from itertools import count

from attrs import evolve

from tests.application.statistics.pin_histories import GUEST, NOON, Node
from tests.contracts.event_store.histories import step
from tests.contracts.event_store.outlines import ISSUED
from tests.fakes.clocks import StillClock
from watchword.adapters.randomness import SecretRandomness
from watchword.application.caller import ADMIN, Caller
from watchword.application.guard.guards import Guards
from watchword.application.guard.managing_guard import ManagingGuard
from watchword.application.guard.setting_baselines import SettingBaselines
from watchword.application.journal import Journal, beginning
from watchword.application.ports.event_store import Change, EventStore
from watchword.domain.accounts import account
from watchword.domain.accounts.account import account_decider
from watchword.domain.guard import CountryBaselineSet, GuardPolicy, Mode, Moded
from watchword.domain.pin import PinVerified, pin_decider

TEA, COFFEE = "acc_tea", "acc_coffee"
DAY = timedelta(days=1)
TODAY = NOON.replace(hour=0)


class Town:
    """A store, and nodes that count and set limits by one clock."""

    def __init__(self, store: EventStore) -> None:
        self.store = store
        self.clock = StillClock()
        self.journal = Journal(store)
        self.guards = Guards(self.journal, self.clock)
        self._counting = Node(store, self.clock, batch=500)
        self._numbers = count()

    async def open(self, name: str) -> None:
        """Create an account."""
        at = self.clock.now()
        created = beginning(account_decider, name, account.create(at, name, name))
        await self.journal.write(Caller(name, ADMIN, "req_1"), at, created)

    async def verify(self, country: str | None, at: datetime, number: int, of: str = TEA) -> None:
        """Let an account send codes to a country at a time, all of which are verified."""
        issued = evolve(ISSUED, at=at, account_id=of, country=country, test=False)
        verified = PinVerified(at=at + timedelta(seconds=9), issue=1)
        state = pin_decider.fold((issued, verified))
        names = (f"pin_{next(self._numbers)}" for _ in range(number))
        await self.store.append(
            step(*(Change(each, 0, (issued, verified), state) for each in names))
        )

    async def count(self) -> None:
        """Let the statistics count everything."""
        while await self._counting.follower.run_due():
            pass

    def node(self) -> SettingBaselines:
        """Return a process that sets limits."""
        journal = Journal(self.store)
        return SettingBaselines(
            journal,
            Guards(journal, self.clock),
            self._counting.asking,
            SecretRandomness(),
            self.clock,
        )

    async def limits(self, of: str = TEA) -> dict[str, int]:
        """Return the adaptive limits of an account."""
        return dict((await self.guards.load(of)).state.baselines)

    async def baselines(self) -> list[CountryBaselineSet]:
        """Return the limits on the log."""
        log = await self.store.read_log(0, 10_000)
        return [each.event for each in log if isinstance(each.event, CountryBaselineSet)]


async def town_on(store: EventStore, *accounts: str) -> Town:
    """Return a town with a person and some accounts, by default two."""
    town = Town(store)
    await store.append(step(new_people=(GUEST,)))
    town.clock.move(-30 * DAY.total_seconds())
    for each in accounts or (TEA, COFFEE):
        await town.open(each)
        town.clock.move(1)
    town.clock.move((NOON - town.clock.now()).total_seconds())
    return town


async def test_the_best_day_of_the_last_fourteen_makes_the_limit(store: EventStore) -> None:
    """A fifth of it, at least 50; neither today, nor the day before the 14, nor e-mail counts."""
    town = await town_on(store)
    for days, number in ((15, 500), (14, 300), (3, 290), (0, 400)):
        await town.verify("IN", TODAY - days * DAY + timedelta(hours=1), number)
    await town.verify("GB", NOON - DAY, 200)
    await town.verify(None, NOON - DAY, 300)
    await town.count()

    assert 1 == await town.node().run_due()
    assert {"IN": 60} == await town.limits()
    assert {} == await town.limits(COFFEE)
    (baseline,) = await town.baselines()
    assert ("IN", 300, 60, date(2031, 5, 4)) == (
        baseline.country,
        baseline.most_verified,
        baseline.limit,
        baseline.day,
    )


async def test_a_limit_is_recorded_when_it_changes(store: EventStore) -> None:
    """The same limit on the next day is no event; after the 14 days it falls back to the least."""
    town = await town_on(store)
    await town.verify("IN", NOON - DAY, 300)
    seen = []
    for _ in range(16):
        await town.count()
        await town.node().run_due()
        seen.append((await town.limits())["IN"])
        town.clock.move(DAY.total_seconds())

    assert [60] * 14 + [50] * 2 == seen
    assert [60, 50] == [each.limit for each in await town.baselines()]


async def test_several_nodes_set_the_limits_of_a_day_once(store: EventStore) -> None:
    """A node that comes later finds other figures, because a code was verified late, and changes nothing."""
    town = await town_on(store)
    for name in (TEA, COFFEE):
        await town.verify("IN", NOON - DAY, 300, name)
    await town.count()
    first, second = town.node(), town.node()
    assert 2 == await first.run_due()
    await town.verify("IN", NOON - DAY, 100)
    await town.count()

    assert [0, 0] == [await second.run_due(), await town.node().run_due()]
    assert [(TEA, 60), (COFFEE, 60)] == [
        (each.account_id, each.limit) for each in await town.baselines()
    ]


async def test_a_node_goes_on_where_another_ended(store: EventStore) -> None:
    """The progress of a day is an account; those behind it are left to whoever comes next."""
    town = await town_on(store, TEA)
    await town.verify("IN", NOON - DAY, 300)
    await town.count()
    assert 1 == await town.node().run_due()
    await town.open(COFFEE)
    for name in (TEA, COFFEE):
        await town.verify("IN", NOON - DAY, 400, name)
    await town.count()

    assert 1 == await town.node().run_due()
    assert [(TEA, 60), (COFFEE, 80)] == [
        (each.account_id, each.limit) for each in await town.baselines()
    ]


async def test_nothing_is_set_before_the_days_are_counted(store: EventStore) -> None:
    """A limit must not fall because the statistics are behind, as during a rebuild."""
    town = await town_on(store)
    await town.verify("IN", NOON - DAY, 300)
    node = town.node()
    assert 0 == await node.run_due()
    assert {} == await town.limits()
    await town.count()

    assert 1 == await node.run_due()
    assert {"IN": 60} == await town.limits()


async def test_a_policy_of_the_same_moment_is_kept(store: EventStore) -> None:
    """Limits and policies are of one stream; each is decided on what the other left."""
    town = await town_on(store)
    await town.verify("IN", NOON - DAY, 300)
    await town.count()
    strict = GuardPolicy(numbers=Moded(mode=Mode.ENFORCE))
    await ManagingGuard(town.guards).put(Caller(TEA, ADMIN, "req_1"), strict)
    await town.node().run_due()
    guard = await town.guards.load(TEA)

    assert (strict, {"IN": 60}) == (guard.state.policy, dict(guard.state.baselines))
