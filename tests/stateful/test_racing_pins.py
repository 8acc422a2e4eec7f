"""
Creates, resends, guesses, recoveries and erasures of one destination, in every order of their appends.

The use cases run on two nodes with one store in memory. Every append waits until the machine lets it
through, so that anything may have happened since it was decided. The pure decisions alone are in
`test_pin_life.py`.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Coroutine, Sequence
from typing import Any

from attrs import evolve
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from tests.application.house import House, build_house, code_in, node_on
from tests.fakes.providers import Answer, ScriptedProvider
from tests.fakes.stores import TroubledStore
from watchword.application.audit.checking import AuditInputs, Checking
from watchword.application.errors import UnavailableError
from watchword.application.pins.resending_pins import ResendRequest
from watchword.application.pins.sending_pins import ORPHANED_AFTER
from watchword.application.ports.channels import Accepted, Message, Rejected, Unknown
from watchword.application.ports.event_store import Append
from watchword.application.records import held_by
from watchword.domain.channel import PROVIDER_TIMEOUT, any_may_arrive
from watchword.domain.errors import DomainError
from watchword.domain.pin import Pending, Pin, live_code, pin_decider

NUMBER = "+919812345610"
MOST_PINS = 6
REFUSALS: dict[str, Answer] = {
    "refuses": Rejected("unknown_number", "Nobody has this number."),
    "is silent": Unknown(PROVIDER_TIMEOUT, "No answer came in time."),
}
TAKES = "takes"
NODES = st.integers(0, 1)
MOODS = st.sampled_from([TAKES, TAKES, TAKES, *REFUSALS])


class Gate(TroubledStore):
    """One node's way to the store; each append waits for its turn."""

    waiting: list[asyncio.Event]

    def __init__(self, inside: TroubledStore) -> None:
        super().__init__(inside)
        self.waiting = []

    async def append(self, append: Append) -> Sequence[int]:
        """Append when it is this append's turn."""
        turn = asyncio.Event()
        self.waiting.append(turn)
        await turn.wait()
        return await super().append(append)


