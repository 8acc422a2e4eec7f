"""
The guard in the life of PINs, against a plain list of sends and guesses (C-76, C-102).

Two nodes share a store, and each remembers policies, people and reached budgets of its own, which the
other makes wrong. The clock goes back, too. The reference has no budgets: it counts the list.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from attrs import define, evolve, field
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from tests.application.guard.guarded_house import FREE, GuardedHouse, unverified
from tests.application.house import build_house, code_in
from tests.vaults import new_vault
from watchword.adapters.event_store.sqlite.store import SqliteEventStore
from watchword.application.audit.checking import AuditInputs, Checking
from watchword.application.guard.naming_subjects import SubjectNamed
from watchword.application.ports.event_store import EventStore
from watchword.domain.guard import Budgeted, Mode, Rule, Sends
from watchword.domain.rate_limit import Duration, Rate

# Two numbers of one prefix, and one of another country.
NUMBERS = ("+447700900001", "+447700900002", "+919812345610")
IPS = (None, "203.0.113.9", "2001:db8::7")
ATTEMPTS = 2
ORDER = [str(each) for each in Rule]
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
LIMITS = st.sampled_from(["1/1h", "2/1h", "3/1h", "2/1d", "4/1d"])
MODES = st.sampled_from([Mode.OFF, Mode.RECORD, Mode.RECORD, Mode.ENFORCE])
RULES = (Rule.GUESSES, Rule.COUNTRY, Rule.PREFIX, Rule.IP, Rule.ACCOUNT)


@define
class Use:
    """A send or a wrong guess that a rule counted for a key, under a window."""

    rule: Rule
    key: str
    window: timedelta
    at: datetime


@define
class Standing:
    """What is known of a destination's newest PIN."""

    pin_id: str
    node: int
    ip: str | None
    left: int = ATTEMPTS
    ended: str | None = None
    code: str = ""
    sent_at: datetime = EPOCH
    uses: list[Use] = field(factory=list)


def counts_in(uses: list[Use], rule: Rule, key: str, rate: Rate, now: datetime) -> int:
    """Count the uses that reach into a window of sixty parts, of which the oldest counts whole."""
    part = rate.window / 60
    oldest = (now - EPOCH) // part - 60
    return sum(
        (each.at - EPOCH) // part >= oldest
        for each in uses
        if (each.rule, each.key, each.window) == (rule, key, rate.window)
    )


