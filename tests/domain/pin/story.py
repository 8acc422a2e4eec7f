"""The cast of the PIN tests: one tea house, its guests, and the events of each second."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import attrs

from watchword.domain.channel import PROVIDER_TIMEOUT, Channel, ChannelOutcome, OutcomeStatus
from watchword.domain.conditions import Release, SoleHolder
from watchword.domain.pin import (
    EarlyReceipts,
    ErasePin,
    IssuePin,
    PinBlocked,
    PinDispatched,
    PinErased,
    PinExpired,
    PinIssued,
    PinReported,
    PinResent,
    PinSuperseded,
    PinVerified,
    RecordDispatch,
    RecoverDispatch,
    ResendPin,
    SupersedePin,
    TakePinReceipt,
    VerifyFailed,
    VerifyPin,
    live_code,
)
from watchword.domain.pin_template.policy import PinPolicy
from watchword.domain.rate_limit import Duration, Rate
from watchword.domain.receipt import Receipt, ReceiptStatus, provider_message

KETTLE, TEAPOT, PARKED = "pin-kettle", "pin-teapot", "rcp-kettle"
PROVIDER_ID = "provider-42"
SENT, DELIVERED, READ, FAILED = ReceiptStatus
TEA_HOUSE = "template-tea-house"
DESTINATION = "+919812345610"
GUEST, STRANGER = "per_guest", "per_stranger"
LIVE_CODE = live_code(TEA_HOUSE, GUEST)
TIME_TO_LIVE, COOLDOWN = 600, 30
# A verify limit that no test reaches, so that each test reaches only its own rule.
POLICY = PinPolicy(
    pin_attempts=3,
    pin_time_to_live=Duration("600s"),
    resend_cooldown=Duration("30s"),
    verify_pin_limit=Rate("1000/s"),
)


def second(number: float) -> datetime:
    """Return the time that many seconds after noon; PINs are issued at second 0."""
    return datetime(2031, 5, 4, 12, tzinfo=UTC) + timedelta(seconds=number)


def ask_for_pin(
    *channels: Channel, destination: str = DESTINATION, person_id: str = GUEST
) -> IssuePin:
    """Order a PIN at noon, by SMS unless channels are named."""
    return IssuePin(
        at=second(0),
        pin_id=KETTLE,
        account_id="account-orchid",
        template_id=TEA_HOUSE,
        person_id=person_id,
        destination=destination,
        reference_id="table-7",
        channels=channels or (Channel.SMS,),
        code_hash="1$hash-one",
        policy=POLICY,
    )


def issued(policy: PinPolicy = POLICY, *channels: Channel) -> PinIssued:
    """Return the event that the PIN was created at noon, by SMS unless channels are named."""
    return PinIssued(
        at=second(0),
        account_id="account-orchid",
        template_id=TEA_HOUSE,
        person_id=GUEST,
        destination=DESTINATION,
        reference_id="table-7",
        channels=channels or (Channel.SMS,),
        code_hash="1$hash-one",
        expires_at=second(0) + policy.pin_time_to_live.span,
        attempts=policy.pin_attempts,
        verify_limit=policy.verify_pin_limit,
    )


def ask_for_resend(at: float, policy: PinPolicy = POLICY, *channels: Channel) -> ResendPin:
    """Order a new code, by SMS unless channels are named."""
    return ResendPin(
        at=second(at), channels=channels or (Channel.SMS,), code_hash="1$hash-two", policy=policy
    )


def resent(at: float, issue: int = 2, policy: PinPolicy = POLICY, *channels: Channel) -> PinResent:
    """Return the event that a new code replaced the last one."""
    return PinResent(
        at=second(at),
        issue=issue,
        channels=channels or (Channel.SMS,),
        code_hash="1$hash-two",
        expires_at=second(at) + policy.pin_time_to_live.span,
        attempts=policy.pin_attempts,
        verify_limit=policy.verify_pin_limit,
    )


def took(
    channel: Channel = Channel.SMS, provider_message_id: str | None = PROVIDER_ID
) -> ChannelOutcome:
    """Report that the channel's provider took the message."""
    return ChannelOutcome(
        channel=channel,
        channel_account_id=f"channel-{channel}",
        status=OutcomeStatus.ACCEPTED,
        provider_message_id=provider_message_id,
    )


def refused(channel: Channel = Channel.SMS) -> ChannelOutcome:
    """Report that the channel's provider said no."""
    return ChannelOutcome(
        channel=channel,
        channel_account_id=f"channel-{channel}",
        status=OutcomeStatus.REJECTED,
        error_code="no_such_table",
        error_message="Nobody sits there.",
    )


