"""Channel accounts whose provider answers by script, and sends through them."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Sequence
from typing import Any, TypeVar

from attrs import define

from tests.application.house import House, build_house
from tests.fakes.loops import SkippingLoop
from tests.fakes.providers import Answer, ScriptedProvider
from watchword.application.journal import Journal
from watchword.application.ports.channels import Accepted, Message, Rejected
from watchword.application.ports.provider_observer import ProviderObserver
from watchword.application.provider_calls import ProviderCalls
from watchword.domain.accounts.channel_account import ChannelLimits
from watchword.domain.channel import Channel, ChannelOutcome
from watchword.domain.message import SmsContent

T = TypeVar("T")
TIMEOUT = 10.0
# What an account answers: at once, after so many seconds, or never.
Script = Answer | BaseException | float | None


def skipping(story: Coroutine[Any, Any, T]) -> T:
    """Run a story on a loop that skips the time in which nothing happens."""
    with asyncio.Runner(loop_factory=SkippingLoop) as runner:
        return runner.run(story)


@define
class Lines:
    """
    Channel accounts of one customer, named by letters, each with its script.

    A script that is used up accepts everything.
    """

    house: House
    calls: ProviderCalls
    provider: ScriptedProvider
    ids: dict[str, str]
    scripts: dict[str, list[Script]]

    @property
    def asked(self) -> list[str]:
        """The accounts that were asked, in order."""
        return [self.name(each.channel_account_id) for each in self.provider.messages]

    def name(self, channel_account_id: str | None) -> str:
        """Return the letter of an account."""
        return next(name for name, each in self.ids.items() if each == channel_account_id)

    async def send(self, first: str = "a", *, code: bool = False) -> ChannelOutcome:
        """Send a message, or a code, through an account."""
        return await self.calls.send(self.message(first, code=code), unveiled)

    def message(self, first: str = "a", *, code: bool = False) -> Message:
        """Write a message, or a PIN's code, which has no content of its own."""
        return Message(
            reference="msg_1",
            channel=Channel.SMS,
            channel_account_id=self.ids[first],
            destination="+4477009123456",
            text="tea is ready",
            content=None if code else SmsContent(type="SI", text="tea is ready"),
        )

    def told(self, outcome: ChannelOutcome) -> tuple[str, str, list[tuple[str, str, str | None]]]:
        """Return an outcome in letters: its account, its status, and what was tried."""
        tried = [
            (self.name(each.channel_account_id), str(each.status), each.code)
            for each in outcome.tried
        ]
        return self.name(outcome.channel_account_id), str(outcome.status), tried

    async def answer(self, message: Message) -> Answer:
        """Answer as the account's script says."""
        script = self.scripts.setdefault(self.name(message.channel_account_id), [])
        said = script.pop(0) if script else Accepted("taken")
        if isinstance(said, BaseException):
            raise said
        if said is None:
            await asyncio.Event().wait()
        if isinstance(said, float | int):
            await asyncio.sleep(said)
            said = Accepted(f"after-{said}")
        assert said is not None
        return said


def unveiled(refusal: Rejected) -> Rejected:
    """Hide nothing."""
    return refusal


async def lines(
    *,
    failover: Sequence[str] = (),
    on_unknown: bool | None = None,
    limits: ChannelLimits | None = None,
    deduplicates: bool = False,
    simulates: bool = False,
    others: Sequence[str] = ("b", "c"),
    observers: Sequence[ProviderObserver] = (),
    scripts: dict[str, list[Script]] | None = None,
) -> Lines:
    """Make the account `a` with its failover, and others beside it."""
    provider = ScriptedProvider()
    provider.deduplicates = deduplicates
    house = await build_house(provider)
    ids: dict[str, str] = {}

    async def make(name: str, **settings: Any) -> None:
        made = await house.service.channel_accounts.create(
            house.by,
            channel_type=Channel.SMS,
            provider="scripted",
            name=f"line {name}",
            sender=f"FROM{name.upper()}",
            config={},
            **settings,
        )
        ids[name] = made.id

    for name in others:
        await make(name)
    own = {} if limits is None else {"limits": limits}
    chain = tuple(ids[name] for name in failover)
    await make("a", failover=chain, failover_on_unknown=on_unknown, **own)
    calls = ProviderCalls(
        Journal(house.store),
        {"scripted": provider},
        house.service.channel_secrets,
        TIMEOUT,
        clock=house.clock,
        simulates=lambda _: simulates,
        observers=observers,
    )
    made = Lines(house, calls, provider, ids, scripts or {})
    provider.script = made.answer
    return made
