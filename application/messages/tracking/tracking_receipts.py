"""Record providers' receipts for messages and codes (C-22, C-34)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from enum import Enum, auto
from functools import partial

from attrs import evolve

from ....domain import message as messages
from ....domain import pin as pins
from ....domain.accounts.channel_account import channel_account_decider
from ....domain.channel import ChannelOutcome
from ....domain.event import Event
from ....domain.fallback_run import TakeAttemptReceipt, fallback_run_decider
from ....domain.fallback_run import take_receipt as take_attempt_receipt
from ....domain.message import Message, MessageReported, message_decider
from ....domain.parked_receipt import ParkReceipt, park, parked_receipt_decider
from ....domain.pin import PinReported, pin_decider
from ....domain.receipt import ReceiptStatus, provider_message
from ...caller import Caller
from ...channel_accounts.last_receipts import LastReceipt, LastReceipts
from ...channel_tests.references import is_reference_of_test
from ...concurrency.keyed_queue import KeyedQueue
from ...journal import CONTENTION_SECONDS, Journal, change, retry_on_conflict
from ...ports.channels import ProviderReport
from ...ports.clock import Clock
from ...ports.randomness import Randomness
from ...provider_calls.outcomes import checked_price, checked_segments
from ...records import is_id_of
from ...records.parked_receipt import PARKED_RECEIPT
from ...run_changes import UNMOVED, RunChange, moved
from .parked_receipts import due_row

_FAILED = ReceiptStatus.FAILED
_REPORTED = (MessageReported, PinReported)


class _Source(Enum):
    """The part of a receipt's channel account in a send: it took it, was asked, or neither."""

    TAKER = auto()
    # It is asked now, or was when a crash came; an account that follows may take the message.
    FIRST = auto()
    ASKED = auto()
    OTHER = auto()


