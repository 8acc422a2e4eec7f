"""A replay's verdicts are those of live enforcement, one for one (pass mark 3 of the guard)."""

from __future__ import annotations

import os
import random
from collections.abc import Awaitable, Iterator
from datetime import datetime, timedelta

import pytest
from attrs import define, evolve, frozen

from tests.application.house import House, build_house, code_in
from tests.vaults import new_vault
from watchword.adapters.number_plan import PhoneNumberPlan
from watchword.application.guard.budget_keys import BudgetKeys
from watchword.application.guard.replayed_log import ReplayedLog
from watchword.application.pins.caller_context import CallerContext
from watchword.application.pins.issuing_pins import IssueRequest
from watchword.application.pins.resending_pins import ResendRequest
from watchword.application.pins.sending_pins import SentPin
from watchword.application.pins.template_channels import ChannelEntry
from watchword.application.ports.event_store import EventStore
from watchword.domain.channel import Channel
from watchword.domain.errors import DomainError, RateLimitedError
from watchword.domain.guard import (
    Budgeted,
    Countries,
    DestinationNotAllowedError,
    GuardPolicy,
    Mode,
    Moded,
    Sends,
    Unverified,
)
from watchword.domain.pin import PinIncorrectError
from watchword.domain.pin_template.policy import PinPolicy
from watchword.domain.rate_limit import Duration, Rate

NOTHING = GuardPolicy(
    numbers=Moded(mode=Mode.OFF),
    guesses=Budgeted(mode=Mode.OFF),
    unverified=Unverified(
        country=Budgeted(mode=Mode.OFF), prefix=Budgeted(mode=Mode.OFF), ip=Budgeted(mode=Mode.OFF)
    ),
)
STRICT = GuardPolicy(
    numbers=Moded(mode=Mode.ENFORCE),
    guesses=Budgeted(mode=Mode.ENFORCE, limit=Rate("4/1h")),
    countries=Countries(mode=Mode.ENFORCE, refuse=frozenset(("GB",))),
    unverified=Unverified(
        country=Budgeted(mode=Mode.ENFORCE, limit=Rate("9/1h")),
        prefix=Budgeted(mode=Mode.ENFORCE, limit=Rate("4/30m")),
        ip=Budgeted(mode=Mode.RECORD, limit=Rate("3/10m")),
    ),
    sends=Sends(
        account=Budgeted(mode=Mode.ENFORCE, limit=Rate("11/1h")),
        channels={Channel.SMS: Budgeted(mode=Mode.RECORD, limit=Rate("12/1h"))},
    ),
    verified_pass=Duration("2h"),
)
# Those of the pass mark, 10,000, take a minute.
SENDS = int(os.environ.get("WATCHWORD_REPLAYED_SENDS", "600"))
# Generous limits, so that only the guard refuses.
TEMPLATE = PinPolicy(
    pin_attempts=3,
    verify_pin_limit=Rate("1000/s"),
    resend_cooldown=Duration("0s"),
    send_pin_per_template_limit=Rate("1000000/1d"),
    send_pin_per_phone_number_limit=Rate("1000000/1d"),
)


@frozen
class Step:
    """What somebody does: a send to a number, or a guess at its newest PIN, so many seconds later."""

    seconds: float
    number: str
    ip: str
    act: str


def steps(seed: int, count: int) -> Iterator[Step]:
    """Yield what people and attackers do: sends, resends, right and wrong codes."""
    chance = random.Random(seed)
    numbers = [
        f"{prefix}{each:04}"
        for prefix in (
            "+98912345",
            "+98912346",
            "+98935123",
            "+44770090",
            "+91981234",
            "+98912345678",
        )
        for each in range(1000, 1004)
    ]
    ips = [f"203.0.113.{each}" for each in range(6)]
    acts = ["send"] * 5 + ["resend"] + ["right"] + ["wrong"] * 6
    while count:
        act = chance.choice(acts)
        number = chance.choice(numbers[:6] if chance.random() < 0.5 else numbers)
        count -= act in ("send", "resend")
        yield Step(chance.choice([0, 1, 7, 40, 90, 400]), number, chance.choice(ips), act)