class GuardLife(RuleBasedStateMachine):
    """What callers, operators and clocks do to the PINs of one account."""

    def __init__(self) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        self.lent = ExitStack()
        self.uses: list[Use] = []
        self.standing: dict[str, Standing] = {}
        self.verified: dict[str, datetime] = {}
        self.policy: dict[Rule, tuple[Mode, Rate]] = {}
        self.passes_for: Duration | None = None
        self.stepped_back = False

    async def store(self) -> EventStore | None:
        """Return the store of the machine; None for one in memory."""
        return None

    @initialize()
    def open(self) -> None:
        """Begin with a policy that counts nothing, on two nodes."""

        async def opened() -> list[GuardedHouse]:
            policy = evolve(FREE, pin_attempts=ATTEMPTS, pin_time_to_live=Duration("3650d"))
            first = await GuardedHouse.on(await build_house(inside=await self.store()), policy)
            return [first, first.other_node()]

        self.nodes = self.runner.run(opened())

    @property
    def now(self) -> datetime:
        """The service's clock."""
        return self.nodes[0].house.clock.now()

    @rule(
        rules=st.fixed_dictionaries({each: st.tuples(MODES, LIMITS) for each in RULES}),
        passes_for=st.sampled_from([None, "2d", "2d"]),
        node=st.integers(0, 1),
    )
    def put(
        self, rules: Mapping[Rule, tuple[Mode, str]], passes_for: str | None, node: int
    ) -> None:
        """Replace the policy; what was counted under a window stays counted."""
        self.policy = {each: (mode, Rate(limit)) for each, (mode, limit) in rules.items()}
        self.passes_for = None if passes_for is None else Duration(passes_for)
        limit = {
            each: Budgeted(mode=mode, limit=rate) for each, (mode, rate) in self.policy.items()
        }
        self.runner.run(
            self.nodes[node].put(
                guesses=limit[Rule.GUESSES],
                unverified=unverified(
                    country=limit[Rule.COUNTRY], prefix=limit[Rule.PREFIX], ip=limit[Rule.IP]
                ),
                sends=Sends(account=limit[Rule.ACCOUNT]),
                verified_pass=self.passes_for,
            )
        )

    @rule(seconds=st.sampled_from([1, 90, 1800, 3600, 3661, 43_200, 86_400, 90_000]))
    def wait(self, seconds: int) -> None:
        """Let time pass."""
        self.nodes[0].house.clock.move(seconds)

    @rule(seconds=st.sampled_from([1, 90, 3600]))
    def clock_steps_back(self, seconds: int) -> None:
        """Correct a clock that was fast."""
        self.nodes[0].house.clock.move(-seconds)
        self.stepped_back = True

    @rule(number=st.sampled_from(NUMBERS), ip=st.sampled_from(IPS), node=st.integers(0, 1))
    def create(self, number: str, ip: str | None, node: int) -> None:
        """Send the first code of a PIN."""
        expected = self.expected(number, ip)
        told = self.runner.run(self.nodes[node].create(number, ip))

        if isinstance(expected, str):
            assert expected == told
            return
        self.standing[number] = Standing(told, node, ip)
        self.sent(number, node, told, 0, expected)

    @precondition(lambda self: self.pending())
    @rule(data=st.data(), node=st.integers(0, 1))
    def resend(self, data: st.DataObject, node: int) -> None:
        """Send the next code of a PIN; it counts like a create, by the IP of the create."""
        number = data.draw(st.sampled_from(self.pending()))
        pin = self.standing[number]
        expected = self.expected(number, pin.ip)
        if self.now < pin.sent_at:
            # A clock that was set back is in the cooldown, even of no seconds.
            expected = "resend_cooldown"
        events = len(self.runner.run(self.nodes[0].house.store.read_stream(pin.pin_id)))
        told = self.runner.run(self.nodes[node].resend(pin.pin_id))

        assert ("sent" if not isinstance(expected, str) else expected) == told
        if not isinstance(expected, str):
            pin.left = ATTEMPTS
            self.sent(number, node, pin.pin_id, events, expected)

    @precondition(lambda self: self.pending())
    @rule(data=st.data(), right=st.sampled_from([False, False, True]), node=st.integers(0, 1))
    def guess(self, data: st.DataObject, right: bool, node: int) -> None:
        """Enter a code; over the limit of guesses nobody learns what it was worth."""
        number = data.draw(st.sampled_from(self.pending()))
        pin = self.standing[number]
        told = self.runner.run(self.nodes[node].guess(pin.pin_id, pin.code if right else "wrong"))
        reached = self.guesses_reached(number)

        if reached and self.policy[Rule.GUESSES][0] is Mode.ENFORCE:
            assert "guesses" == told
            return
        if not right:
            pin.left -= 1
            pin.ended = "blocked" if pin.left < 0 else None
            assert ("pin_blocked" if pin.ended else "pin_incorrect") == told
            if self.is_on(Rule.GUESSES) and not reached:
                window = self.policy[Rule.GUESSES][1].window
                self.uses.append(Use(Rule.GUESSES, number, window, self.now))
            return
        assert "verified" == told
        pin.ended = "verified"
        self.uses = [each for each in self.uses if not any(each is use for use in pin.uses)]
        if self.is_on(Rule.GUESSES):
            self.forget(Rule.GUESSES, number)
        last = self.verified.get(number)
        if last is None or self.now - last >= timedelta(days=1):
            self.verified[number] = self.now

    @rule(
        which=st.sampled_from([Rule.GUESSES, Rule.PREFIX, Rule.COUNTRY, Rule.ACCOUNT]),
        number=st.sampled_from(NUMBERS),
        node=st.integers(0, 1),
    )
    def release(self, which: Rule, number: str, node: int) -> None:
        """Let a subject go: under the window of the policy it begins anew."""
        house = self.nodes[node].house
        named = (
            SubjectNamed(rule=which, subject=house.by.account_id)
            if which is Rule.ACCOUNT
            else SubjectNamed(rule=which, destination=number)
        )
        self.runner.run(house.service.releasing_subjects.release(house.by, named))
        if self.is_on(which):
            self.forget(which, self.keys(number, None)[which])

    def expected(self, number: str, ip: str | None) -> str | tuple[list[Rule], list[Rule]]:
        """Return the rule that refuses a send, or the rules that count it and those that flag it."""
        keys = self.keys(number, ip)
        counting: list[Rule] = []
        reached: list[Rule] = [Rule.GUESSES] if self.guesses_reached(number) else []
        passes = self.passing(number)
        for each in RULES[1:]:
            key = keys.get(each)
            if key is None or not self.is_on(each) or (passes and each is not Rule.ACCOUNT):
                continue
            counting.append(each)
            rate = self.policy[each][1]
            if counts_in(self.uses, each, key, rate, self.now) >= rate.count:
                reached.append(each)
        for each in reached:
            if self.policy[each][0] is Mode.ENFORCE:
                return str(each)
        if reached:
            counting = [each for each in counting if self.policy[each][0] is Mode.ENFORCE]
        return counting, reached

    def sent(
        self,
        number: str,
        node: int,
        pin_id: str,
        place: int,
        expected: tuple[list[Rule], list[Rule]],
    ) -> None:
        """Note a send, and compare what its event says."""
        counting, flags = expected
        pin = self.standing[number]
        event = self.runner.run(self.nodes[node].event(pin_id, place))
        keys = self.keys(number, pin.ip)
        rates = {each: self.policy[each][1] for each in counting}
        texts = [f"{each}/{rate.text.partition('/')[2]}" for each, rate in rates.items()]

        assert tuple(texts) == event.counted
        assert tuple(map(str, flags)) == event.flags
        for each, rate in rates.items():
            use = Use(each, keys[each], rate.window, self.now)
            self.uses.append(use)
            if each is not Rule.ACCOUNT:
                pin.uses.append(use)
        pin.sent_at = self.now
        pin.code = code_in(self.nodes[0].house.provider.messages[-1].text)

    def passing(self, number: str) -> bool:
        """Return whether a number was verified lately."""
        last = self.verified.get(number)
        span = self.passes_for
        return last is not None and span is not None and last > self.now - span.span

    def guesses_reached(self, number: str) -> bool:
        """Return whether as many wrong codes were tried as the policy and the template allow."""
        if not self.is_on(Rule.GUESSES):
            return False
        rate = self.policy[Rule.GUESSES][1]
        most = min(100, max(rate.count, ATTEMPTS + 1))
        return counts_in(self.uses, Rule.GUESSES, number, rate, self.now) >= most

    def is_on(self, which: Rule) -> bool:
        """Return whether a rule counts anything."""
        return which in self.policy and self.policy[which][0] is not Mode.OFF

    def keys(self, number: str, ip: str | None) -> dict[Rule, str]:
        """Return what each rule counts a send by."""
        country = "GB" if number.startswith("+44") else "IN"
        found = {
            Rule.GUESSES: number,
            Rule.COUNTRY: country,
            Rule.PREFIX: number[:-4],
            Rule.ACCOUNT: "",
        }
        return found if ip is None else {**found, Rule.IP: ip}

    def forget(self, which: Rule, key: str) -> None:
        """Forget what a rule counted for a key under the window of the policy."""
        window = self.policy[which][1].window
        mine = (which, key, window)
        self.uses = [each for each in self.uses if (each.rule, each.key, each.window) != mine]

    def pending(self) -> list[str]:
        """Return the numbers whose newest PIN can still be verified."""
        return [number for number, pin in self.standing.items() if pin.ended is None]

    def teardown(self) -> None:
        """Audit the store, and close it; a log whose times go back far is a finding of its own."""
        if not self.stepped_back and self.standing:
            checking = Checking(
                self.nodes[0].house.service.journal, AuditInputs(now=lambda: self.now)
            )
            assert () == self.runner.run(checking.check()).differences
        self.lent.close()
        self.runner.close()


class GuardLifeOnSqlite(GuardLife):
    """The same on a file."""

    async def store(self) -> EventStore:
        """Open a new file, which goes with the machine."""
        folder = self.lent.enter_context(TemporaryDirectory())
        opened = await SqliteEventStore.open(Path(folder) / "store.db", vault=new_vault())
        self.lent.callback(lambda: self.runner.run(opened.close()))
        return opened


TestGuardLife: Any = GuardLife.TestCase
TestGuardLife.settings = settings(stateful_step_count=40)
TestGuardLifeOnSqlite: Any = GuardLifeOnSqlite.TestCase
# Every step goes to the disk.
TestGuardLifeOnSqlite.settings = settings(
    max_examples=max(8, settings().max_examples // 5), stateful_step_count=30
)