def stayed_silent(channel: Channel = Channel.SMS) -> ChannelOutcome:
    """Report that the provider gave no answer within the provider time-out."""
    return attrs.evolve(refused(channel), status=OutcomeStatus.UNKNOWN, error_code=PROVIDER_TIMEOUT)


def interrupted(channel: Channel = Channel.SMS) -> ChannelOutcome:
    """Report a recovery's finding about a dispatch whose process died."""
    return ChannelOutcome(
        channel=channel,
        status=OutcomeStatus.UNKNOWN,
        error_code="dispatch_interrupted",
        error_message="The process ended before the provider's answer was recorded.",
    )


def recording(
    at: float,
    *outcomes: ChannelOutcome,
    issue: int = 1,
    retiring: frozenset[str] = frozenset(),
    early: tuple[EarlyReceipts, ...] = (),
) -> RecordDispatch:
    """Return the command that records outcomes; accepted by SMS unless outcomes are given."""
    return RecordDispatch(
        at=second(at),
        pin_id=KETTLE,
        issue=issue,
        outcomes=outcomes or (took(),),
        retiring=retiring,
        early=early,
    )


def dispatched(at: float, *outcomes: ChannelOutcome, issue: int = 1) -> PinDispatched:
    """Return the event of a dispatch; accepted by SMS unless outcomes are given."""
    return PinDispatched(at=second(at), issue=issue, outcomes=outcomes or (took(),))


def recovery(at: float, issue: int = 1) -> RecoverDispatch:
    """Record that a dispatch has no outcome."""
    return RecoverDispatch(at=second(at), issue=issue)


def right_guess(at: float) -> VerifyPin:
    """Type the live code."""
    return VerifyPin(at=second(at), pin_id=KETTLE, matched=True)


def wrong_guess(at: float) -> VerifyPin:
    """Type anything else."""
    return VerifyPin(at=second(at), pin_id=KETTLE, matched=False)


def failed(at: float, left: int, issue: int = 1) -> VerifyFailed:
    """Return the event of a wrong guess."""
    return VerifyFailed(at=second(at), issue=issue, attempts_remaining=left)


def verified(at: float, issue: int = 1) -> PinVerified:
    """Return the event of the right guess."""
    return PinVerified(at=second(at), issue=issue)


def blocked(at: float, issue: int = 1) -> PinBlocked:
    """Return the event of a guess without attempts left."""
    return PinBlocked(at=second(at), issue=issue)


def expired(at: float, issue: int = 1) -> PinExpired:
    """Return the event that a call found the code expired."""
    return PinExpired(at=second(at), issue=issue)


def superseded(at: float) -> PinSuperseded:
    """Return the event that the teapot's PIN superseded this one."""
    return PinSuperseded(at=second(at), by=TEAPOT)


def erased(at: float) -> PinErased:
    """Return the event that the guest was erased."""
    return PinErased(at=second(at))


def forget_the_guest(at: float) -> ErasePin:
    """Ask the PIN to end because the guest was erased."""
    return ErasePin(at=second(at), pin_id=KETTLE)


def give_way(at: float) -> SupersedePin:
    """Ask the PIN to give way to the teapot's."""
    return SupersedePin(at=second(at), by=TEAPOT)


def gives_up_live_code() -> Release:
    """State that this PIN no longer holds the live code of its template and destination."""
    return Release(LIVE_CODE, KETTLE)


def owns_live_code(*retiring: str) -> SoleHolder:
    """State that this PIN alone holds the live code, once those retire."""
    return SoleHolder(LIVE_CODE, KETTLE, frozenset(retiring))


def known_as(channel: Channel = Channel.SMS, provider_message_id: str = PROVIDER_ID) -> str:
    """Name the subject that a code holds once the channel's provider took it."""
    return provider_message(f"channel-{channel}", provider_message_id)


def known_by_its_id(*parked: str, channel: Channel = Channel.SMS) -> SoleHolder:
    """State that this PIN alone holds a provider's id, and that parked receipts give way."""
    return SoleHolder(known_as(channel), KETTLE, frozenset(parked))


def receipt(status: ReceiptStatus, at: float, error_code: str | None = None) -> Receipt:
    """Return a receipt of some second."""
    return Receipt(status=status, error_code=error_code, reported_at=second(at))


def hear(at: float, told: Receipt, subject: str | None = None) -> TakePinReceipt:
    """Return the command that records a receipt, of the code by SMS unless a subject is given."""
    return TakePinReceipt(at=second(at), subject=subject or known_as(), receipt=told)


def reported(
    at: float, told: Receipt, issue: int = 1, channel: Channel = Channel.SMS
) -> PinReported:
    """Return the event that a receipt came in."""
    return PinReported(
        at=second(at),
        issue=issue,
        channel=channel,
        status=told.status,
        error_code=told.error_code,
        reported_at=told.reported_at,
    )