class RacingPins(RuleBasedStateMachine):
    """Calls about one destination on two nodes."""

    def __init__(self) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        self.provider = ScriptedProvider(self._answer)
        self.mood = TAKES
        self.created = 0
        self.calls: list[asyncio.Task[Any]] = []

    @initialize()
    def open(self) -> None:
        """Start two nodes."""
        self.house: House = self.runner.run(build_house(self.provider))
        self.gates = [Gate(self.house.store) for _ in range(2)]
        self.nodes = [node_on(evolve(self.house, store=gate)) for gate in self.gates]

    async def _answer(self, message: Message) -> Answer:
        return REFUSALS.get(self.mood) or Accepted(f"taken-{message.reference}")

    def begin(self, call: Coroutine[Any, Any, Any], at_once: bool) -> None:
        """Begin a call, which goes on until its first append, or until its second."""
        before = {turn for gate in self.gates for turn in gate.waiting}

        async def with_the_rest() -> None:
            self.calls.append(asyncio.create_task(call))
            await rest()

        self.runner.run(with_the_rest())
        if at_once:
            for number, (_, turn) in enumerate(self.waiting()):
                if turn not in before:
                    self.let_through(number)
                    break

    @precondition(lambda self: self.created < MOST_PINS)
    @rule(at_once=st.booleans(), node=NODES, mood=MOODS)
    def somebody_creates(self, at_once: bool, node: int, mood: str) -> None:
        """Create a PIN."""
        self.mood = mood
        self.created += 1
        self.begin(self.nodes[node].issue(), at_once)

    @precondition(lambda self: self.provider.messages)
    @rule(at_once=st.booleans(), node=NODES, back=st.integers(0, 2), mood=MOODS)
    def somebody_resends(self, at_once: bool, node: int, back: int, mood: str) -> None:
        """Resend one of the newest PINs."""
        self.mood = mood
        house = self.nodes[node]
        pin_id = self.newest(back)
        self.begin(house.service.resending.resend(house.by, pin_id, ResendRequest()), at_once)

    @precondition(lambda self: self.provider.messages)
    @rule(
        at_once=st.booleans(),
        node=NODES,
        back=st.integers(0, 2),
        right=st.sampled_from([True, True, False]),
    )
    def somebody_guesses(self, at_once: bool, node: int, back: int, right: bool) -> None:
        """Enter the newest code of a PIN, or another."""
        house = self.nodes[node]
        pin_id = self.newest(back)
        codes = [
            code_in(each.text)
            for each in self.provider.messages
            if each.reference.startswith(f"{pin_id}:")
        ]
        code = codes[-1] if right and codes else "wrong"
        self.begin(house.service.verifying.verify(house.by, pin_id, code), at_once)

    @rule(at_once=st.booleans(), node=NODES)
    def the_person_is_erased(self, at_once: bool, node: int) -> None:
        """Erase the person."""
        house = self.nodes[node]
        self.begin(house.service.erasing_people.erase(house.by, NUMBER), at_once)

    @rule(at_once=st.booleans(), node=NODES)
    def dispatches_are_recovered(self, at_once: bool, node: int) -> None:
        """Close the dispatches that began a while ago, also those that are still under way."""
        self.house.clock.move_real(ORPHANED_AFTER.total_seconds() + 1)
        self.begin(self.nodes[node].recovering.run_due(), at_once)

    @rule(turns=st.lists(st.integers(0, 20), min_size=1, max_size=3))
    def appends_have_their_turn(self, turns: list[int]) -> None:
        """Let some of the waiting appends through, one after the other."""
        for number in turns:
            self.let_through(number)

    def let_through(self, number: int) -> bool:
        """Let one of the waiting appends through; return whether there was one."""
        waiting = self.waiting()
        if not waiting:
            return False
        gate, turn = waiting[number % len(waiting)]
        gate.waiting.remove(turn)
        turn.set()
        self.runner.run(rest())
        return True

    def waiting(self) -> list[tuple[Gate, asyncio.Event]]:
        """Return the appends that wait for their turn, each with its gate."""
        return [(gate, turn) for gate in self.gates for turn in gate.waiting]

    def pins(self) -> dict[str, Pin]:
        """Return all PINs, the oldest first."""
        return self.runner.run(self._pins())

    async def _pins(self) -> dict[str, Pin]:
        journal = self.house.service.journal
        return {
            each: (await journal.load(pin_decider, each)).state for each in await self.house.pins()
        }

    def newest(self, back: int) -> str:
        """Return one of the newest PINs."""
        ids = list(self.pins())
        return ids[-1 - min(back, len(ids) - 1)]

    @invariant()
    def the_store_agrees_with_the_events(self) -> None:
        """
        The holders of a live code are the PINs that their own events make holders.

        Of all codes that may have arrived, one at most can be verified.
        """
        if not hasattr(self, "house"):
            return
        holders: defaultdict[str, set[str]] = defaultdict(set)
        live: defaultdict[str, list[str]] = defaultdict(list)
        for pin_id, pin in self.pins().items():
            subject = live_code(pin.template_id, pin.person_id)
            holders[subject] |= {pin_id} if subject in held_by(pin) else set()
            if any_may_arrive(pin.outcomes) and isinstance(pin.life, Pending):
                live[subject].append(pin_id)
        for subject, pin_ids in holders.items():
            assert pin_ids == self.runner.run(self.house.store.holders(subject))
            assert len(live[subject]) <= 1, live

    def teardown(self) -> None:
        """Let everything end, and look at the store."""
        try:
            if hasattr(self, "house"):
                self.look_at_the_end()
        finally:
            self.runner.close()

    def look_at_the_end(self) -> None:
        """All calls end with an answer or a refusal, and an audit finds nothing."""
        while self.let_through(0):
            pass
        told = self.runner.run(self.answers())

        assert [] == [
            each
            for each in told
            if isinstance(each, BaseException)
            and not isinstance(each, DomainError | UnavailableError)
        ]
        inputs = AuditInputs(now=self.house.clock.now)
        checking = Checking(self.house.service.journal, inputs)
        assert () == self.runner.run(checking.check()).differences

    async def answers(self) -> list[Any]:
        """Return the result of every call."""
        async with asyncio.timeout(1):
            return await asyncio.gather(*self.calls, return_exceptions=True)


async def rest() -> None:
    """Let everything go on that can."""
    for _ in range(30):
        await asyncio.sleep(0)


TestRacingPins = RacingPins.TestCase
# Rare stories: a code that ends between a refusal of the store and the next attempt (D-350).
TestRacingPins.settings = settings(max_examples=4 * settings().max_examples, stateful_step_count=15)