@define
class Side:
    """A service, and the newest PIN and code of each number, if the guard let it be sent."""

    house: House
    template_id: str
    newest: dict[str, tuple[str, str]]

    @classmethod
    async def build(cls, inside: EventStore | None, policy: GuardPolicy) -> Side:
        """Build a service whose account has a policy."""
        house = await build_house(inside=inside)
        template = await house.service.pin_templates.create(
            house.by,
            name="plain",
            policy=TEMPLATE,
            channels=[ChannelEntry(channel_type=Channel.SMS)],
        )
        await house.service.managing_guard.put(house.by, policy)
        return cls(house, template.id, {})

    async def send(self, step: Step) -> str | None:
        """Send a code; return the rule that refuses it."""
        request = IssueRequest(
            destination=step.number, template_id=self.template_id, context=CallerContext(ip=step.ip)
        )
        return await self._sent(step, self.house.service.issuing.issue(self.house.by, request))

    async def resend(self, step: Step) -> str | None:
        """Send another code of the number's PIN; without one, ask for a new PIN, as its user would."""
        if step.number not in self.newest:
            return await self.send(step)
        pin_id, _ = self.newest[step.number]
        resent = self.house.service.resending.resend(self.house.by, pin_id, ResendRequest())
        return await self._sent(step, resent)

    async def guess(self, step: Step) -> str | None:
        """Verify a right or a wrong code of the number's newest PIN; return how it ended."""
        pin_id, code = self.newest[step.number]
        typed = code if step.act == "right" else "000000" if code != "000000" else "111111"
        try:
            await self.house.service.verifying.verify(self.house.by, pin_id, typed)
        except PinIncorrectError:
            return "wrong"
        except DomainError as refusal:
            return refusal.code
        return "verified"

    async def _sent(self, step: Step, sending: Awaitable[SentPin]) -> str | None:
        try:
            sent = await sending
        except (RateLimitedError, DestinationNotAllowedError) as refusal:
            return str(refusal.details["rule"])
        self.newest[step.number] = sent.pin_id, code_in(self.house.provider.messages[-1].text)
        return None


async def enforced_and_replayed(
    recording: Side, enforcing: Side, seed: int, count: int
) -> tuple[list[str | None], list[str | None]]:
    """
    Do the same on a service that refuses nothing and on one that enforces.

    Return the verdicts of the second, and those of a replay over the log of the first.
    """
    lived: list[str | None] = []
    began = recording.house.clock.now()
    asked_by: dict[str, str] = {}
    for each in steps(seed, count):
        step = each
        for side in (recording, enforcing):
            side.house.clock.move(step.seconds)
        if step.act in ("send", "resend"):
            act = "resend" if step.act == "resend" and step.number in recording.newest else "send"
            if act == "send":
                asked_by[step.number] = step.ip
            # A resend counts for the IP that asked for the PIN.
            step = evolve(step, ip=asked_by[step.number])
            assert await getattr(recording, act)(step) is None
            lived.append(await getattr(enforcing, act)(step))
            if lived[-1] is not None and act == "send":
                # Its user waits for a code that never comes, and guesses at none.
                enforcing.newest.pop(step.number, None)
        elif step.number in recording.newest:
            ended = await recording.guess(step)
            if step.number in enforcing.newest:
                await enforcing.guess(step)
            if ended != "wrong":
                recording.newest.pop(step.number)
                enforcing.newest.pop(step.number, None)
    return lived, await replayed(recording.house, began)


async def replayed(house: House, began: datetime) -> list[str | None]:
    """Return the verdicts of a replay of `STRICT`."""
    log = ReplayedLog(
        house.service.journal,
        BudgetKeys(new_vault()),
        PhoneNumberPlan(),
        house.by.account_id,
        STRICT,
        began,
        house.clock.now() + timedelta(seconds=1),
    )
    verdicts: list[str | None] = []
    after = 0
    while batch := await house.store.read_log(after, 500):
        for each in batch:
            judged = await log.take(each)
            if judged is not None:
                verdicts.append(None if judged.rule is None else str(judged.rule))
        after = batch[-1].position
    return verdicts


@pytest.mark.parametrize("seed", [1, 2])
async def test_each_verdict_is_that_of_enforcement(store: EventStore, seed: int) -> None:
    """On every store, over sends, resends, guesses and verifications of people and attackers."""
    recording, enforcing = await Side.build(None, NOTHING), await Side.build(store, STRICT)

    lived, replay = await enforced_and_replayed(recording, enforcing, seed, 100)

    assert lived == replay
    assert 3 < len(set(lived))


async def test_many_verdicts_are_those_of_enforcement() -> None:
    """Pass mark 3: all verdicts are the same, and each rule that is enforced refuses some sends."""
    recording, enforcing = await Side.build(None, NOTHING), await Side.build(None, STRICT)

    lived, replay = await enforced_and_replayed(recording, enforcing, 3, SENDS)

    assert lived == replay
    enforced = {"numbers", "countries", "guesses", "unverified.country", "unverified.prefix"}
    assert {None, "sends.account", *enforced} == set(lived)
