"""The cast of the message tests: the tea house writes to a guest that the tea is ready."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from watchword.domain.channel import PROVIDER_TIMEOUT, Channel, ChannelOutcome, OutcomeStatus
from watchword.domain.channel import interrupted as interrupted_outcome
from watchword.domain.conditions import SoleHolder
from watchword.domain.message import (
    Content,
    Ending,
    EndMessage,
    MessageDispatched,
    MessageEnded,
    MessageReceived,
    MessageReported,
    MessageSubmitted,
    ReceiveMessage,
    RecordDispatch,
    ResourceType,
    SmsContent,
    SubmitMessage,
    TakeMessageReceipt,
)
from watchword.domain.receipt import Receipt, ReceiptStatus, provider_message

MESSAGE, RUN, PARKED = "msg_kettle", "run_kettle", "rcp_kettle"
GUEST, TEA_HOUSE, COUNTER = "+919812345610", "TEAHSE", "cha_counter"
PERSON = "per_guest"
PROVIDER_ID = "provider-42"
SUBJECT = provider_message(COUNTER, PROVIDER_ID)
READY = SmsContent(type="SI", text="Your tea is ready.")
REFS = {"custRef1": "table-7"}
SENT, DELIVERED, READ, FAILED = ReceiptStatus


def second(number: float) -> datetime:
    """Return the time that many seconds after noon; messages are submitted at second 0."""
    return datetime(2031, 5, 4, 12, tzinfo=UTC) + timedelta(seconds=number)


def order(content: Content = READY, *, carries_code: bool = False) -> SubmitMessage:
    """Order a message at noon."""
    return SubmitMessage(
        at=second(0),
        account_id="account-orchid",
        person_id=PERSON,
        channel=Channel.SMS,
        channel_account_id=COUNTER,
        sender=TEA_HOUSE,
        recipient=GUEST,
        content=content,
        carries_code=carries_code,
        cust_refs=REFS,
        campaign="spring",
        run_id=RUN,
        resource_type=ResourceType.LEGACY,
        tags={"tag1": "tea"},
        callback_url="https://tea.example/told",
    )


def submitted(content: Content | None = READY) -> MessageSubmitted:
    """Return the event that the message was accepted at noon."""
    return MessageSubmitted(
        at=second(0),
        account_id="account-orchid",
        person_id=PERSON,
        channel=Channel.SMS,
        channel_account_id=COUNTER,
        sender=TEA_HOUSE,
        recipient=GUEST,
        content=content,
        cust_refs=REFS,
        campaign="spring",
        run_id=RUN,
        resource_type=ResourceType.LEGACY,
        tags={"tag1": "tea"},
        callback_url="https://tea.example/told",
    )


def took(provider_message_id: str | None = PROVIDER_ID) -> ChannelOutcome:
    """Report that the provider took the message."""
    return ChannelOutcome(
        channel=Channel.SMS,
        channel_account_id=COUNTER,
        status=OutcomeStatus.ACCEPTED,
        provider_message_id=provider_message_id,
    )


def refused() -> ChannelOutcome:
    """Report that the provider said no."""
    return ChannelOutcome(
        channel=Channel.SMS, status=OutcomeStatus.REJECTED, error_code="no_such_table"
    )


def stayed_silent() -> ChannelOutcome:
    """Report that the provider gave no answer within the provider time-out."""
    return ChannelOutcome(
        channel=Channel.SMS, status=OutcomeStatus.UNKNOWN, error_code=PROVIDER_TIMEOUT
    )


def interrupted() -> ChannelOutcome:
    """Report a recovery's finding about a dispatch whose process died."""
    return interrupted_outcome(Channel.SMS)


def record(
    at: float,
    outcome: ChannelOutcome,
    *parked: Receipt,
    retiring: frozenset[str] = frozenset(),
) -> RecordDispatch:
    """Return the command that records the outcome of the dispatch."""
    return RecordDispatch(
        at=second(at), message_id=MESSAGE, outcome=outcome, parked=parked, retiring=retiring
    )


def dispatched(at: float, outcome: ChannelOutcome | None = None) -> MessageDispatched:
    """Return the event of the dispatch; accepted unless an outcome is given."""
    return MessageDispatched(at=second(at), outcome=outcome or took())


def receipt(status: ReceiptStatus, at: float, error_code: str | None = None) -> Receipt:
    """Return a receipt of some second."""
    return Receipt(status=status, error_code=error_code, reported_at=second(at))


def hear(at: float, told: Receipt) -> TakeMessageReceipt:
    """Return the command that records a receipt."""
    return TakeMessageReceipt(at=second(at), receipt=told)


def reported(at: float, told: Receipt) -> MessageReported:
    """Return the event that a receipt came in."""
    return MessageReported(
        at=second(at),
        status=told.status,
        error_code=told.error_code,
        reported_at=told.reported_at,
    )


def end_it(at: float, *, revoked: bool = False) -> EndMessage:
    """End the message for its fallback's sake."""
    return EndMessage(at=second(at), revoked=revoked)


def ended(at: float, status: Ending = Ending.EXPIRED) -> MessageEnded:
    """Return the event that its fallback ended the message."""
    return MessageEnded(at=second(at), status=status)


def write_in(at: float, provider_message_id: str | None = PROVIDER_ID) -> ReceiveMessage:
    """Let the guest write to the tea house."""
    return ReceiveMessage(
        at=second(at),
        message_id=MESSAGE,
        account_id="account-orchid",
        person_id=PERSON,
        channel=Channel.WHATSAPP,
        channel_account_id=COUNTER,
        provider_message_id=provider_message_id,
        sender=GUEST,
        recipient=TEA_HOUSE,
        text="Is my tea ready?",
    )


def received(at: float, provider_message_id: str | None = PROVIDER_ID) -> MessageReceived:
    """Return the event that the guest wrote."""
    return MessageReceived(
        at=second(at),
        account_id="account-orchid",
        person_id=PERSON,
        channel=Channel.WHATSAPP,
        channel_account_id=COUNTER,
        provider_message_id=provider_message_id,
        sender=GUEST,
        recipient=TEA_HOUSE,
        text="Is my tea ready?",
    )


def known_by_its_id(*retiring: str) -> SoleHolder:
    """State that the message alone holds its provider's id, once those retire."""
    return SoleHolder(SUBJECT, MESSAGE, frozenset(retiring))