class TrackingReceipts:
    """
    Records a receipt on its message and fallback run, or on its PIN.

    A receipt with our reference finds them without a provider's id, as after an unknown outcome (C-68).
    A receipt for an unknown id is parked until the id appears.
    """

    def __init__(
        self, journal: Journal, randomness: Randomness, heard: LastReceipts, clock: Clock
    ) -> None:
        self._journal = journal
        self._heard = heard
        self._randomness = randomness
        self._clock = clock
        self._queue = KeyedQueue(patience=CONTENTION_SECONDS)

    async def track(
        self, channel_account_id: str, report: ProviderReport, request_id: str | None = None
    ) -> None:
        """
        Record one receipt in the channel account's name; a repeated one is recorded again.

        After an `UnavailableError`, the receipt may or may not have been recorded.
        """
        by = Caller("", channel_account_id, request_id or self._randomness.new_id("req"))
        report = _checked(report)
        # One line for each message: a provider that repeats itself on many
        # connections must not race with itself.
        line = report.reference or provider_message(by.actor, report.provider_message_id or "")
        track = partial(retry_on_conflict, partial(self._track, by, report))
        events = await self._queue.take(line, track)
        # A code that no event holds may quote the number (C-100).
        code = next((each.error_code for each in events if isinstance(each, _REPORTED)), None)
        heard = LastReceipt(status=report.receipt.status, code=code, at=self._clock.now())
        self._heard.hear(by.actor, heard)

    async def _track(self, by: Caller, report: ProviderReport) -> Sequence[Event]:
        """Record a receipt; return the events on its message or PIN."""
        now = self._clock.now()
        provider_id, holder = report.provider_message_id, None
        if is_reference_of_test(report.reference):
            # It is parked where the test looks for it, which may not know the provider's id (C-67).
            provider_id = report.reference
        if provider_id is not None:
            subject = provider_message(by.actor, provider_id)
            holder = await self._journal.holder(subject)
            if holder is not None and is_id_of(pin_decider, holder):
                return await self._record_on_pin(by, now, holder, subject, report)
            if holder is not None and not is_id_of(parked_receipt_decider, holder):
                return await self._record_on_message(by, now, holder, report)
        if report.reference is not None:
            explained = await self._explain(by, now, report.reference, report)
            if explained is not None:
                return explained
        if provider_id is not None:
            parked_id = holder or self._randomness.new_id(PARKED_RECEIPT.prefix)
            await self._park(by, now, parked_id, provider_id, report)
        return ()

    async def _explain(
        self, by: Caller, now: datetime, reference: str, report: ProviderReport
    ) -> Sequence[Event] | None:
        """Record a receipt for the send with a reference; return its events, None without such a send."""
        if is_id_of(message_decider, reference):
            message = await self._journal.find(message_decider, reference)
            if message is None:
                return None
            match await self._source(by, message.state.account_id, message.state.outcome):
                case _Source.OTHER:
                    return None
                case _Source.FIRST if _must_wait(report):
                    return None
                case _Source.ASKED if report.receipt.status is _FAILED:
                    return ()
                case _:
                    return await self._record_on_message(by, now, reference, report)
        code = pins.SentCode.read(reference)
        if code is None or not is_id_of(pin_decider, code.pin_id):
            return None
        pin = await self._journal.find(pin_decider, code.pin_id)
        if pin is None:
            return None
        outcome = pin.state.outcome_on(code.issue, code.channel)
        source = await self._source(by, pin.state.account_id, outcome)
        if source is _Source.OTHER or (source is _Source.FIRST and _must_wait(report)):
            return None
        if source is _Source.ASKED and report.receipt.status is _FAILED:
            return ()
        decision = pins.explain(
            pin.state,
            pins.ExplainPin(at=now, issue=code.issue, channel=code.channel, receipt=report.receipt),
        )
        if decision.events:
            await self._journal.write(by, now, change(pin_decider, code.pin_id, pin, decision))
        return decision.events or None

    async def _source(self, by: Caller, account_id: str, outcome: ChannelOutcome | None) -> _Source:
        """
        Return the part that a channel account had in a send with this outcome.

        Several may have been asked (C-69). Before the outcome is recorded, or after a crash, any of
        the customer's may have taken it. A failure counts only at the one that stands in the outcome:
        at another, it says nothing about the message that is on its way (D-229).
        """
        if outcome is None or outcome.channel_account_id is None:
            channel_account = await self._journal.recall(channel_account_decider, by.actor)
            if channel_account.state.account_id != account_id:
                return _Source.OTHER
            return _Source.FIRST if channel_account.state.failover else _Source.TAKER
        if outcome.channel_account_id == by.actor:
            return _Source.TAKER
        return _Source.ASKED if by.actor in outcome.asked else _Source.OTHER

    async def _park(
        self, by: Caller, now: datetime, parked_id: str, provider_id: str, report: ProviderReport
    ) -> None:
        loaded = await self._journal.find(parked_receipt_decider, parked_id)
        retiring: frozenset[str] = frozenset()
        if loaded is not None and not loaded.state.takes_more:
            # A stream has one key, which is gone.
            retiring = frozenset({parked_id})
            parked_id, loaded = self._randomness.new_id(PARKED_RECEIPT.prefix), None
        decision = park(
            ParkReceipt(
                at=now,
                parked_id=parked_id,
                channel_account_id=by.actor,
                provider_message_id=provider_id,
                receipt=report.receipt,
                retiring=retiring,
            )
        )
        made = change(parked_receipt_decider, parked_id, loaded, decision)
        await self._journal.write(by, now, made, due=due_row(parked_id, made.state))

    async def _record_on_pin(
        self, by: Caller, now: datetime, pin_id: str, subject: str, report: ProviderReport
    ) -> Sequence[Event]:
        loaded = await self._journal.load(pin_decider, pin_id)
        decision = pins.take_receipt(
            loaded.state, pins.TakePinReceipt(at=now, subject=subject, receipt=report.receipt)
        )
        if decision.events:
            await self._journal.write(by, now, change(pin_decider, pin_id, loaded, decision))
        return decision.events

    async def _record_on_message(
        self, by: Caller, now: datetime, message_id: str, report: ProviderReport
    ) -> Sequence[Event]:
        loaded = await self._journal.load(message_decider, message_id)
        decision = messages.take_receipt(
            loaded.state, messages.TakeMessageReceipt(at=now, receipt=report.receipt)
        )
        if not decision.events:
            return ()
        mine = change(message_decider, message_id, loaded, decision)
        run = await self._run(now, message_id, loaded.state, report.receipt.status)
        await self._journal.write(
            by, now, mine, *run.changes, due=run.due, done=run.done, dropping=run.dropping
        )
        return decision.events

    async def _run(
        self, now: datetime, message_id: str, message: Message, status: ReceiptStatus
    ) -> RunChange:
        """Return the change of the message's run after a receipt."""
        run_id = message.run_id or message.sent_by_run
        if run_id is None:
            return UNMOVED
        loaded = await self._journal.load(fallback_run_decider, run_id)
        decision = take_attempt_receipt(
            loaded.state, TakeAttemptReceipt(at=now, message_id=message_id, status=status)
        )
        return moved(run_id, loaded, decision, now)


def _must_wait(report: ProviderReport) -> bool:
    """
    Return whether a report before the outcome waits for it, parked under the provider's id (D-262).

    Without an id it cannot be parked.
    """
    return report.receipt.status is _FAILED and report.provider_message_id is not None


def _checked(report: ProviderReport) -> ProviderReport:
    """Return an adapter's report without a wrong number of segments or a wrong price (C-72)."""
    receipt = report.receipt
    if receipt.segments is None and receipt.price is None:
        return report
    segments, price = checked_segments(receipt.segments), checked_price(receipt.price)
    return evolve(report, receipt=evolve(receipt, segments=segments, price=price))
