"""Streams of messages and runs for tests: the real decider decides every event."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from attrs import evolve, frozen

from tests.domain.message.story import order, receipt, second, took, write_in
from watchword.application.caller import Caller
from watchword.application.journal import Journal, beginning, change
from watchword.application.messages.looking_up.reading_histories import ReadingHistories
from watchword.application.messages.looking_up.views import FollowedMessage
from watchword.application.people.people import People, PersonRef
from watchword.application.ports.event_store import Change
from watchword.domain import fallback_run as runs
from watchword.domain import message as messages
from watchword.domain.channel import Channel, ChannelOutcome
from watchword.domain.decider import Decider, Decision
from watchword.domain.fallback_run import FallbackRun, FallbackStep, fallback_run_decider
from watchword.domain.message import Message, SmsContent, message_decider
from watchword.domain.receipt import ReceiptStatus

S = TypeVar("S")

ACCOUNT = "acc_orchid"
PERSON, OWN_NUMBER = "+919812345610", "+447700900123"
SECRET_TEXT = "CANARY4711X"


def sms_step() -> FallbackStep:
    """Plan to send an SMS instead."""
    return _step(Channel.SMS)


def rcs_step() -> FallbackStep:
    """Plan to send an RCS message instead."""
    return _step(Channel.RCS)


def _step(channel: Channel) -> FallbackStep:
    content = SmsContent(type="SI", text=SECRET_TEXT)
    return FallbackStep(
        person_id="", channel=channel, sender="TEAHSE", recipient=PERSON, content=content
    )


@frozen
class RecordedMessages:
    """
    Appends events of an account's messages, at so many seconds after noon.

    `of` is the account; a person whom it does not know is met with the first message.
    """

    journal: Journal
    people: People
    of: str = ACCOUNT

    async def submitted(self, message_id: str, at: float = 0, **facts: Any) -> None:
        """Accept an SMS to the person, with these facts in place of the usual ones."""
        told: dict[str, Any] = {
            "at": second(at),
            "account_id": self.of,
            "recipient": PERSON,
            "run_id": None,
        }
        told |= facts
        met = await self._met(told["recipient"])
        content = SmsContent(type="SI", text=SECRET_TEXT)
        command = evolve(order(content), person_id=met.person_id, **told)
        await self._begun(message_decider, message_id, at, messages.submit(command), met)

    async def received(self, message_id: str, at: float = 0, **facts: Any) -> None:
        """Let the person write in to the account's own number, on WhatsApp."""
        told: dict[str, Any] = {"account_id": self.of, "sender": PERSON, "recipient": OWN_NUMBER}
        told |= {"message_id": message_id, "text": SECRET_TEXT}
        told |= facts
        met = await self._met(told["sender"])
        command = evolve(write_in(at, f"provider-{message_id}"), person_id=met.person_id, **told)
        await self._begun(message_decider, message_id, at, messages.receive(command), met)

    async def dispatched(
        self, message_id: str, at: float, outcome: ChannelOutcome | None = None
    ) -> None:
        """Record how the provider took it; accepted unless an outcome is given."""
        command = messages.RecordDispatch(
            at=second(at),
            message_id=message_id,
            outcome=outcome or took(f"provider-{message_id}"),
        )
        await self.message(message_id, at, messages.record_dispatch, command)

    async def reported(
        self, message_id: str, at: float, status: ReceiptStatus, error_code: str | None = None
    ) -> None:
        """Record a receipt, a second after its time."""
        told = receipt(status, at - 1, error_code)
        command = messages.TakeMessageReceipt(at=second(at), receipt=told)
        await self.message(message_id, at, messages.take_receipt, command)

    async def message(
        self, message_id: str, at: float, decide: Callable[[Message, Any], Decision], command: Any
    ) -> None:
        """Decide on a message."""
        await self._happened(
            message_decider, message_id, at, lambda message: decide(message, command)
        )

    async def armed(self, run_id: str, message_id: str, *steps: FallbackStep) -> None:
        """Arm a run that waits for a minute, for the message of noon."""
        met = await self._met(PERSON)
        command = runs.ArmFallback(
            at=second(0),
            account_id=self.of,
            person_id=met.person_id,
            message_id=message_id,
            fallback_id="tea-first",
            waittime_seconds=60,
            steps=tuple(evolve(each, person_id=met.person_id) for each in steps),
        )
        await self._begun(fallback_run_decider, run_id, 0, runs.arm(command), met)

    async def fired(self, run_id: str, at: float, step: int, message_id: str) -> None:
        """Let the time of a step come, and send it as a message."""
        tick = runs.Tick(at=second(at))
        ended = runs.TakeEnding(at=second(at), step=step, outcome=runs.RevokeOutcome.NOT_REVOKED)
        fire = runs.FireStep(at=second(at), step=step, message_id=message_id)
        for decide, command in ((runs.tick, tick), (runs.ended, ended), (runs.fire, fire)):
            await self.run(run_id, at, decide, command)
        await self.submitted(message_id, at, sent_by_run=run_id)

    async def run(
        self, run_id: str, at: float, decide: Callable[[FallbackRun, Any], Decision], command: Any
    ) -> None:
        """Decide on a run."""
        await self._happened(fallback_run_decider, run_id, at, lambda run: decide(run, command))

    async def _met(self, number: str) -> PersonRef:
        return (await self.people.find_or_create(self.of, (number,)))[number]

    async def _begun(
        self, decider: Decider[S], stream: str, at: float, decision: Decision, met: PersonRef
    ) -> None:
        await self._write(at, beginning(decider, stream, decision), met)

    async def _happened(
        self, decider: Decider[S], stream: str, at: float, decide: Callable[[S], Decision]
    ) -> None:
        loaded = await self.journal.load(decider, stream)
        decision = decide(loaded.state)
        await self._write(at, change(decider, stream, loaded, decision))

    async def _write(self, at: float, made: Change, met: PersonRef | None = None) -> None:
        by, new_people = (
            Caller(self.of, "key_web", "req_one"),
            () if met is None else met.new_people,
        )
        await self.journal.write(by, second(at), made, new_people=new_people)


async def entry(following: ReadingHistories, message_id: str) -> FollowedMessage:
    """Return the status entry of one known message."""
    (found,) = await following.status(ACCOUNT, [message_id])
    assert isinstance(found, FollowedMessage)
    return found
